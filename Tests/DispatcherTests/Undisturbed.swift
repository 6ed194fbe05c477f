import EventLoop
import Testing

extension Trait where Self == StallRetryTrait {
    /// For tests that measure time: one that fails while the machine stood still has measured that, and is done again.
    static func retriedAfterStalls(by gap: Duration) -> Self { StallRetryTrait(gap: gap) }
}

struct StallRetryTrait: TestTrait, SuiteTrait, TestScoping {
    /// The last of them counts whatever happens.
    private static let attempts = 4

    let gap: Duration
    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        for _ in 1..<Self.attempts {
            let heartbeat = try Heartbeat()
            defer { heartbeat.stop() }
            let isDisturbed = Lock(false)
            try await withKnownIssue("The machine stood still.", isIntermittent: true) {
                try await function()
            } matching: { _ in
                guard heartbeat.longestGap > gap else { return false }
                isDisturbed.withLock { $0 = true }
                return true
            }
            guard isDisturbed.withLock({ $0 }) else { return }
        }
        try await function()
    }
}

/// Knows for how long this process got no processor.
private final class Heartbeat: Sendable {
    private static let interval = Duration.milliseconds(10)

    private struct Beats {
        var last = MonotonicTime.now()
        var longestGap = Duration.zero
    }

    private let loop: EventLoop
    private let beats = Lock(Beats())

    init() throws {
        loop = try EventLoop(name: "heartbeat")
        loop.perform { self.beat() }
    }

    /// Beyond the interval; also one that lasts.
    var longestGap: Duration {
        beats.withLock { max($0.longestGap, .now() - $0.last - Self.interval) }
    }

    private func beat() {
        beats.withLock { beats in
            let now = MonotonicTime.now()
            beats.longestGap = max(beats.longestGap, now - beats.last - Self.interval)
            beats.last = now
        }
        _ = loop.schedule(after: Self.interval) { self.beat() }
    }

    func stop() { loop.stop() }
}
