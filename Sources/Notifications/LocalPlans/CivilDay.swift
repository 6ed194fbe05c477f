/// A day of the proleptic Gregorian calendar, without a time zone.
public struct CivilDay: Hashable, Sendable {
    /// Days since 1970-01-01.
    public let number: Int
    public let year: Int
    public let month: Int
    public let day: Int

    /// Counts in years that begin in March, so that the leap day comes last, and in cycles of 400 years.
    public init(number: Int) {
        self.number = number
        let sinceMarch = number + 719_468  // from 0000-03-01 to 1970-01-01
        let cycle = Self.floorDivide(sinceMarch, 146_097)
        let dayOfCycle = sinceMarch - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        // March to January alternate 31 and 30 days in a pattern of 153 days for five months.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }

    /// `month` and `day` must exist.
    public init(year: Int, month: Int, day: Int) {
        let marchYear = month <= 2 ? year - 1 : year
        let cycle = Self.floorDivide(marchYear, 400)
        let yearOfCycle = marchYear - cycle * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        number = cycle * 146_097 + dayOfCycle - 719_468
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// 1 is Sunday. 1970-01-01 was a Thursday.
    public var weekday: Int {
        let days = (number + 4) % 7
        return (days < 0 ? days + 7 : days) + 1
    }

    /// Which occurrence of its weekday in its month, from 1.
    public var weekdayOrdinal: Int {
        (day - 1) / 7 + 1
    }

    /// The number of days of a month; without a year, the most that it can have.
    public static func longest(month: Int, year: Int?) -> Int {
        switch month {
        case 2: year.map(isLeap) ?? true ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    public static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
        (value - (value % divisor + divisor) % divisor) / divisor
    }
}
