import APNSSimulator
import EventLoop
import TestSupport
import Testing

@testable import APNS

/// SETTINGS do not make a connection a good one: its first answer does.
@Suite(.timeLimit(.minutes(10)))
struct ProvingTests {
    private static let goAway = Fault.goAway(.init(lastStream: .previousStream))

    @Test(arguments: [goAway, .disconnect(accepted: false)])
    func connectionThatEndsBeforeItsFirstAnswerIsAFailedAttempt(_ fault: Fault) async throws {
        try await withStand(options: { ($0.shortestPause, $0.longestPause) = (.seconds(60), .seconds(60)) }) { stand in
            stand.server.faults = Faults([.init(fault)])
            let window = try Stand.window(0..<5)
            guard case .unavailable(.pausing(let reason)) = await stand.client.send(window) else { throw Unexpected() }

            #expect(!reason.isEmpty)
            #expect(window.unsentCount >= 4)
            #expect(stand.server.record.counts.connects == 1)
        }
    }

    @Test func pausesGrowWhileConnectionsDieAtOnce() async throws {
        try await withStand(options: { ($0.shortestPause, $0.longestPause) = (.milliseconds(20), .seconds(60)) }) {
            stand in
            stand.server.faults = Faults([.init(Self.goAway)])
            try await stand.sendAll(try Stand.window(0..<5, until: .now() + .seconds(6)))

            // 20 ms and twice as long each time: not one hundred.
            #expect((2...13).contains(stand.server.record.counts.connects))
        }
    }

    @Test func sendingRecoversWhenConnectionsLiveAgain() async throws {
        try await withStand { stand in
            stand.server.faults = Faults([.init(Self.goAway, .first(3))])
            let window = try Stand.window(0..<50)
            try await stand.sendAll(window)

            #expect(window.acceptedCount == 50)
            stand.expectAcceptedOnce(0..<50)
            #expect(stand.server.record.counts.connects == 4)
        }
    }

    @Test func connectionThatEndsAfterAnAnswerIsReplacedAtOnce() async throws {
        try await withStand(options: { ($0.shortestPause, $0.longestPause) = (.seconds(60), .seconds(60)) }) { stand in
            for round in 0..<3 {
                _ = await stand.client.send(try Stand.window(round * 100..<round * 100 + 1))
                stand.server.faults = Faults([.init(Self.goAway, .only(1))])
                let window = try Stand.window(round * 100 + 1..<round * 100 + 20)
                guard case .done = await stand.client.send(window) else { throw Unexpected() }
                #expect(window.acceptedCount == 19)
            }
            #expect(stand.server.record.counts.connects == 4)
        }
    }

    /// Each connection answers once or more, and then goes.
    @Test func spacingHoldsWhenNoConnectionIsLeft() async throws {
        let spacing = Duration.milliseconds(200)
        try await withStand(options: { $0.connectionSpacing = spacing }) { stand in
            stand.server.faults = Faults([.init(Self.goAway, .every(2))])
            let began = MonotonicTime.now()
            let window = try Stand.window(0..<4)
            try await stand.sendAll(window)

            #expect(window.acceptedCount == 4)
            let connects = stand.server.record.counts.connects
            #expect(connects > 2 && .now() - began >= spacing * (connects - 1))
        }
    }
}
