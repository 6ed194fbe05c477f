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
        try await withFixture { fixture in
            let goAway = Fault.GoAway(lastStream: lastStream, isDouble: isDouble)
            fixture.server.faults = Faults([.init(.goAway(goAway), .nth(300))])
            let window = try APNSFixture.window(0..<600)
            guard case .done = await fixture.client.send(window) else { throw Unexpected() }

            #expect(window.acceptedCount == 600)
            fixture.expectAcceptedOnce(0..<600)
            #expect(fixture.server.record.counts.connects == 2)
        }
    }

    @Test func gracefulEndLosesNothing() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([.init(.goAway(.init(lastStream: .all)), .nth(300))])
            let window = try APNSFixture.window(0..<600)
            try await fixture.sendAll(window)

            #expect(window.acceptedCount == 600)
            fixture.expectAcceptedOnce(0..<600)
            #expect(fixture.server.record.counts.requests == 600)
        }
    }

    @Test func unansweredBelowTheLastStreamAreUnknown() async throws {
        try await withFixture(options: { $0.requestDeadline = .seconds(4) * TestTimeouts.factor }) { fixture in
            fixture.server.faults = Faults([
                .init(.noAnswer(accepted: true), .nth(150)),
                .init(.goAway(.init(lastStream: .previousStream)), .nth(300)),
            ])
            let window = try APNSFixture.window(0..<600)
            try await fixture.sendAll(window)

            #expect((0..<600).count { window.results[$0].isUnknown } == 1)
            #expect(window.acceptedCount == 599)
            fixture.expectAcceptedOnce(0..<600)
        }
    }

    @Test func goAwayBeforeSettingsIsAFailedAttempt() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([.init(.goAwayBeforeSettings(reason: "Shutdown"), .first(1))])
            let window = try APNSFixture.window(0..<10)
            guard case .unavailable(let error) = await fixture.client.send(window) else { throw Unexpected() }
            #expect(!error.description.isEmpty)
            #expect(window.unsentCount == 10)

            try await fixture.sendAll(window)
            #expect(window.acceptedCount == 10)
            fixture.expectAcceptedOnce(0..<10)
        }
    }

    @Test func reasonOfAGoAwayIsTheCloseReason() async throws {
        try await withFixture { fixture in
            try await fixture.withConnection { connection in
                fixture.server.faults = Faults([.init(.goAway(.init(reason: "BadCertificate")))])
                await connection.send(try APNSFixture.window(0..<1))
                #expect(await connection.closeReason == "BadCertificate")
                #expect(await !connection.isOpen)
            }
        }
    }
}
