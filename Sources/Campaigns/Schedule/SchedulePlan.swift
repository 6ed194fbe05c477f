/// The time at which a scheduled campaign is examined next, and the occurrences that are still to be started.
public struct SchedulePlan {
    /// Seconds before the first zone in the world is due, when the recipients of a local time are planned together. Ten
    /// million devices take less than a minute.
    public static let lead = 600
    /// Seconds since 1970; the occurrences after it are to be started.
    public let handledUntil: Int
    /// Nil for a triggered schedule and for a rule that has ended.
    public let nextExaminedAt: Int?

    /// For a schedule that begins to count now. `begun` is the last occurrence in local time that the campaign has a
    /// run of: it may lie ahead, and is not started again.
    public init(_ schedule: Schedule, now: Int, begun: Occurrence?) throws(Refusal) {
        switch schedule {
        case .at(let moment):
            guard moment >= now - MissedStart.tolerance else { throw .schedulePast }
            self.init(schedule, handledUntil: min(now, moment) - 1)
        case .local(let time, let ifPast, let until):
            let occurrence = Occurrence.local(time, ifPast: ifPast, until: until)
            guard occurrence.last >= now else { throw .schedulePast }
            self.init(schedule, handledUntil: min(now, occurrence.first) - 1)
        case .recurring(let recurrence):
            self.init(schedule, handledUntil: recurrence.isLocal ? schedule.handled(by: now, begun: begun) : now)
            if nextExaminedAt == nil { throw .schedulePast }
        case .triggered: self.init(schedule, handledUntil: now)
        }
    }

    public init(_ schedule: Schedule, handledUntil: Int) {
        self.handledUntil = handledUntil
        nextExaminedAt = schedule.next(after: handledUntil)?.planningStart(lead: schedule.lead)
    }
}

extension Schedule {
    public var isRecurringInLocalTime: Bool {
        if case .recurring(let recurrence) = self { recurrence.isLocal } else { false }
    }

    /// A local time counts if it is in the future in any zone, unless it has begun.
    fileprivate func handled(by now: Int, begun: Occurrence?) -> Int {
        let earliest = max(now - Occurrence.span - 1, begun?.first ?? .min)
        guard let open = occurrences(after: earliest).first(where: { $0.last >= now }) else { return now }
        return max(min(now, open.first - 1), begun?.first ?? .min)
    }

    /// Seconds that a run begins before its first recipient is due.
    public var lead: Int {
        switch self {
        case .local: SchedulePlan.lead
        case .recurring(let recurrence): recurrence.isLocal ? SchedulePlan.lead : 0
        case .at, .triggered: 0
        }
    }
}

extension Recurrence {
    fileprivate var isLocal: Bool { if case .recipient = clock { true } else { false } }
}
