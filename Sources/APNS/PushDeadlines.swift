import DequeModule
import EventLoop

/// The deadlines for answers. Pushes that were submitted together share a deadline, so a thousand of them cost
/// one entry. Every push has the same time limit, so the entries are in the order of their deadlines.
struct PushDeadlines {
    struct Group: Equatable {
        let deadline: MonotonicTime
        let submitted: MonotonicTime
        /// The first push; the others follow it in its window, up to the index `end`, exclusive.
        let first: PushTag
        let end: Int
    }

    private var groups: Deque<Group> = []

    mutating func add(_ group: Group) { groups.append(group) }

    /// The next group whose deadline has passed.
    mutating func popExpired(at now: MonotonicTime) -> Group? {
        guard let group = groups.first, group.deadline <= now else { return nil }
        return groups.removeFirst()
    }

    /// The deadline of a push that waits for its answer.
    func deadline(of tag: PushTag) -> MonotonicTime? {
        // It was submitted lately.
        groups.last { tag.rawValue >= $0.first.rawValue && tag.rawValue < $0.first.with(index: $0.end).rawValue }?
            .deadline
    }

    mutating func removeAll() { groups.removeAll() }
}
