import DequeModule
import EventLoop

/// The windows on one connection: those with pushes to submit, and those that wait for answers. A value type: it
/// decides when a window is returned to its sender, and the connection returns it.
struct ActiveWindows<Sender> {
    struct Active {
        let window: PushWindow
        fileprivate let sender: Sender
        /// The first push that was not considered yet.
        var next = 0
        var inFlight = 0
        /// The time at which nearly all pushes were answered.
        fileprivate var nearlyDoneSince: MonotonicTime?
    }

    private var slots: [Active?] = []
    private var generations: [Int] = []
    /// Slots with pushes to submit, in the order in which they were added.
    private var waiting: Deque<Int> = []
    /// The number of windows that record Apple's unique ids. If it is 0, answers are not searched for them.
    private var recordingWindows = 0

    var hasRoom: Bool { slots.count { $0 != nil } < PushTag.slots }
    var recordsUniqueIDs: Bool { recordingWindows > 0 }
    /// Pushes that have not been submitted yet.
    var backlog: Int { slots.reduce(0) { $0 + ($1.map { $0.window.count - $0.next } ?? 0) } }
    /// The slot whose turn it is to submit.
    var firstWaiting: Int? { waiting.first }

    /// Adds a window, which waits for its turn. Requires `hasRoom`.
    mutating func add(_ window: PushWindow, sender: Sender) {
        let slot = slots.firstIndex { $0 == nil } ?? slots.endIndex
        precondition(slot < PushTag.slots, "no room for another window")
        if slot == slots.endIndex {
            slots.append(nil)
            generations.append(0)
        }
        slots[slot] = Active(window: window, sender: sender)
        waiting.append(slot)
        if window.recordsUniqueIDs { recordingWindows += 1 }
    }

    subscript(slot: Int) -> Active? {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    func tag(_ slot: Int, _ index: Int) -> PushTag {
        PushTag(generation: generations[slot], slot: slot, index: index)
    }

    /// Nil if the window was returned to its sender.
    func window(of tag: PushTag) -> PushWindow? {
        let slot = tag.slot
        guard tag.rawValue >= 0, slot < slots.count, generations[slot] == tag.generation else { return nil }
        return slots[slot]?.window
    }

    /// The tag of the push in flight on this stream.
    func tag(inFlightOn stream: Int32) -> PushTag? {
        for (slot, active) in slots.enumerated() {
            guard let window = active?.window else { continue }
            for index in 0..<window.count
            where window.items[index].stream == stream && window.results[index].state == .inFlight {
                return tag(slot, index)
            }
        }
        return nil
    }

    // MARK: Late answers

    /// Slots of windows whose pushes may leave: all are submitted, and at most one in `lateShare` is not answered, or
    /// only one.
    func nearlyDone(lateShare: Int) -> [Int] {
        slots.indices.filter { slot in
            guard let active = slots[slot], active.inFlight > 0, active.next == active.window.count
            else { return false }
            return active.window.late != nil && active.inFlight <= max(1, active.window.count / lateShare)
        }
    }

    func nearlyDoneSince(_ slot: Int) -> MonotonicTime? { slots[slot]?.nearlyDoneSince }
    mutating func noteNearlyDone(_ slot: Int, at now: MonotonicTime) { slots[slot]?.nearlyDoneSince = now }

    // MARK: Returning windows

    /// The window whose turn it was has nothing more to submit.
    mutating func finishSubmitting() -> Sender? {
        waiting.popFirst().flatMap { finishIfDone($0) }
    }

    /// A push is no longer in flight.
    mutating func released(_ tag: PushTag) -> Sender? {
        slots[tag.slot]?.inFlight -= 1
        // No copy of the slot: it would retain the window once per push.
        guard slots[tag.slot]?.inFlight == 0 else { return nil }
        return finishIfDone(tag.slot)
    }

    /// Stops submitting for the windows that `isStuck` selects; pushes in flight are still waited for.
    mutating func stopWaiting(where isStuck: (PushWindow) -> Bool) -> [Sender] {
        guard !waiting.isEmpty else { return [] }
        let stuck = waiting.filter { slots[$0].map { isStuck($0.window) } ?? true }
        waiting.removeAll { stuck.contains($0) }
        return stuck.compactMap { finishIfDone($0) }
    }

    /// Returns all windows, even with pushes in flight: `end` resolves those of each window.
    mutating func endAll(_ end: (PushWindow) -> Void) -> [Sender] {
        waiting.removeAll()
        return slots.indices.compactMap { slot in
            guard let active = slots[slot] else { return nil }
            end(active.window)
            return finish(slot)
        }
    }

    private mutating func finishIfDone(_ slot: Int) -> Sender? {
        guard let active = slots[slot], active.inFlight == 0 else { return nil }
        if active.next < active.window.count && waiting.contains(slot) { return nil }
        return finish(slot)
    }

    private mutating func finish(_ slot: Int) -> Sender? {
        guard let active = slots[slot] else { return nil }
        slots[slot] = nil
        generations[slot] += 1
        if active.window.recordsUniqueIDs { recordingWindows -= 1 }
        return active.sender
    }
}
