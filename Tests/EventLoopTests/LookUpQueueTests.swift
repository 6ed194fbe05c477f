import Testing

@testable import EventLoop

struct LookUpQueueTests {
    @Test func threadsAreStartedUpToTheMaximum() {
        var queue = LookUpQueue<String>(maximumThreads: 2)
        let needs = ["a", "b", "c", "d"].map { queue.add($0).needsThread }
        #expect(needs == [true, true, false, false])
        #expect(queue.running == 2)
    }

    @Test func threadTakesLookUpsInOrderAndEndsAfterTheLast() {
        var queue = LookUpQueue<String>(maximumThreads: 1)
        for job in ["a", "b", "c"] { _ = queue.add(job) }
        let taken = (0..<4).map { _ in queue.next() }
        #expect(taken == ["a", "b", "c", nil])
        #expect(queue.running == 0)
        let needsThread = queue.add("d").needsThread
        #expect(needsThread)
    }

    @Test func abandonedLookUpIsNeverTaken() {
        var queue = LookUpQueue<String>(maximumThreads: 1)
        let first = queue.add("a").ticket
        let second = queue.add("b").ticket
        _ = queue.add("c")
        #expect(queue.next() == "a")
        // A thread has it: it can't be taken away.
        #expect(queue.abandon(first) == nil)
        #expect(queue.abandon(second) == 1)
        #expect(queue.abandon(second) == nil)
        #expect(queue.next() == "c")
    }

    @Test func lookUpsFailOnlyIfNoThreadIsLeftForThem() {
        var queue = LookUpQueue<String>(maximumThreads: 2)
        _ = queue.add("a")
        _ = queue.add("b")
        #expect(queue.threadFailed() == [])
        #expect(queue.threadFailed() == ["a", "b"])
        #expect(queue.running == 0)
        #expect(queue.add("c").needsThread)
    }
}
