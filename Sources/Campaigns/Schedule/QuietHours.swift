public import Notifications

/// Hours on the recipient's clock in which no push should arrive. They may span midnight.
public struct QuietHours: Hashable, Sendable {
    public enum Policy: String, CaseIterable, Hashable, Sendable {
        /// Send when they end.
        case hold
        /// Skip recipients who are in quiet hours when the push is due.
        case skip
        /// Send anyway.
        case send
    }

    /// Minutes of the day, 0 to 1,439; the first that is quiet.
    public let from: Int
    /// The first that is not quiet any more; never `from`.
    public let to: Int
    public let policy: Policy

    /// Nil when `from` and `to` are the same or no minutes of a day.
    public init?(from: Int, to: Int, policy: Policy) {
        let day = 0..<1_440
        guard day.contains(from), day.contains(to), from != to else { return nil }
        self.from = from
        self.to = to
        self.policy = policy
    }
}

extension QuietHours {
    /// Whether the clock shows a quiet time.
    public func isQuiet(at moment: Int, on clock: ZoneClock) -> Bool { isQuiet(local: clock.local(moment)) }

    /// The quiet hours that contain `moment`, or the next ones. They follow the local clock: when it is set back, they
    /// are longer or occur twice; when it is set forward they are shorter or don't occur.
    public func window(containingOrAfter moment: Int, on clock: ZoneClock) -> Range<Int> {
        var start = moment - 2 * CivilTime.secondsPerDay
        if isQuiet(at: start, on: clock) { start = change(after: start, on: clock) }
        while true {
            let begin = change(after: start, on: clock)
            let end = change(after: begin, on: clock)
            if end > moment { return begin..<end }
            start = end
        }
    }

    /// When quiet hours begin or end next.
    func change(after moment: Int, on clock: ZoneClock) -> Int {
        let wasQuiet = isQuiet(at: moment, on: clock)
        var current = moment
        // Without a change of the clock, one step is enough.
        repeat {
            let offset = clock.offset(current)
            let next = current + secondsToBoundary(local: current + offset)
            current = clock.offset(next) == offset ? next : clock.change(after: current, upTo: next)
        } while isQuiet(at: current, on: clock) == wasQuiet
        return current
    }

    private func isQuiet(local: Int) -> Bool {
        let minute = (local - CivilDay.floorDivide(local, CivilTime.secondsPerDay) * CivilTime.secondsPerDay) / 60
        return from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }

    private func secondsToBoundary(local: Int) -> Int {
        [from, to].map { boundary in
            let rest = (boundary * 60 - local) % CivilTime.secondsPerDay
            return rest > 0 ? rest : rest + CivilTime.secondsPerDay
        }.min() ?? CivilTime.secondsPerDay
    }
}
