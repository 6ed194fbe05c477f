import APNSSimulator
import EventLoop
import HTTP2
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(10)))
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
        try await withStand(options: { $0.maximumConnections = 1 }) { stand in
            // Said before the first answer, so that the client knows it with the answer.
            stand.server.faults = Faults([.init(.streamLimit(0), .only(1))])
            let first = try Stand.window(0..<1)
            try await stand.sendAll(first)
            #expect(first.acceptedCount == 1)

            let end = MonotonicTime.now() + .milliseconds(500)
            let window = try Stand.window(1..<5, until: end)
            guard case .done = await stand.client.send(window) else { throw Unexpected() }
            #expect(.now() >= end)
            #expect(window.unsentCount == 4)
            #expect(stand.server.record.counts.requests == 1)
        }
    }
}
