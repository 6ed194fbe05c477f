import Notifications

/// A day and a time of day as a calendar and a clock on the wall show them, in the years 1 to 9999.
struct CivilTime: Equatable {
    let date: CivilDay
    let hour: Int
    let minute: Int
    let second: Int

    static let secondsPerDay = 86_400
    private static let range = -62_135_596_800..<253_402_300_800

    /// Seconds since 1970-01-01T00:00:00 on the same clock; nil outside the years.
    init?(seconds: Int) {
        guard Self.range.contains(seconds) else { return nil }
        let days = seconds >= 0 ? seconds / Self.secondsPerDay : (seconds + 1) / Self.secondsPerDay - 1
        let rest = seconds - days * Self.secondsPerDay
        date = CivilDay(number: days)
        (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    }

    var dayOfYear: Int { date.number - CivilDay(year: date.year, month: 1, day: 1).number + 1 }
}
