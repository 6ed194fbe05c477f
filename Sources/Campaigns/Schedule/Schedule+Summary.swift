public import JSON
import Notifications

extension Schedule {
    /// As in "every Monday and Thursday at 09:00, Europe/Berlin, until 2027-01-31". A moment is shown in
    /// `zone`, the app's time zone.
    public func summary(zone: String) -> String {
        switch self {
        case .at(let moment): "on \(Self.summary(moment, zone))"
        case .local(let time, let ifPast, nil):
            "on \(time.summary) in each recipient's time zone; where that time has passed, \(ifPast.summary)"
        case .local(let time, let ifPast, let until?):
            """
            on \(time.summary) until \(HourText.text(until)), at each recipient's best time; where that time has passed, \
            \(ifPast.summary)
            """
        case .recurring(let recurrence): recurrence.summary
        case .triggered: "each time the API is called"
        }
    }

    /// When one of its occurrences is due, as in "on Monday, 30 November 2026 at 18:00 (Europe/Berlin)", by the clock
    /// of the schedule's own zone or, when it has none, of `zone`.
    public func summary(of occurrence: Occurrence, zone: String) -> Message {
        switch occurrence {
        case .at(let moment): "on \(Self.summary(moment, ownZone ?? zone))"
        case .local(let time, _, nil): "on \(time.summary) in each recipient's time zone"
        case .local(let time, _, let until?):
            "on \(time.summary) until \(HourText.text(until)), at each recipient's best time"
        }
    }

    private var ownZone: String? {
        guard case .recurring(let recurrence) = self, case .zone(let name) = recurrence.clock else { return nil }
        return name
    }

    private static func summary(_ moment: Int, _ zone: String) -> String {
        let clock = ZoneClock(named: zone)
        guard let time = CivilTime(seconds: clock?.local(moment) ?? moment) else { return RFC3339.text(moment) }
        return "\(time.summary) (\(clock == nil ? "UTC" : zone))"
    }
}

extension LocalTimePolicy {
    /// As in "where that time has passed, …".
    fileprivate var summary: String {
        switch self {
        case .skip: "recipients are skipped"
        case .send: "immediately"
        case .nextDay: "on the next day"
        }
    }
}

extension Recurrence {
    fileprivate var summary: String {
        switch clock {
        case .zone(let name): rule.summary(from: start, clock: ", \(name)")
        case .recipient(let ifPast, let until):
            rule.summary(
                from: start,
                clock: until.map { " until \(HourText.text($0)), at each recipient's best time" }
                    ?? " in each recipient's time zone")
                + "; where that time has passed, \(ifPast.summary)"
        }
    }
}
