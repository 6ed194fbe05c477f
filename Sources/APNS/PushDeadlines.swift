import DequeModule
import EventLoop

/// Until when answers are waited for. Pushes that were submitted together share a deadline, so a thousand of them cost
/// one entry; as all deadlines are equally far, the entries are in their order.
struct PushDeadlines {
    struct Group: Equatable {
        let deadline: MonotonicTime
        let submitted: MonotonicTime
        /// The first push; the others follow it in its window, up to the place `end`.
        let first: PushTag
        let end: Int
    }

    private var groups: Deque<Group> = []

    mutating func add(_ group: Group) { groups.append(group) }

    /// The next group whose deadline has passed.
    mutating func popLate(at now: MonotonicTime) -> Group? {
        guard let group = groups.first, group.deadline <= now else { return nil }
        return groups.removeFirst()
    }

    mutating func removeAll() { groups.removeAll() }
}
