public import JSON
public import Notifications

/// A day and a time of day as a calendar and a clock on the wall show them, in the years 1 to 9999.
public struct CivilTime: Hashable, Sendable {
    public let date: CivilDay
    public let hour: Int
    public let minute: Int
    public let second: Int

    static let secondsPerDay = 86_400
    private static let range = -62_135_596_800..<253_402_300_800

    /// Seconds since 1970-01-01T00:00:00 on the same clock; nil outside the years.
    public init?(seconds: Int) {
        guard Self.range.contains(seconds) else { return nil }
        let days = CivilDay.floorDivide(seconds, Self.secondsPerDay)
        let rest = seconds - days * Self.secondsPerDay
        date = CivilDay(number: days)
        (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    }

    /// Seconds since 1970-01-01T00:00:00 on the same clock.
    public var seconds: Int { date.number * Self.secondsPerDay + secondOfDay }

    var secondOfDay: Int { hour * 3_600 + minute * 60 + second }

    var dayOfYear: Int { date.number - CivilDay(year: date.year, month: 1, day: 1).number + 1 }
}

extension CivilTime {
    /// Reads `2026-11-30T18:00:00`, in the years from 1970 on. A fraction is dropped; a zone is rejected, because each
    /// recipient's own applies.
    public init(_ text: String) throws(InvalidValue) {
        var reader = TimeReader(text)
        guard let seconds = reader.seconds(), reader.fraction() != nil, let time = CivilTime(seconds: seconds) else {
            throw InvalidValue("invalid-time", "must be a local time like 2026-11-30T18:00:00")
        }
        guard reader.isAtEnd else {
            throw reader.offset() != nil && reader.isAtEnd
                ? InvalidValue(
                    "time-zone-not-allowed",
                    "must be a local time like 2026-11-30T18:00:00, without a zone, Z or offset at its end")
                : InvalidValue("invalid-time", "must be a local time like 2026-11-30T18:00:00")
        }
        self = time
    }

    /// `2026-11-30T18:00:00`.
    public var text: String { "\(date.text)T\(clock):\(second.digits(2))" }

    /// `18:00`.
    var clock: String { "\(hour.digits(2)):\(minute.digits(2))" }

    /// `18:00`, or `18:00:30` where there are seconds.
    var clockText: String { second == 0 ? clock : "\(clock):\(second.digits(2))" }
}

extension Int {
    /// At least this number of digits, with zeros in front. Not for negative numbers.
    func digits(_ width: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, width - text.count)) + text
    }
}
