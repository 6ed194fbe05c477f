import APNSSimulator
import EventLoop
import TestSupport
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(10)))
struct GoAwayTests {
    @Test(arguments: [Fault.GoAway.LastStream.previousStream, .thisStream], [false, true])
    func pushesAboveTheLastStreamGoOutOnANewConnection(
        lastStream: Fault.GoAway.LastStream, isDouble: Bool
    ) async throws {
        try await withStand { stand in
            let goAway = Fault.GoAway(lastStream: lastStream, isDouble: isDouble)
            stand.server.faults = Faults([.init(.goAway(goAway), .only(300))])
            let window = try Stand.window(0..<600)
            guard case .done = await stand.client.send(window) else { throw Unexpected() }

            #expect(window.acceptedCount == 600)
            stand.expectAcceptedOnce(0..<600)
            #expect(stand.server.record.counts.connects == 2)
        }
    }

    @Test func gracefulEndLosesNothing() async throws {
        try await withStand { stand in
            stand.server.faults = Faults([.init(.goAway(.init(lastStream: .all)), .only(300))])
            let window = try Stand.window(0..<600)
            try await stand.sendAll(window)

            #expect(window.acceptedCount == 600)
            stand.expectAcceptedOnce(0..<600)
            #expect(stand.server.record.counts.requests == 600)
        }
    }

    @Test func unansweredBelowTheLastStreamAreUnknown() async throws {
        try await withStand(options: { $0.requestDeadline = .seconds(4) * Patience.factor }) { stand in
            stand.server.faults = Faults([
                .init(.noAnswer(accepted: true), .only(150)),
                .init(.goAway(.init(lastStream: .previousStream)), .only(300)),
            ])
            let window = try Stand.window(0..<600)
            try await stand.sendAll(window)

            #expect((0..<600).count { window.results[$0].isUnknown } == 1)
            #expect(window.acceptedCount == 599)
            stand.expectAcceptedOnce(0..<600)
        }
    }

    @Test func goAwayBeforeSettingsIsAFailedAttempt() async throws {
        try await withStand { stand in
            stand.server.faults = Faults([.init(.goAwayBeforeSettings(reason: "Shutdown"), .first(1))])
            let window = try Stand.window(0..<10)
            guard case .unavailable(let error) = await stand.client.send(window) else { throw Unexpected() }
            #expect(!error.description.isEmpty)
            #expect(window.unsentCount == 10)

            try await stand.sendAll(window)
            #expect(window.acceptedCount == 10)
            stand.expectAcceptedOnce(0..<10)
        }
    }

    @Test func wordsOfAGoAwayAreKept() async throws {
        try await withStand { stand in
            try await stand.withConnection { connection in
                stand.server.faults = Faults([.init(.goAway(.init(reason: "BadCertificate")))])
                await connection.send(try Stand.window(0..<1))
                #expect(await connection.farewell == "BadCertificate")
                #expect(await !connection.isOpen)
            }
        }
    }
}
