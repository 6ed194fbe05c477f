import APNSSimulator
import EventLoop
import HTTP2
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    @Test func refusedStreamsAreSentAgain() async throws {
        try await withStand { stand in
            stand.server.faults = Faults([.init(.reset(.refusedStream, accepted: false), .every(3))])
            let window = try Stand.window(0..<500)
            try await stand.sendAll(window)

            #expect(window.acceptedCount == 500)
            stand.expectAcceptedOnce(0..<500)
            #expect(stand.server.record.counts.disturbed > 200)
        }
    }

    @Test func otherResetsAreUnknownAndNotSentAgain() async throws {
        try await withStand { stand in
            stand.server.faults = Faults([.init(.reset(.internalError, accepted: true), .only(40))])
            let window = try Stand.window(0..<100)
            try await stand.sendAll(window)

            #expect(window.places(.streamReset).count == 1)
            #expect(window.acceptedCount == 99)
            stand.expectAcceptedOnce(0..<100)
        }
    }

    @Test func fallingLimitLosesNothing() async throws {
        try await withStand { stand in
            stand.server.faults = Faults([
                .init(.streamLimit(5), .only(100)), .init(.streamLimit(1), .only(200)),
                .init(.streamLimit(300), .only(250)),
            ])
            let window = try Stand.window(0..<1_000)
            try await stand.sendAll(window)

            #expect(window.acceptedCount == 1_000)
            stand.expectAcceptedOnce(0..<1_000)
        }
    }

    /// As Apple does it: one stream after a rejection, until the next success.
    @Test func limitThatFallsAfterEachRejectionLosesNothing() async throws {
        try await withStand({ $0.streams.fallsAfterRejection = true }) { stand in
            stand.server.faults = Faults([.init(.answer(.badDeviceToken), .every(10))])
            let window = try Stand.window(0..<500)
            try await stand.sendAll(window)

            #expect(window.acceptedCount == 450)
            #expect(window.places(.answered).count == 500)
            #expect(stand.server.record.counts.acceptedTwice == 0)
        }
    }

    @Test func windowThatGetsNoStreamsComesBackUnsent() async throws {
        try await withStand(options: { $0.requestDeadline = .milliseconds(400) }) { stand in
            stand.server.faults = Faults([.init(.streamLimit(0), .only(1))])
            let window = try Stand.window(0..<5, until: .now() + .milliseconds(2_500))
            guard case .done = await stand.client.send(window) else { throw Unexpected() }

            #expect(window.acceptedCount == 1)
            #expect(window.unsentCount == 4)
            #expect(stand.server.record.counts.requests == 1)
        }
    }
}
