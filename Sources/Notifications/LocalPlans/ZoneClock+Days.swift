/// Days and offsets of a time zone over a period, for counts by local time.
extension ZoneClock {
    /// The first moment whose local date is this day: the first of two midnights when clocks are set back, and the end
    /// of the gap when there is no midnight. A day that a zone omits (Apia's 30 December 2011) begins with the next.
    public func start(of day: CivilDay) -> Int {
        let midnight = day.number * Self.secondsPerDay
        return moments(showing: midnight).first ?? endOfGap(over: midnight)
    }

    /// The local date of a moment.
    public func day(of moment: Int) -> CivilDay {
        CivilDay(number: Int((Double(local(moment)) / Double(Self.secondsPerDay)).rounded(.down)))
    }

    /// The offsets of a period: each begins at its moment, the first one before the period.
    public func offsets(from start: Int, to end: Int) -> [(start: Int, offset: Int)] {
        var offsets = [(start: start - 2 * Self.secondsPerDay, offset: offset(start - 2 * Self.secondsPerDay))]
        var moment = offsets[0].start
        while moment < end {
            let next = moment + Self.secondsPerDay
            let offset = offset(next)
            if offset != offsets[offsets.count - 1].offset {
                offsets.append((change(after: moment, upTo: next), offset))
            }
            moment = next
        }
        return offsets
    }

    private static let secondsPerDay = 86_400
}
