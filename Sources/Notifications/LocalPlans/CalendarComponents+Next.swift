public import FoundationEssentials

/// Finds the next time that matches the components in a time zone:
///
/// - Months without the day are skipped; the day is not replaced by another.
/// - A fixed hour that does not exist when summer time begins matches the first moment after the gap; one that exists
///   twice when summer time ends matches the first of the two. So daily components match once a day.
/// - Without a fixed hour, every matching time of the clock counts: none in the gap, and both when an hour repeats.
extension CalendarComponents {
    /// In days. Every combination of leap day and weekday occurs within 40 years.
    private static let horizon = 41 * 366

    /// Nil if the components never match again.
    public func next(after date: Date, in zone: TimeZone) -> Date? {
        let clock = ZoneClock(zone)
        let after = date.timeIntervalSince1970
        guard after.magnitude < 1e11 else { return nil }
        let moment = Int(after.rounded(.down))
        // The local day before, since summer time may have moved midnight.
        let today = CivilDay.floorDivide(moment + clock.offset(moment), 86_400)
        var number = today - 1
        var last = today + Self.horizon
        if let year {
            number = max(number, CivilDay(year: year, month: 1, day: 1).number)
            last = min(last, CivilDay(year: year, month: 12, day: 31).number)
        }
        while number <= last {
            let day = CivilDay(number: number)
            if shows(day), let next = clockTimes(on: day, clock).first(where: { $0 > moment }) {
                return Date(timeIntervalSince1970: Double(next))
            }
            number += 1
        }
        return nil
    }

    private func shows(_ day: CivilDay) -> Bool {
        let isSmallerThanMonth = self.day != nil || weekday != nil || isTimed
        let wantedMonth = month ?? (isSmallerThanMonth ? nil : 1)
        let wantedDay = self.day ?? (weekday != nil || isTimed ? nil : 1)
        return (year == nil || year == day.year) && (wantedMonth == nil || wantedMonth == day.month)
            && (wantedDay == nil || wantedDay == day.day) && (weekday == nil || weekday == day.weekday)
            && (weekdayOrdinal == nil || weekdayOrdinal == day.weekdayOrdinal)
    }

    private var isTimed: Bool {
        hour != nil || minute != nil || second != nil
    }

    /// The moments of `day` that match the time, in their order.
    private func clockTimes(on day: CivilDay, _ clock: ZoneClock) -> [Int] {
        let hours = hour.map { $0...$0 } ?? (minute == nil && second == nil ? 0...0 : 0...23)
        let minutes = minute.map { $0...$0 } ?? (second == nil ? 0...0 : 0...59)
        let isHourFixed = hours.count == 1
        let steadyOffset = clock.steadyOffset(around: day)
        var moments: [Int] = []
        for hour in hours {
            for minute in minutes {
                let local = day.number * 86_400 + hour * 3_600 + minute * 60 + (second ?? 0)
                let shown = steadyOffset.map { [local - $0] } ?? clock.moments(showing: local)
                if isHourFixed {
                    moments.append(shown.first ?? clock.endOfGap(over: local))
                } else {
                    moments += shown
                }
            }
        }
        return moments.sorted()
    }
}
