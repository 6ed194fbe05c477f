import Notifications

extension RecurrenceRule {
    private static let lastDay = CivilDay(year: lastYear, month: 12, day: 31).number

    /// The days of the rule by their numbers, from the first that is not before `first`, until the rule or `lastYear`
    /// ends. The start is one of them only if it matches the rule.
    ///
    /// A search takes one step a day and skips what lies between the intervals: some 80,000 steps at most.
    func days(from start: CivilDay, notBefore first: Int = .min) -> some Sequence<Int> {
        let isCounted = if case .count = end { true } else { false }
        let begin = isCounted ? start.number : max(first, start.number)
        let all = sequence(state: (next: begin, count: 0)) { state -> Int? in
            if case .count(let count) = end, state.count >= count { return nil }
            guard let day = firstDay(onOrAfter: state.next, from: start) else { return nil }
            if case .day(let last) = end, day > last.number { return nil }
            state = (day + 1, state.count + 1)
            return day
        }
        return all.lazy.drop { $0 < first }
    }

    private func firstDay(onOrAfter number: Int, from start: CivilDay) -> Int? {
        var number = number
        while number <= Self.lastDay {
            let day = CivilDay(number: number)
            let gap = daysToInterval(day, from: start)
            if gap == 0, shows(day, from: start) { return number }
            number += max(gap, 1)
        }
        return nil
    }

    /// 0 on a day of a week or month that the interval includes; otherwise the number of days that can be skipped.
    private func daysToInterval(_ day: CivilDay, from start: CivilDay) -> Int {
        switch frequency {
        case .daily:
            let rest = (day.number - start.number) % interval
            return rest == 0 ? 0 : interval - rest
        case .weekly:
            let week = weekBegin(day)
            let rest = (week - weekBegin(start)) / 7 % interval
            return rest == 0 ? 0 : week + 7 * (interval - rest) - day.number
        case .monthly:
            let month = day.year * 12 + day.month - 1
            let rest = (month - (start.year * 12 + start.month - 1)) % interval
            guard rest != 0 else { return 0 }
            let next = month + interval - rest
            return CivilDay(year: next / 12, month: next % 12 + 1, day: 1).number - day.number
        }
    }

    private func weekBegin(_ day: CivilDay) -> Int {
        day.number - (day.weekday - weekStart.rawValue + 7) % 7
    }

    private func shows(_ day: CivilDay, from start: CivilDay) -> Bool {
        guard allows(day) else { return false }
        guard weekdays.isEmpty, monthDays.isEmpty else { return true }
        // The start sets the day.
        switch frequency {
        case .daily: return true
        case .weekly: return day.weekday == start.weekday
        case .monthly: return day.day == start.day
        }
    }

    /// Whether all parts allow the day, regardless of the interval.
    private func allows(_ day: CivilDay) -> Bool {
        let length = CivilDay.longest(month: day.month, year: day.year)
        return (months.isEmpty || months.contains(day.month))
            && (monthDays.isEmpty || monthDays.contains { ($0 > 0 ? $0 : length + 1 + $0) == day.day })
            && (weekdays.isEmpty || weekdays.contains { $0.shows(day, lengthOfMonth: length) })
    }

    /// Whether any day is allowed. Within 28 years, each day of the year falls on each weekday, including leap days.
    var canOccur: Bool {
        let first = CivilDay(year: 2_001, month: 1, day: 1).number
        return (first..<first + 28 * 366).contains { allows(CivilDay(number: $0)) }
    }
}

extension RecurrenceRule.WeekdayOfMonth {
    fileprivate func shows(_ day: CivilDay, lengthOfMonth: Int) -> Bool {
        guard day.weekday == weekday.rawValue else { return false }
        guard let ordinal else { return true }
        return ordinal > 0 ? day.weekdayOrdinal == ordinal : (lengthOfMonth - day.day) / 7 + 1 == -ordinal
    }
}
