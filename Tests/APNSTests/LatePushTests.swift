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

        init() {
            let (stream, continuation) = AsyncStream.makeStream(of: (LatePushes.ID, PushResult).self)
            pushes = LatePushes { continuation.yield(($0, $1)) }
            self.stream = stream
        }

        func results(of indices: [Int]) async -> [Int: PushResult] {
            var results: [Int: PushResult] = [:]
            guard !indices.isEmpty else { return results }
            for await (id, result) in stream {
                #expect(id.window == 77)
                results[id.index] = result
                if indices.allSatisfy({ results[$0] != nil }) { break }
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
            let late = Late()
            let window = try Self.window(late)
            let began = MonotonicTime.now()
            try await fixture.sendAll(window)
            // On a busy machine, a few others can be late, too.
            let places = window.places(.late)
            #expect(places.contains(7) && window.acceptedCount == 100 - places.count)
            #expect(await late.results(of: places).values.allSatisfy(\.isAccepted))
            #expect(MonotonicTime.now() - began >= .seconds(1))
            fixture.expectAcceptedOnce(0..<100)
        }
    }

    @Test func windowWaitsIfManyAnswersAreLate() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Faults([
                .init(.delay(by: .milliseconds(300)), .always, for: .tokens((50..<80).map { APNSFixture.token($0) }))
            ])
            let began = MonotonicTime.now()
            let window = try Self.window(Late())
            try await fixture.sendAll(window)
            // The last of them may leave, once the others have come.
            #expect(window.acceptedCount >= 95 && MonotonicTime.now() - began >= .milliseconds(300))
        }
    }

    @Test func lateRejectionHasItsReason() async throws {
        try await withFixture({ $0.mode = .acceptAll }) { fixture in
            var answers = QuickAnswers()
            answers.slowShare = 0.03
            answers.slowLatency = .milliseconds(500)
            answers.deferredShare = 0.8
            fixture.server.quickAnswers = answers
            let late = Late()
            let window = try Self.window(late)
            _ = await fixture.client.send(window)
            let places = window.places(.late)
            try #require(!places.isEmpty)
            let results = await late.results(of: places)
            #expect(results.keys.sorted() == places)
            let rejected = results.values.filter { !$0.isAccepted }
            #expect(!rejected.isEmpty && rejected.allSatisfy { $0.status == 429 })
            #expect(rejected.allSatisfy { ReasonTable.reason($0.reason) == .tooManyRequests })
        }
    }

    @Test func latePushIsUnknownWhenItsConnectionEnds() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Self.faults(.noAnswer(accepted: true), 7)
            let late = Late()
            let window = try Self.window(late)
            try await fixture.sendAll(window)
            #expect(window.places(.late).contains(7))
            await fixture.server.inject(.disconnect(accepted: true))
            #expect(await late.results(of: [7])[7]?.state == .connectionLost)
        }
    }

    @Test func latePushIsUnknownAfterItsDeadline() async throws {
        try await withFixture(options: { $0.requestDeadline = .seconds(1) }) { fixture in
            fixture.server.faults = Self.faults(.noAnswer(accepted: true), 7)
            let late = Late()
            let window = try Self.window(late)
            try await fixture.sendAll(window)
            #expect(window.places(.late).contains(7))
            // The peer answers others meanwhile.
            while true {
                let other = try APNSFixture.window(200..<201)
                try await fixture.sendAll(other)
                try await fixture.loop.sleep(for: .milliseconds(100))
                if fixture.server.record.counts.requests > 112 { break }
            }
            #expect(await late.results(of: [7])[7]?.state == .deadlinePassed)
        }
    }

    @Test func latePushAboveAGoAwayIsUnsent() async throws {
        try await withFixture { fixture in
            fixture.server.faults = Self.faults(.noAnswer(accepted: false), 99)
            let late = Late()
            let window = try Self.window(late)
            try await fixture.sendAll(window)
            #expect(window.places(.late).contains(99))
            // The stream of the last push is above the one before.
            await fixture.server.inject(.goAway(.init(lastStream: .number(197))))
            #expect(await late.results(of: [99])[99]?.state == .unsent)
        }
    }
}
