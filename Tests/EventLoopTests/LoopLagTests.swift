import Testing

@testable import EventLoop

@Suite struct LoopLagTests {
    private let start = MonotonicTime.now()

    @Test func lateTimerIsSeenForAPeriodAndForgottenAfterTheNext() {
        var state = LoopLag.State(at: start)
        state.fired(at: start + .milliseconds(400))
        #expect(state.value(at: start + .milliseconds(500)) == .milliseconds(400))
        var seen: [Duration] = []
        while state.expected < start + LoopLag.period * 2 + .seconds(1) {
            state.fired(at: state.expected)
            seen.append(state.value(at: state.expected))
        }
        // Two seconds before the end of the second period, and at the end.
        #expect(seen[seen.count - 13] == .milliseconds(400))
        #expect(seen.last == .zero)
    }

    @Test func loopThatStandsStillShowsWithoutATimer() {
        var state = LoopLag.State(at: start)
        state.fired(at: start)
        #expect(state.value(at: start + LoopLag.interval) == .zero)
        #expect(state.value(at: start + LoopLag.interval + .seconds(7)) == .seconds(7))
    }
}
