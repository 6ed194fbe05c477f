import APNS
import EventLoop
import Testing

@testable import Dispatcher

struct FlushStateTests {
    /// Every sequence of this many events is played.
    private static let length = 10

    /// All orders of answers, losses, late arrivals and takeovers, against a model of the row.
    @Test func everyOrderOfEventsKeepsTheInvariants() {
        var played = 0
        func play(_ world: Harness, _ depth: Int) {
            played += 1
            guard depth < Self.length else { return }
            for event in Harness.Event.allCases {
                var next = world
                guard next.apply(event) else { continue }
                next.check(after: event, since: world)
                play(next, depth + 1)
            }
        }
        play(Harness(), 0)
        // The tree is neither empty nor cut off.
        #expect(played > 1_000)
    }

    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func state() -> FlushState { FlushState(attempt: 3, flushSequence: 7, claimBegan: start) }

    @Test func oneFlushAtATime() {
        var state = state()
        let first = [state.begin(at: start), state.begin(at: start)]
        #expect(first == [8, nil])
        state.interrupted()
        let ambiguous = state.begin(at: start)
        #expect(ambiguous == nil)
        var verdict = state.reread((3, 7))
        #expect(verdict == .flushAgain)
        let again = state.begin(at: start)
        #expect(again == 8)
        verdict = state.answered(isStored: true)
        #expect(verdict == .stored)
        let next = state.begin(at: start)
        #expect(next == 9)
    }

    @Test func rowThatIsGoneOrAheadIsLost() {
        for row in [nil, (attempt: Int32(4), flushSequence: Int32(8)), (3, 6), (3, 9), (2, 7)] {
            var state = state()
            _ = state.begin(at: start)
            state.interrupted()
            let verdict = state.reread(row)
            #expect(verdict == .lost)
            let next = state.begin(at: start)
            #expect(next == nil)
        }
    }

    @Test func sendDeadlineIsLeaseMinusDeadlineAndMargin() {
        var state = state()
        var options = DispatcherOptions()
        options.lease = .seconds(60)
        options.apns.requestDeadline = .seconds(20)
        options.margin = .seconds(5)
        func end() -> MonotonicTime { state.lease.sendDeadline(options) }
        #expect(end() == start + .seconds(35))
        _ = state.begin(at: start + .seconds(10))
        #expect(end() == start + .seconds(35))
        _ = state.answered(isStored: true)
        #expect(end() == start + .seconds(45))
    }
}

/// A holder with its state, the row it holds, and what is between them.
private struct Harness {
    enum Event: CaseIterable {
        case begin
        /// The flush reaches the row, and the answer the holder.
        case answered
        /// The flush reaches the row, and the answer is lost.
        case answerLost
        /// The connection is lost first; the flush may still reach the row later.
        case flushLost
        /// A flush that was believed lost reaches the row.
        case lateArrival
        case reread
        /// The lease is over, and another process takes the batch.
        case takeover
        /// The other process gives the batch back, and it is nobody's.
        case release
    }

    private struct Flush {
        let sequence: Int32
        let afterTakeover: Bool
    }

    private static let attempt: Int32 = 3
    private static let first: Int32 = 7

    var state = FlushState(
        attempt: attempt, flushSequence: first, claimBegan: MonotonicTime(nanoseconds: 1_000))
    private var now = MonotonicTime(nanoseconds: 1_000)
    private var begun = MonotonicTime(nanoseconds: 1_000)
    private var lastSequence: Int32?
    private var rowAttempt = attempt
    private var rowSequence = first
    private var isOurs = true
    /// Numbers that our attempt has stored.
    private var stored: Set<Int32> = [first]
    private var underWay: Flush?
    private var late: [Flush] = []
    private var wasTakenOver = false
    private var verdict: FlushState.Verdict?
    /// The flush that the last verdict was about began after the takeover.
    private var isAboutLateFlush = false

    /// False where the event cannot happen.
    mutating func apply(_ event: Event) -> Bool {
        now = now + .milliseconds(1)
        verdict = nil
        switch event {
        case .begin:
            guard state.phase == .idle, let sequence = state.begin(at: now) else { return false }
            // A number that is sent again may be stored by the statement that was sent first.
            if sequence != lastSequence { begun = now }
            lastSequence = sequence
            underWay = Flush(sequence: sequence, afterTakeover: wasTakenOver)
        case .answered:
            guard let flush = takeUnderWay() else { return false }
            verdict = state.answered(isStored: reachRow(flush))
        case .answerLost:
            guard let flush = takeUnderWay() else { return false }
            _ = reachRow(flush)
            state.interrupted()
        case .flushLost:
            guard let flush = takeUnderWay() else { return false }
            late.append(flush)
            state.interrupted()
        case .lateArrival:
            guard let flush = late.popLast() else { return false }
            _ = reachRow(flush)
        case .reread:
            guard state.phase == .ambiguous else { return false }
            verdict = state.reread(isOurs ? (rowAttempt, rowSequence) : nil)
        case .takeover:
            guard !wasTakenOver else { return false }
            wasTakenOver = true
            (rowAttempt, isOurs) = (rowAttempt + 1, false)
        case .release:
            guard wasTakenOver, rowAttempt == Self.attempt + 1 else { return false }
            // Taken again, by the same process under a new attempt.
            (rowAttempt, isOurs) = (rowAttempt + 1, true)
        }
        return true
    }

    private mutating func takeUnderWay() -> Flush? {
        guard state.phase == .flushing, let flush = underWay else { return nil }
        underWay = nil
        isAboutLateFlush = flush.afterTakeover
        return flush
    }

    /// The UPDATE and its condition.
    private mutating func reachRow(_ flush: Flush) -> Bool {
        guard isOurs, rowAttempt == Self.attempt, rowSequence == flush.sequence - 1 else { return false }
        rowSequence = flush.sequence
        stored.insert(flush.sequence)
        return true
    }

    func check(after event: Event, since before: Harness) {
        // Never believes stored what is not.
        #expect(stored.contains(state.stored))
        #expect(state.stored <= rowSequence)
        // The number only grows, by one, and only by a verdict.
        #expect(state.stored == before.state.stored + (verdict == .stored ? 1 : 0))
        // The lease counts anew from the first begin of a confirmed number, and from nothing else.
        #expect(state.lease.began == (verdict == .stored ? begun : before.state.lease.began))
        #expect(state.lease.began >= before.state.lease.began)
        // A flush begun after another took over is never taken for stored, and nothing follows a loss.
        if verdict == .stored { #expect(!isAboutLateFlush) }
        if before.state.phase == .lost { #expect(state.phase == .lost) }
        if event == .reread && wasTakenOver { #expect(verdict == .lost) }
        #expect((verdict == .lost) == (state.phase == .lost && before.state.phase != .lost))
    }
}
