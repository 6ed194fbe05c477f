/// Measures how late a loop is: a timer that fires late has waited for other work on the loop's thread.
///
/// It keeps the longest delay of the last quarter to half minute, so that several readers see the same. A loop that
/// stands still shows in the value, too.
public final class LoopLag: Sendable {
    static let interval = Duration.milliseconds(250)
    /// A maximum is taken over this time, and kept for the same time afterwards.
    static let period = Duration.seconds(15)

    struct State {
        /// When the timer fires next.
        var expected: MonotonicTime
        private var periodBegan: MonotonicTime
        private var longest = Duration.zero
        private var longestBefore = Duration.zero

        init(at now: MonotonicTime) {
            (expected, periodBegan) = (now, now)
        }

        /// The timer fired.
        mutating func fired(at now: MonotonicTime) {
            if now - periodBegan >= LoopLag.period {
                (longestBefore, longest) = (longest, .zero)
                periodBegan = now
            }
            longest = max(longest, now - expected)
            expected = now + LoopLag.interval
        }

        func value(at now: MonotonicTime) -> Duration { max(longest, longestBefore, now - expected, .zero) }
    }

    private let state = Lock(State(at: .now()))

    /// Measures until `loop` stops.
    public init(of loop: EventLoop) {
        loop.perform { self.tick(loop) }
    }

    public var value: Duration { state.withLock { $0.value(at: .now()) } }

    /// The timer must not keep a loop alive that nobody else uses.
    private func tick(_ loop: EventLoop) {
        let next = state.withLock { state in
            state.fired(at: .now())
            return state.expected
        }
        _ = loop.schedule(at: next) { [weak loop] in
            if let loop { self.tick(loop) }
        }
    }
}
