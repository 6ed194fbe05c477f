import Notifications

extension Schedule {
    /// As in "every Monday and Thursday at 09:00, Europe/Berlin, until 2027-01-31". A moment is told by the clock of
    /// `zone`, the app's own.
    public func words(zone: String) -> String {
        switch self {
        case .at(let moment): "on \(Self.words(moment, zone))"
        case .local(let time, let ifPast):
            "on \(time.words) in each recipient's time zone; where that is past, \(ifPast.words)"
        case .recurring(let recurrence): recurrence.words
        case .triggered: "each time the API is called"
        }
    }

    /// When one of its occurrences is due, as in "on Monday, 30 November 2026 at 18:00 (Europe/Berlin)", by the clock of
    /// the schedule's own zone or, when it has none, of `zone`.
    public func words(of occurrence: Occurrence, zone: String) -> String {
        switch occurrence {
        case .at(let moment): "on \(Self.words(moment, ownZone ?? zone))"
        case .local(let time, _): "on \(time.words) in each recipient's time zone"
        }
    }

    private var ownZone: String? {
        guard case .recurring(let recurrence) = self, case .zone(let name) = recurrence.clock else { return nil }
        return name
    }

    private static func words(_ moment: Int, _ zone: String) -> String {
        let clock = ZoneClock(named: zone)
        guard let time = CivilTime(seconds: clock?.local(moment) ?? moment) else { return RFC3339.text(moment) }
        return "\(time.words) (\(clock == nil ? "UTC" : zone))"
    }
}

extension LocalTimePolicy {
    /// As in "where that is past, …".
    fileprivate var words: String {
        switch self {
        case .skip: "nobody gets it"
        case .send: "at once"
        case .nextDay: "on the next day"
        }
    }
}

extension Recurrence {
    fileprivate var words: String {
        switch clock {
        case .zone(let name): rule.words(from: start, clock: ", \(name)")
        case .recipient(let ifPast):
            rule.words(from: start, clock: " in each recipient's time zone") + "; where that is past, \(ifPast.words)"
        }
    }
}
