/// When a campaign is sent.
public enum Schedule: Hashable, Sendable {
    /// At a moment, in seconds since 1970, for all recipients.
    case at(Int)
    /// When the clock of each recipient's own zone shows the time. With `until`, an hour from 1 to 24, at the best time of
    /// each from then until that hour of the same day.
    case local(CivilTime, ifPast: LocalTimePolicy, until: Int? = nil)
    case recurring(Recurrence)
    /// Each call of the API starts a run.
    case triggered
}

extension Schedule {
    /// Whether each recipient gets it at the best time within a window.
    public var isAtBestTime: Bool {
        switch self {
        case .local(_, _, let until): until != nil
        case .recurring(let recurrence): if case .recipient(_, _?) = recurrence.clock { true } else { false }
        case .at, .triggered: false
        }
    }

    /// Whether it can start several runs.
    public var isRepeated: Bool {
        switch self {
        case .at, .local: false
        case .recurring, .triggered: true
        }
    }
}

/// The policy for zones where a local time is past when a run is planned.
public enum LocalTimePolicy: String, CaseIterable, Hashable, Sendable {
    /// Recipients in the zone are skipped.
    case skip
    /// They get it immediately.
    case send
    /// They get it on the next day at that time.
    case nextDay = "next_day"
}

/// A recurrence rule, its start, and the clock that it refers to.
public struct Recurrence: Hashable, Sendable {
    public enum Clock: Hashable, Sendable {
        /// The same clock for all, by its name in the tz database.
        case zone(String)
        /// Each recipient's own clock: each occurrence is sent at a local time, or until an hour at the best time of each.
        case recipient(ifPast: LocalTimePolicy, until: Int? = nil)
    }

    public var rule: RecurrenceRule
    /// The first day on which the rule can occur, and the time of day of all occurrences.
    public var start: CivilTime
    public var clock: Clock

    public init(rule: RecurrenceRule, start: CivilTime, clock: Clock) {
        self.rule = rule
        self.start = start
        self.clock = clock
    }
}

/// One sending of a schedule.
public enum Occurrence: Hashable, Sendable {
    /// In seconds since 1970, for all recipients.
    case at(Int)
    /// When the clock of each recipient's own zone shows the time, or with `until` at the best time of each between then
    /// and that hour.
    case local(CivilTime, ifPast: LocalTimePolicy, until: Int? = nil)

    /// Seconds east of UTC of the clocks that show a time first and last in the world.
    public static let offsets = -12 * 3_600...14 * 3_600

    /// Seconds between the first and the last clock that show a time.
    public static let span = offsets.upperBound - offsets.lowerBound

    /// When it is due in the first zone of the world; seconds since 1970.
    public var first: Int {
        switch self {
        case .at(let moment): moment
        case .local(let time, _, _): time.seconds - Self.offsets.upperBound
        }
    }

    /// When it is due in the last zone, without quiet hours.
    public var last: Int {
        switch self {
        case .at(let moment): moment
        case .local(let time, _, let until):
            time.seconds - Self.offsets.lowerBound + 3_600 * (until.map { max(0, $0 - 1 - time.hour) } ?? 0)
        }
    }

    /// The hours of the day at which a recipient may be due; nil: all have one time.
    public var bestHours: [Int]? {
        guard case .local(let time, _, let until?) = self, until > time.hour else { return nil }
        return Array(time.hour..<until)
    }

    /// The occurrence of a manual start: local times stay local to each recipient.
    public static func manual(_ schedule: Schedule?, at now: Int) -> Occurrence {
        guard case .local(let time, let ifPast, let until) = schedule else { return .at(now) }
        return .local(time, ifPast: ifPast, until: until)
    }

    /// When planning begins: `lead` seconds before the first recipient is due.
    public func planningStart(lead: Int) -> Int { first - lead }
}
