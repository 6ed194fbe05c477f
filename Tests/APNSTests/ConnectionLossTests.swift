import APNSSimulator
import Dispatch
import EventLoop
import TestSupport
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(10)))
struct ConnectionLossTests {
    /// It expires in these tests, but answered pushes must be in time.
    private static let shortDeadline = Duration.seconds(3)

    @Test(arguments: [true, false])
    func lostConnectionMakesOnlyItsPushesUnknown(accepted: Bool) async throws {
        try await withFixture({ $0.streams.afterToken = 50 }) { fixture in
            fixture.server.faults = Faults([.init(.disconnect(accepted: accepted), .nth(200))])
            let window = try APNSFixture.window(0..<400)
            try await fixture.sendAll(window)

            let lost = window.places(.connectionLost)
            #expect((1...50).contains(lost.count))
            #expect(window.acceptedCount == 400 - lost.count)
            fixture.expectAcceptedOnce((0..<400).filter { window.results[$0].isAccepted })
            let counts = fixture.server.record.counts
            #expect(counts.connects == 2 && counts.repeatedIDs == 0)
        }
    }

    /// Only two streams are allowed: without resetting the late ones, the third window would never be sent.
    @Test func silentDropPassesTheDeadlineAndItsStreamIsReset() async throws {
        try await withFixture({ $0.streams.afterToken = 2 }, options: { $0.requestDeadline = Self.shortDeadline }) {
            fixture in
            fixture.server.faults = Faults([
                .init(.noAnswer(accepted: true), for: .tokens([2, 12, 22].map(APNSFixture.token)))
            ])
            for start in [0, 10, 20] {
                let window = try APNSFixture.window(start..<start + 6)
                try await fixture.sendAll(window)
                #expect(window.places(.deadlinePassed) == [2])
                #expect(window.acceptedCount == 5)
            }
            #expect(fixture.server.record.counts.connects == 1)
            #expect(fixture.server.record.counts.acceptedTwice == 0)
        }
    }

    @Test func connectionWithoutAnyAnswerIsClosed() async throws {
        try await withFixture(options: { $0.requestDeadline = Self.shortDeadline }) { fixture in
            _ = await fixture.client.send(try APNSFixture.window(0..<1))
            fixture.server.faults = Faults([.init(.noAnswer(accepted: false))])
            let window = try APNSFixture.window(1..<11)
            _ = await fixture.client.send(window)
            #expect(window.places(.connectionLost).count == 10)
            #expect(await fixture.client.connectionCount == 0)

            fixture.server.faults = .none
            let after = try APNSFixture.window(20..<30)
            try await fixture.sendAll(after)
            #expect(after.acceptedCount == 10)
            #expect(fixture.server.record.counts.connects == 2)
        }
    }

    /// Even if nothing else is received for a long time.
    @Test func connectionWithAnsweredPingsStaysOpen() async throws {
        try await withFixture { fixture in
            let options = APNSOptions.short {
                $0.requestDeadline = Self.shortDeadline
                $0.pingAfter = .milliseconds(50)
                $0.pingDeadline = .seconds(3)
            }
            try await fixture.withConnection(options: options) { connection in
                await connection.send(try APNSFixture.window(0..<1))
                try await fixture.loop.sleep(for: options.pingDeadline * 1.5)
                #expect(await connection.isOpen)
            }
        }
    }

    @Test func idleConnectionIsClosedButNotWhileAnAnswerIsOutstanding() async throws {
        try await withFixture { fixture in
            let options = APNSOptions.short { $0.idleLimit = .seconds(3) }
            try await fixture.withConnection(options: options) { connection in
                fixture.server.faults = Faults([.init(.delay(by: options.idleLimit * 1.5), .first(1))])
                let slow = try APNSFixture.window(0..<1)
                await connection.send(slow)
                #expect(slow.acceptedCount == 1)

                while await connection.isOpen { try await fixture.loop.sleep(for: .milliseconds(20)) }
                #expect(await connection.isClosed)
                #expect(await connection.closeReason?.hasPrefix("not used for") == true)
                let late = try APNSFixture.window(1..<2)
                await connection.send(late)
                #expect(late.unsentCount == 1)
            }
        }
    }

    /// The simulator's thread is blocked: TCP stays connected, but no PING is answered.
    @Test func silentPeerIsPingedAndThenClosed() async throws {
        try await withFixture { fixture in
            // The push's own deadline is much later.
            let options = APNSOptions.short {
                $0.requestDeadline = .seconds(60) * TestTimeouts.factor
                $0.pingAfter = .milliseconds(100)
                $0.pingDeadline = .milliseconds(200) * TestTimeouts.factor
            }
            try await fixture.withConnection(options: options) { connection in
                let mayGoOn = DispatchSemaphore(value: 0)
                defer { mayGoOn.signal() }
                await withCheckedContinuation { standsStill in
                    fixture.serverLoop.perform {
                        standsStill.resume()
                        mayGoOn.wait()
                    }
                }
                let window = try APNSFixture.window(0..<1)
                await connection.send(window)
                #expect(window.places(.connectionLost) == [0])
                #expect(await connection.isClosed)
                #expect(await connection.closeReason?.contains("PING") == true)
            }
        }
    }
}
