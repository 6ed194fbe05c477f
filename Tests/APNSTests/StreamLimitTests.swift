import APNSSimulator
import EventLoop
import HTTP2
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(10)))
struct StreamLimitTests {
    /// After a few refusals, each request is a probe that follows a pause.
    @Test func clientWhoseStreamsAreAllRefusedSlowsDown() async throws {
        try await withFixture(options: { options in
            (options.shortestSlowdown, options.longestSlowdown) = (.milliseconds(20), .milliseconds(20))
        }) { fixture in
            let refused = ConnectionState.maximumRefusals + 4
            fixture.server.faults = Faults([.init(.reset(.refusedStream, accepted: false), .first(refused))])
            let window = try APNSFixture.window(0..<100)
            guard case .unavailable(.slowedDown(let answer)) = await fixture.client.send(window)
            else { throw Unexpected() }
            #expect(answer.reason == .refusedStreams && window.unsentCount == 100)
            #expect(fixture.server.record.counts.requests == ConnectionState.maximumRefusals)
            try await fixture.sendAll(window)
            fixture.expectAcceptedOnce(0..<100)
            #expect(fixture.server.record.counts.requests == refused + 100)
        }
    }

    @Test func refusedStreamsAreSentAgain() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([.init(.reset(.refusedStream, accepted: false), .every(3))])
            let window = try APNSFixture.window(0..<500)
            try await fixture.sendAll(window)

            #expect(window.acceptedCount == 500)
            fixture.expectAcceptedOnce(0..<500)
            #expect(fixture.server.record.counts.faulted > 200)
        }
    }

    @Test func otherResetsAreUnknownAndNotSentAgain() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([.init(.reset(.internalError, accepted: true), .nth(40))])
            let window = try APNSFixture.window(0..<100)
            try await fixture.sendAll(window)

            #expect(window.places(.streamReset).count == 1)
            #expect(window.acceptedCount == 99)
            fixture.expectAcceptedOnce(0..<100)
        }
    }

    @Test func fallingLimitLosesNothing() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([
                .init(.streamLimit(5), .nth(100)), .init(.streamLimit(1), .nth(200)),
                .init(.streamLimit(300), .nth(250)),
            ])
            let window = try APNSFixture.window(0..<1_000)
            try await fixture.sendAll(window)

            #expect(window.acceptedCount == 1_000)
            fixture.expectAcceptedOnce(0..<1_000)
        }
    }

    /// As Apple does: one stream after a rejection, until the next success.
    @Test func limitThatFallsAfterEachRejectionLosesNothing() async throws {
        try await withFixture({ $0.streams.reducesAfterRejection = true }) { fixture in
            fixture.server.faults = Faults([.init(.answer(.badDeviceToken), .every(10))])
            let window = try APNSFixture.window(0..<500)
            try await fixture.sendAll(window)

            #expect(window.acceptedCount == 450)
            #expect(window.places(.answered).count == 500)
            #expect(fixture.server.record.counts.acceptedTwice == 0)
        }
    }

    @Test func windowThatGetsNoStreamsComesBackUnsent() async throws {
        try await withFixture(options: { $0.maximumConnections = 1 }) { fixture in
            // Sent before the first answer, so that the client has received it with the answer.
            fixture.server.faults = Faults([.init(.streamLimit(0), .nth(1))])
            let first = try APNSFixture.window(0..<1)
            try await fixture.sendAll(first)
            #expect(first.acceptedCount == 1)

            let end = MonotonicTime.now() + .milliseconds(500)
            let window = try APNSFixture.window(1..<5, until: end)
            guard case .done = await fixture.client.send(window) else { throw Unexpected() }
            #expect(.now() >= end)
            #expect(window.unsentCount == 4)
            #expect(fixture.server.record.counts.requests == 1)
        }
    }
}
