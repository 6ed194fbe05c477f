import Notifications

extension TimingRules {
    /// The days that conditions about days mean by "today". A campaign in local time means the day on which the push is
    /// due, by each recipient's clock. Any other means the day of its schedule by the clock of `calendarZone`, or of
    /// `defaultZone` without one: the same day for all, except for those whom quiet hours hold until another.
    ///
    /// `table` has the timings by these rules; nil when all recipients are due together.
    public func days(_ table: PlanTimings?, defaultZone: String, calendarZone: String?) -> AudienceDays {
        let standard = ZoneClock(named: defaultZone) ?? ZoneClock(fixed: 0)
        let calendar = calendarZone.flatMap { ZoneClock(named: $0) } ?? standard
        guard let table else { return AudienceDays(day(of: timing(on: standard), on: standard, calendar)) }
        var days = AudienceDays(day(of: table.timing(of: nil), on: standard, calendar))
        for (index, zone) in table.zones.enumerated() {
            let clock = ZoneClock(named: zone) ?? standard
            days.set(day(of: table.timing(of: index), on: clock, calendar), in: zone)
        }
        return days
    }

    private func day(of timing: ZoneTiming, on clock: ZoneClock, _ calendar: ZoneClock) -> CivilDay {
        switch (occurrence, timing.verdict) {
        case (.local, _): clock.day(of: timing.dueAt)
        case (.at, .held): calendar.day(of: timing.dueAt)
        case (.at(let moment), .send), (.at(let moment), .suppressed): calendar.day(of: moment)
        }
    }
}

extension Occurrence {
    /// The same occurrence of a run that starts at `moment`, if that is later than a time that is the same for all.
    public func notBefore(_ moment: Int) -> Occurrence {
        if case .at(let due) = self { .at(max(due, moment)) } else { self }
    }
}

extension Schedule {
    /// The time zone of its clock, if it has one of its own.
    public var zone: String? {
        if case .recurring(let recurrence) = self, case .zone(let name) = recurrence.clock { name } else { nil }
    }
}
