/// Deadlines in order: a binary heap whose entries know their place, so that a cancelled timer
/// leaves at once and does not wait for its deadline. A value without a clock.
struct TimerQueue {
    /// Names one timer until it has fired or was cancelled; afterwards it names nothing.
    struct Handle: Hashable, Sendable {
        fileprivate let slot: Int
        fileprivate let generation: UInt32
    }

    private struct Slot {
        var deadline = MonotonicTime(nanoseconds: 0)
        var generation: UInt32 = 0
        /// Where the heap holds this slot; -1 when it is free.
        var place = -1
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
        slots[slot].place = heap.endIndex - 1
        rise(from: heap.endIndex - 1)
        return Handle(slot: slot, generation: slots[slot].generation)
    }

    /// Returns the body, or nil when there was nothing to cancel: what it has captured must not die
    /// in here, where its deinit could not reach the queue.
    mutating func cancel(_ handle: Handle) -> (() -> Void)? {
        guard slots[handle.slot].generation == handle.generation, slots[handle.slot].place >= 0 else { return nil }
        let body = slots[handle.slot].body
        remove(at: slots[handle.slot].place)
        return body
    }

    /// The body of the earliest timer that is due, removed from the queue.
    mutating func popDue(at now: MonotonicTime) -> (() -> Void)? {
        guard let first = heap.first, slots[first].deadline <= now else { return nil }
        let body = slots[first].body
        remove(at: 0)
        return body
    }

    private mutating func remove(at place: Int) {
        let slot = heap[place]
        let last = heap.removeLast()
        if place < heap.endIndex {
            heap[place] = last
            slots[last].place = place
            rise(from: place)
            sink(from: slots[last].place)
        }
        slots[slot].body = nil
        slots[slot].place = -1
        slots[slot].generation &+= 1
        free.append(slot)
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard isEarlier(place, than: parent) else { return }
            exchange(place, parent)
            place = parent
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var earliest = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.endIndex && isEarlier(child, than: earliest) {
                earliest = child
            }
            guard earliest != place else { return }
            exchange(place, earliest)
            place = earliest
        }
    }

    private func isEarlier(_ left: Int, than right: Int) -> Bool {
        slots[heap[left]].deadline < slots[heap[right]].deadline
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        slots[heap[left]].place = left
        slots[heap[right]].place = right
    }
}
