import EventLoop
import Testing

@testable import HTTPServer

@Suite struct WaitDeadlinesTests {
    private func at(_ seconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds) * 1_000_000_000) }

    @Test func timerIsSetOnlyIfItWouldFireTooLate() {
        var deadlines = WaitDeadlines()
        #expect(deadlines.begin(.reading, until: at(10)) == at(10))
        #expect(deadlines.begin(.writing, until: at(20)) == nil)
        #expect(deadlines.begin(.writing, until: at(5)) == at(5))
        deadlines.end(.writing)
        #expect(deadlines.begin(.reading, until: at(30)) == nil)
    }

    @Test func firedTimerEndsTheWaitsThatAreOver() {
        var deadlines = WaitDeadlines()
        _ = deadlines.begin(.reading, until: at(10))
        _ = deadlines.begin(.writing, until: at(20))
        let first = deadlines.fired(at: at(10))
        #expect(first.reading && !first.writing && first.next == at(20))
        let second = deadlines.fired(at: at(21))
        #expect(!second.reading && second.writing && second.next == nil)
        // No timer is set now.
        #expect(deadlines.begin(.reading, until: at(40)) == at(40))
    }

    @Test func timerOfAnEndedWaitServesTheNextOne() {
        var deadlines = WaitDeadlines()
        _ = deadlines.begin(.reading, until: at(10))
        deadlines.end(.reading)
        #expect(deadlines.begin(.reading, until: at(15)) == nil)
        let fired = deadlines.fired(at: at(10))
        #expect(!fired.reading && !fired.writing && fired.next == at(15))
    }

    @Test func timerWithoutAWaitIsNotSetAgain() {
        var deadlines = WaitDeadlines()
        _ = deadlines.begin(.reading, until: at(10))
        deadlines.end(.reading)
        let fired = deadlines.fired(at: at(10))
        #expect(!fired.reading && !fired.writing && fired.next == nil)
    }
}
