/// When a campaign is sent.
public enum Schedule: Hashable, Sendable {
    /// At a moment, in seconds since 1970: everywhere at once.
    case at(Int)
    /// When the clock of each recipient's own zone shows the time.
    case local(CivilTime, ifPast: LocalTimePolicy)
    case recurring(Recurrence)
    /// Each call of the API starts a run.
    case triggered
}

/// What to do for zones where a local time is past when a run is planned.
public enum LocalTimePolicy: String, CaseIterable, Hashable, Sendable {
    /// Nobody there gets it.
    case skip
    /// They get it at once.
    case send
    /// They get it when their clock shows the time next.
    case nextDay = "next_day"
}

/// A rule, its start, and whose clock is meant.
public struct Recurrence: Hashable, Sendable {
    public enum Clock: Hashable, Sendable {
        /// One for all, by its name in the tz database.
        case zone(String)
        /// Each recipient's own: each occurrence is a sending in local time.
        case recipient(ifPast: LocalTimePolicy)
    }

    public var rule: RecurrenceRule
    /// The first day that may be one of the rule's, and the time of day of all.
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
    /// In seconds since 1970: everywhere at once.
    case at(Int)
    /// When the clock of each recipient's own zone shows the time.
    case local(CivilTime, ifPast: LocalTimePolicy)

    /// Seconds east of UTC of the clocks that show a time first and last in the world.
    public static let offsets = -12 * 3_600...14 * 3_600

    /// Seconds between the first and the last clock that show a time.
    public static let span = offsets.upperBound - offsets.lowerBound

    /// When it is due in the first zone of the world; seconds since 1970.
    public var first: Int {
        switch self {
        case .at(let moment): moment
        case .local(let time, _): time.seconds - Self.offsets.upperBound
        }
    }

    /// When it is due in the last, where nothing holds it.
    public var last: Int {
        switch self {
        case .at(let moment): moment
        case .local(let time, _): time.seconds - Self.offsets.lowerBound
        }
    }

    /// What starting by hand is: local times stay each recipient's own.
    public static func byHand(_ schedule: Schedule?, at now: Int) -> Occurrence {
        if case .local(let time, let ifPast) = schedule { .local(time, ifPast: ifPast) } else { .at(now) }
    }

    /// When planning must begin to be `lead` seconds ahead of the first who is due.
    public func planningStart(lead: Int) -> Int { first - lead }
}
