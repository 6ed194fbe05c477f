import Notifications

extension Schedule {
    /// The occurrences that begin after `moment`, the earliest first: a local time begins where the world's first clock
    /// shows it (`Occurrence.first`). None for what is triggered. An unknown zone is
    /// treated as UTC.
    public func occurrences(after moment: Int) -> AnySequence<Occurrence> {
        switch self {
        case .at(let due): AnySequence([Occurrence.at(due)].filter { $0.first > moment })
        case .local(let time, let ifPast, let until):
            AnySequence([Occurrence.local(time, ifPast: ifPast, until: until)].filter { $0.first > moment })
        case .triggered: AnySequence(EmptyCollection())
        case .recurring(let recurrence): recurrence.occurrences(after: moment)
        }
    }

    /// Nil if there are no more occurrences.
    public func next(after moment: Int) -> Occurrence? {
        occurrences(after: moment).first { _ in true }
    }

    public func next(_ count: Int, after moment: Int) -> [Occurrence] {
        Array(occurrences(after: moment).prefix(count))
    }
}

extension Recurrence {
    func occurrences(after moment: Int) -> AnySequence<Occurrence> {
        switch clock {
        case .zone(let name):
            let clock = ZoneClock(named: name) ?? ZoneClock(fixed: 0)
            return AnySequence(rule.occurrences(after: moment, from: start, on: clock).lazy.map { Occurrence.at($0) })
        case .recipient(let ifPast, let until):
            let offset = Occurrence.offsets.upperBound
            let begins = rule.occurrences(after: moment, from: start, on: ZoneClock(fixed: offset))
            return AnySequence(
                begins.lazy.compactMap { moment in
                    CivilTime(seconds: moment + offset).map {
                        Occurrence.local(
                            $0, ifPast: ifPast == .nextDay && recursNextDay(moment) ? .skip : ifPast, until: until)
                    }
                })
        }
    }

    /// Whether the next occurrence is on the next day, so that recipients who missed this one get only that.
    private func recursNextDay(_ moment: Int) -> Bool {
        let clock = ZoneClock(fixed: Occurrence.offsets.upperBound)
        let next = rule.occurrences(after: moment, from: start, on: clock).first { _ in true }
        return next.map { $0 - moment <= CivilTime.secondsPerDay } ?? false
    }
}
