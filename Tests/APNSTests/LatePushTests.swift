import APNSSimulator
import EventLoop
import TestSupport
import Testing

@testable import APNS

/// Pushes that leave their window because their answers are late.
@Suite(.timeLimit(.minutes(10)))
struct LatePushTests {
    /// The results of late pushes, in the order in which they come.
    private struct Late {
        let pushes: LatePushes
        private let stream: AsyncStream<(LatePushes.ID, PushResult)>

        init(limit: Int) {
            let (stream, continuation) = AsyncStream.makeStream(of: (LatePushes.ID, PushResult).self)
            let left = Lock(limit)
            pushes = LatePushes(
                mayLeave: {
                    left.withLock { left in
                        left -= 1
                        return left >= 0
                    }
                }, resolved: { continuation.yield(($0, $1)) })
            self.stream = stream
        }

        func next(_ count: Int) async -> [Int: PushResult] {
            var results: [Int: PushResult] = [:]
            for await (id, result) in stream {
                #expect(id.window == 77)
                results[id.index] = result
                if results.count == count { break }
            }
            return results
        }
    }

    /// A window of a hundred pushes.
    private static func window(_ late: Late) throws -> PushWindow {
        let window = PushWindow()
        let other = try APNSFixture.window(0..<1)
        window.reset(headers: try #require(other.headers.first), late: late.pushes, number: 77)
        for number in 0..<100 { window.append(number) }
        window.allow(until: .now() + .seconds(30) * TestTimeouts.factor)
        return window
    }

    private static func faults(_ fault: Fault, _ number: Int) -> Faults {
        Faults([.init(fault, .always, for: .tokens([APNSFixture.token(number)]))])
    }

    @Test func windowIsReturnedBeforeALateAnswer() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Self.faults(.delay(by: .seconds(1)), 7)
            let late = Late(limit: 10)
            let window = try Self.window(late)
            let began = MonotonicTime.now()
            try await fixture.sendAll(window)
            #expect(window.places(.late) == [7] && window.acceptedCount == 99)
            #expect(await late.next(1)[7]?.isAccepted == true)
            #expect(MonotonicTime.now() - began >= .seconds(1))
            fixture.expectAcceptedOnce(0..<100)
        }
    }

    @Test func windowWaitsIfNoMorePushesMayLeave() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Self.faults(.delay(by: .milliseconds(300)), 7)
            let window = try Self.window(Late(limit: 0))
            try await fixture.sendAll(window)
            #expect(window.acceptedCount == 100)
        }
    }

    @Test func windowWaitsIfManyAnswersAreLate() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([
                .init(.delay(by: .milliseconds(300)), .always, for: .tokens((0..<6).map { APNSFixture.token($0) }))
            ])
            let window = try Self.window(Late(limit: 10))
            try await fixture.sendAll(window)
            #expect(window.acceptedCount == 100)
        }
    }

    @Test func lateRejectionHasItsReason() async throws {
        try await withFixture({ $0.mode = .acceptAll }) { fixture in
            var answers = QuickAnswers()
            answers.slowShare = 0.02
            answers.slowLatency = .milliseconds(500)
            answers.deferredShare = 1
            fixture.server.quickAnswers = answers
            let late = Late(limit: 100)
            let window = try Self.window(late)
            _ = await fixture.client.send(window)
            let places = window.places(.late)
            #expect((1...5).contains(places.count))
            let results = await late.next(places.count)
            #expect(results.keys.sorted() == places)
            #expect(results.values.allSatisfy { $0.status == 429 && ReasonTable.reason($0.reason) == .tooManyRequests })
        }
    }

    @Test func latePushIsUnknownWhenItsConnectionEnds() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Self.faults(.noAnswer(accepted: true), 7)
            let late = Late(limit: 10)
            let window = try Self.window(late)
            try await fixture.sendAll(window)
            #expect(window.places(.late) == [7])
            await fixture.server.inject(.disconnect(accepted: true))
            #expect(await late.next(1)[7]?.state == .connectionLost)
        }
    }

    @Test func latePushIsUnknownAfterItsDeadline() async throws {
        try await withFixture(options: { $0.requestDeadline = .seconds(1) }) { fixture in
            fixture.server.faults = Self.faults(.noAnswer(accepted: true), 7)
            let late = Late(limit: 10)
            let window = try Self.window(late)
            try await fixture.sendAll(window)
            #expect(window.places(.late) == [7])
            // The peer answers others meanwhile.
            while true {
                let other = try APNSFixture.window(200..<201)
                try await fixture.sendAll(other)
                try await fixture.loop.sleep(for: .milliseconds(100))
                if fixture.server.record.counts.requests > 112 { break }
            }
            #expect(await late.next(1)[7]?.state == .deadlinePassed)
        }
    }

    @Test func latePushAboveAGoAwayIsUnsent() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Self.faults(.noAnswer(accepted: false), 99)
            let late = Late(limit: 10)
            let window = try Self.window(late)
            try await fixture.sendAll(window)
            #expect(window.places(.late) == [99])
            // The stream of the last push is above the one before.
            await fixture.server.inject(.goAway(.init(lastStream: .number(197))))
            #expect(await late.next(1)[99]?.state == .unsent)
        }
    }
}
