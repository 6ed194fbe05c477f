import APNSSimulator
import Dispatch
import EventLoop
import TestSupport
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(10)))
struct LossTests {
    /// It passes in these tests, and what is answered must be in time.
    private static let shortDeadline = Duration.seconds(3)

    @Test(arguments: [true, false])
    func lostConnectionMakesOnlyWhatWasOnItUnknown(accepted: Bool) async throws {
        try await withStand({ $0.streams.afterToken = 50 }) { stand in
            stand.server.faults = Faults([.init(.disconnect(accepted: accepted), .only(200))])
            let window = try Stand.window(0..<400)
            try await stand.sendAll(window)

            let lost = window.places(.connectionLost)
            #expect((1...50).contains(lost.count))
            #expect(window.acceptedCount == 400 - lost.count)
            stand.expectAcceptedOnce((0..<400).filter { window.results[$0].isAccepted })
            let counts = stand.server.record.counts
            #expect(counts.connects == 2 && counts.repeatedIDs == 0)
        }
    }

    /// Two streams are all there is: had the late ones not been reset, the third window would wait in vain.
    @Test func silentDropPassesTheDeadlineAndItsStreamIsReset() async throws {
        try await withStand({ $0.streams.afterToken = 2 }, options: { $0.requestDeadline = Self.shortDeadline }) {
            stand in
            stand.server.faults = Faults([
                .init(.noAnswer(accepted: true), for: .tokens([2, 12, 22].map(Stand.token)))
            ])
            for start in [0, 10, 20] {
                let window = try Stand.window(start..<start + 6)
                try await stand.sendAll(window)
                #expect(window.places(.deadlinePassed) == [2])
                #expect(window.acceptedCount == 5)
            }
            #expect(stand.server.record.counts.connects == 1)
            #expect(stand.server.record.counts.acceptedTwice == 0)
        }
    }

    @Test func connectionOnWhichNothingComesIsGivenUp() async throws {
        try await withStand(options: { $0.requestDeadline = Self.shortDeadline }) { stand in
            _ = await stand.client.send(try Stand.window(0..<1))
            stand.server.faults = Faults([.init(.noAnswer(accepted: false))])
            let window = try Stand.window(1..<11)
            _ = await stand.client.send(window)
            #expect(window.places(.connectionLost).count == 10)
            #expect(await stand.client.connectionCount == 0)

            stand.server.faults = .none
            let after = try Stand.window(20..<30)
            try await stand.sendAll(after)
            #expect(after.acceptedCount == 10)
            #expect(stand.server.record.counts.connects == 2)
        }
    }

    /// However long nothing else comes.
    @Test func peerThatAnswersPingsIsKept() async throws {
        try await withStand { stand in
            let options = APNSOptions.short {
                $0.requestDeadline = Self.shortDeadline
                $0.pingAfter = .milliseconds(50)
                $0.pingDeadline = .seconds(3)
            }
            try await stand.withConnection(options: options) { connection in
                await connection.send(try Stand.window(0..<1))
                try await stand.loop.sleep(for: options.pingDeadline * 1.5)
                #expect(await connection.isOpen)
            }
        }
    }

    @Test func connectionThatNobodyUsesIsClosedAndOneThatWaitsForAnAnswerIsKept() async throws {
        try await withStand { stand in
            let options = APNSOptions.short { $0.idleLimit = .seconds(3) }
            try await stand.withConnection(options: options) { connection in
                stand.server.faults = Faults([.init(.delay(by: options.idleLimit * 1.5), .first(1))])
                let slow = try Stand.window(0..<1)
                await connection.send(slow)
                #expect(slow.acceptedCount == 1)

                while await connection.isOpen { try await stand.loop.sleep(for: .milliseconds(20)) }
                #expect(await connection.isClosed)
                #expect(await connection.farewell?.hasPrefix("not used for") == true)
                let late = try Stand.window(1..<2)
                await connection.send(late)
                #expect(late.unsentCount == 1)
            }
        }
    }

    /// The simulator's thread stands still: TCP lives on, and no PING is answered.
    @Test func silentPeerIsPingedAndGivenUp() async throws {
        try await withStand { stand in
            // The push's own deadline comes much later.
            let options = APNSOptions.short {
                $0.requestDeadline = .seconds(60) * Patience.factor
                $0.pingAfter = .milliseconds(100)
                $0.pingDeadline = .milliseconds(200) * Patience.factor
            }
            try await stand.withConnection(options: options) { connection in
                let mayGoOn = DispatchSemaphore(value: 0)
                defer { mayGoOn.signal() }
                await withCheckedContinuation { standsStill in
                    stand.serverLoop.perform {
                        standsStill.resume()
                        mayGoOn.wait()
                    }
                }
                let window = try Stand.window(0..<1)
                await connection.send(window)
                #expect(window.places(.connectionLost) == [0])
                #expect(await connection.isClosed)
                #expect(await connection.farewell?.contains("PING") == true)
            }
        }
    }
}
