import TestSupport
import Testing

@testable import EventLoop

struct TimerQueueTests {
    /// The reference for the heap: a list that is searched linearly.
    private struct NaiveQueue {
        var timers: [(id: Int, deadline: Int64)] = []

        mutating func remove(_ id: Int) -> Bool {
            guard let index = timers.firstIndex(where: { $0.id == id }) else { return false }
            timers.remove(at: index)
            return true
        }

        var earliest: Int64? { timers.map(\.deadline).min() }
    }

    /// `(1 << range)` deadlines: few give many equal ones.
    @Test(arguments: [3, 10, 40])
    func agreesWithASortedListOverRandomUse(range: Int) {
        var random = SeededGenerator(seed: UInt64(range))
        var queue = TimerQueue()
        var naive = NaiveQueue()
        var handles: [TimerQueue.Handle] = []
        var fired: [Int] = []

        for _ in 0..<3_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let id = handles.count
                let deadline = Int64.random(in: 0..<(1 << range), using: &random)
                handles.append(queue.add(deadline: MonotonicTime(nanoseconds: deadline)) { fired.append(id) })
                naive.timers.append((id, deadline))
            case 5..<7:
                // Any handle so far: most of them have fired or were cancelled already.
                guard let id = handles.indices.randomElement(using: &random) else { continue }
                let wasWaiting = naive.remove(id)
                let cancelled = queue.cancel(handles[id])
                #expect((cancelled != nil) == wasWaiting)
            case 7..<9:
                guard let earliest = naive.earliest else {
                    let due = queue.popDue(at: MonotonicTime(nanoseconds: .max))
                    #expect(due == nil)
                    continue
                }
                queue.popDue(at: MonotonicTime(nanoseconds: earliest))?()
                guard let id = fired.popLast() else {
                    Issue.record("nothing was due at \(earliest)")
                    return
                }
                #expect(naive.timers.first { $0.id == id }?.deadline == earliest)
                let wasKnown = naive.remove(id)
                #expect(wasKnown)
            default:
                if let earliest = naive.earliest {
                    let due = queue.popDue(at: MonotonicTime(nanoseconds: earliest - 1))
                    #expect(due == nil)
                }
            }
            #expect(queue.count == naive.timers.count)
            #expect(queue.isEmpty == naive.timers.isEmpty)
            #expect(queue.nextDeadline?.nanoseconds == naive.earliest)
        }
    }

    @Test func aHandleOfAFiredTimerDoesNotCancelTheNextOneInItsSlot() {
        var queue = TimerQueue()
        let first = queue.add(deadline: MonotonicTime(nanoseconds: 1)) {}
        _ = queue.popDue(at: MonotonicTime(nanoseconds: 1))
        _ = queue.add(deadline: MonotonicTime(nanoseconds: 2)) {}

        let cancelled = queue.cancel(first)
        #expect(cancelled == nil)
        #expect(queue.count == 1)
    }
}
