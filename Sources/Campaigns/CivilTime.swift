/// A date and time of day as a calendar and a clock on the wall show them (Gregorian, years 1 to 9999).
struct CivilTime: Equatable {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int
    private let days: Int

    static let secondsPerDay = 86_400
    private static let range = -62_135_596_800..<253_402_300_800

    /// Seconds since 1970-01-01T00:00:00 on the same clock; nil outside the years.
    init?(seconds: Int) {
        guard Self.range.contains(seconds) else { return nil }
        days = seconds >= 0 ? seconds / Self.secondsPerDay : (seconds + 1) / Self.secondsPerDay - 1
        let rest = seconds - days * Self.secondsPerDay
        (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
        // Years that begin in March, in eras of 400: the leap day is then the last of its year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// 0 is Sunday; 1970 began on a Thursday.
    var weekday: Int { ((days + 4) % 7 + 7) % 7 }

    var dayOfYear: Int { days - Self.days(year: year, month: 1, day: 1) + 1 }

    /// Days since 1970-01-01.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func daysIn(month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
