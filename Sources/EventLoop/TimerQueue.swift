/// A priority queue of timers: a binary heap whose entries know their index, so that a cancelled timer is removed
/// immediately. A value without a clock.
struct TimerQueue {
    /// Identifies one timer until it has fired or was cancelled; afterwards it has no effect.
    struct Handle: Hashable, Sendable {
        fileprivate let slot: Int
        fileprivate let generation: UInt32
    }

    private struct Slot {
        var deadline = MonotonicTime(nanoseconds: 0)
        var generation: UInt32 = 0
        /// The index of this slot in the heap; -1 if the slot is free.
        var heapIndex = -1
        var body: (() -> Void)?
    }

    private var slots: [Slot] = []
    private var free: [Int] = []
    private var heap: [Int] = []

    var isEmpty: Bool { heap.isEmpty }
    var count: Int { heap.count }
    var nextDeadline: MonotonicTime? { heap.first.map { slots[$0].deadline } }

    mutating func add(deadline: MonotonicTime, _ body: @escaping () -> Void) -> Handle {
        let slot = free.popLast() ?? slots.endIndex
        if slot == slots.endIndex { slots.append(Slot()) }
        slots[slot].deadline = deadline
        slots[slot].body = body
        heap.append(slot)
        slots[slot].heapIndex = heap.endIndex - 1
        rise(from: heap.endIndex - 1)
        return Handle(slot: slot, generation: slots[slot].generation)
    }

    /// Returns the body, or nil if there was nothing to cancel. The caller releases the body, because the deinit of a
    /// captured object may use the queue, which is not possible inside this call.
    mutating func cancel(_ handle: Handle) -> (() -> Void)? {
        guard slots[handle.slot].generation == handle.generation, slots[handle.slot].heapIndex >= 0 else { return nil }
        let body = slots[handle.slot].body
        remove(at: slots[handle.slot].heapIndex)
        return body
    }

    /// The body of the earliest timer that is due, removed from the queue.
    mutating func popDue(at now: MonotonicTime) -> (() -> Void)? {
        guard let first = heap.first, slots[first].deadline <= now else { return nil }
        let body = slots[first].body
        remove(at: 0)
        return body
    }

    private mutating func remove(at heapIndex: Int) {
        let slot = heap[heapIndex]
        let last = heap.removeLast()
        if heapIndex < heap.endIndex {
            heap[heapIndex] = last
            slots[last].heapIndex = heapIndex
            rise(from: heapIndex)
            sink(from: slots[last].heapIndex)
        }
        slots[slot].body = nil
        slots[slot].heapIndex = -1
        slots[slot].generation &+= 1
        free.append(slot)
    }

    private mutating func rise(from start: Int) {
        var heapIndex = start
        while heapIndex > 0 {
            let parent = (heapIndex - 1) / 2
            guard isEarlier(heapIndex, than: parent) else { return }
            exchange(heapIndex, parent)
            heapIndex = parent
        }
    }

    private mutating func sink(from start: Int) {
        var heapIndex = start
        while true {
            var earliest = heapIndex
            for child in [2 * heapIndex + 1, 2 * heapIndex + 2]
            where child < heap.endIndex && isEarlier(child, than: earliest) {
                earliest = child
            }
            guard earliest != heapIndex else { return }
            exchange(heapIndex, earliest)
            heapIndex = earliest
        }
    }

    private func isEarlier(_ left: Int, than right: Int) -> Bool {
        slots[heap[left]].deadline < slots[heap[right]].deadline
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        slots[heap[left]].heapIndex = left
        slots[heap[right]].heapIndex = right
    }
}
