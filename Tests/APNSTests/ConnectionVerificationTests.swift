import APNSSimulator
import EventLoop
import TestSupport
import Testing

@testable import APNS

/// A connection is verified by its first answer, not by SETTINGS.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionVerificationTests {
    private static let goAway = Fault.goAway(.init(lastStream: .previousStream))

    @Test(arguments: [goAway, .disconnect(accepted: false)])
    func connectionThatEndsBeforeItsFirstAnswerIsAFailedAttempt(_ fault: Fault) async throws {
        try await withFixture(options: { ($0.shortestPause, $0.longestPause) = (.seconds(60), .seconds(60)) }) {
            fixture in
            fixture.server.faults = Faults([.init(fault)])
            let window = try APNSFixture.window(0..<5)
            guard case .unavailable(.backingOff(let reason)) = await fixture.client.send(window)
            else { throw Unexpected() }

            #expect(!reason.isEmpty)
            #expect(window.unsentCount >= 4)
            #expect(fixture.server.record.counts.connects == 1)
        }
    }

    @Test func pausesGrowWhileConnectionsEndImmediately() async throws {
        try await withFixture(options: { ($0.shortestPause, $0.longestPause) = (.milliseconds(20), .seconds(60)) }) {
            fixture in
            fixture.server.faults = Faults([.init(Self.goAway)])
            try await fixture.sendAll(try APNSFixture.window(0..<5, until: .now() + .seconds(6)))

            // The pause of 20 ms doubles each time, so there are far fewer than one hundred connections.
            #expect((2...13).contains(fixture.server.record.counts.connects))
        }
    }

    @Test func sendingRecoversWhenConnectionsLiveAgain() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([.init(Self.goAway, .first(3))])
            let window = try APNSFixture.window(0..<50)
            try await fixture.sendAll(window)

            #expect(window.acceptedCount == 50)
            fixture.expectAcceptedOnce(0..<50)
            #expect(fixture.server.record.counts.connects == 4)
        }
    }

    @Test func connectionThatEndsAfterAnAnswerIsReplacedImmediately() async throws {
        try await withFixture(options: { ($0.shortestPause, $0.longestPause) = (.seconds(60), .seconds(60)) }) {
            fixture in
            for round in 0..<3 {
                _ = await fixture.client.send(try APNSFixture.window(round * 100..<round * 100 + 1))
                fixture.server.faults = Faults([.init(Self.goAway, .nth(1))])
                let window = try APNSFixture.window(round * 100 + 1..<round * 100 + 20)
                guard case .done = await fixture.client.send(window) else { throw Unexpected() }
                #expect(window.acceptedCount == 19)
            }
            #expect(fixture.server.record.counts.connects == 4)
        }
    }

    /// Each connection answers at least once and then ends.
    @Test func spacingHoldsWhenNoConnectionIsLeft() async throws {
        let spacing = Duration.milliseconds(200)
        try await withFixture(options: { $0.connectionSpacing = spacing }) { fixture in
            fixture.server.faults = Faults([.init(Self.goAway, .every(2))])
            let began = MonotonicTime.now()
            let window = try APNSFixture.window(0..<4)
            try await fixture.sendAll(window)

            #expect(window.acceptedCount == 4)
            let connects = fixture.server.record.counts.connects
            #expect(connects > 2 && .now() - began >= spacing * (connects - 1))
        }
    }
}
