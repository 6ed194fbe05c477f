import EventLoop

/// The deadlines of a connection's two waits for its socket, with one timer for both.
///
/// The timer is set again only when it would fire too late: most waits end early, and the next one is longer.
struct WaitDeadlines {
    enum Side { case reading, writing }

    private var reading: MonotonicTime?
    private var writing: MonotonicTime?
    /// Nil while no timer is set.
    private var timer: MonotonicTime?

    /// Begins a wait. Returns the time to which the timer must be set, in place of the one that may be set; nil if that
    /// one is early enough.
    mutating func begin(_ side: Side, until deadline: MonotonicTime) -> MonotonicTime? {
        switch side {
        case .reading: reading = deadline
        case .writing: writing = deadline
        }
        if let timer, timer <= deadline { return nil }
        timer = deadline
        return deadline
    }

    mutating func end(_ side: Side) {
        switch side {
        case .reading: reading = nil
        case .writing: writing = nil
        }
    }

    /// Which waits are over because the timer fired, and to which time it must be set for the others.
    mutating func fired(at now: MonotonicTime) -> (reading: Bool, writing: Bool, next: MonotonicTime?) {
        let isReadingOver = reading.map { $0 <= now } ?? false
        let isWritingOver = writing.map { $0 <= now } ?? false
        if isReadingOver { reading = nil }
        if isWritingOver { writing = nil }
        timer = [reading, writing].compactMap { $0 }.min()
        return (isReadingOver, isWritingOver, timer)
    }
}
