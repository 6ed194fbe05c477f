import DequeModule

/// The windows on one connection: those with pushes to submit, and those that wait for answers. A value: it says when
/// a window goes back to its sender, and the connection does it.
struct ActiveWindows<Sender> {
    struct Active {
        let window: PushWindow
        fileprivate let sender: Sender
        /// The first push that was not looked at yet.
        var next = 0
        var inFlight = 0
    }

    private var slots: [Active?] = []
    private var generations: [Int] = []
    /// Slots with pushes to submit, in the order of their coming.
    private var waiting: Deque<Int> = []
    /// Windows here that want Apple's unique ids. Without any, nobody looks for them in the answers.
    private var keepers = 0

    var hasRoom: Bool { slots.count { $0 != nil } < PushTag.slots }
    var keepsUniqueIDs: Bool { keepers > 0 }
    /// Pushes that have not been submitted yet.
    var backlog: Int { slots.reduce(0) { $0 + ($1.map { $0.window.count - $0.next } ?? 0) } }
    /// Whose turn it is to submit.
    var firstWaiting: Int? { waiting.first }

    /// The window waits for its turn. There must be room.
    mutating func add(_ window: PushWindow, sender: Sender) {
        let slot = slots.firstIndex { $0 == nil } ?? slots.endIndex
        precondition(slot < PushTag.slots, "no room for another window")
        if slot == slots.endIndex {
            slots.append(nil)
            generations.append(0)
        }
        slots[slot] = Active(window: window, sender: sender)
        waiting.append(slot)
        if window.keepsUniqueIDs { keepers += 1 }
    }

    subscript(slot: Int) -> Active? {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    func tag(_ slot: Int, _ index: Int) -> PushTag {
        PushTag(generation: generations[slot], slot: slot, index: index)
    }

    /// Nil when the window has gone back to its sender.
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

    // MARK: What sends a window back

    /// The window whose turn it was has nothing more to submit.
    mutating func submittedAll() -> Sender? {
        waiting.popFirst().flatMap { finishIfDone($0) }
    }

    /// A push is not in flight any more.
    mutating func released(_ tag: PushTag) -> Sender? {
        slots[tag.slot]?.inFlight -= 1
        // Looked at in place: a copy of the slot would hold its window, for each push.
        guard slots[tag.slot]?.inFlight == 0 else { return nil }
        return finishIfDone(tag.slot)
    }

    /// Windows that would submit more, and may not: what is in flight is still waited for.
    mutating func stopWaiting(where isStuck: (PushWindow) -> Bool) -> [Sender] {
        guard !waiting.isEmpty else { return [] }
        let stuck = waiting.filter { slots[$0].map { isStuck($0.window) } ?? true }
        waiting.removeAll { stuck.contains($0) }
        return stuck.compactMap { finishIfDone($0) }
    }

    /// All windows, whatever is in flight: `end` settles each.
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
        if active.window.keepsUniqueIDs { keepers -= 1 }
        return active.sender
    }
}
