import Notifications

/// A moment as texts write it: "2026-11-21T10:00:00Z" (RFC 3339 §5.6).
public struct RFC3339: Hashable, Sendable {
    /// Since 1970 in UTC.
    public let seconds: Int
    /// 0 to 999,999.
    public let microseconds: Int

    /// With any offset, for the years 1970 to 9999. Digits beyond the microsecond are dropped, and a leap second is the
    /// second after it. Nil for everything else.
    public init?(_ text: String) {
        var reader = TimeReader(text)
        guard let seconds = reader.seconds(), let fraction = reader.fraction(), let offset = reader.offset(),
            reader.isAtEnd
        else { return nil }
        self.seconds = seconds - offset
        microseconds = fraction
    }

    /// In UTC, with milliseconds like every time that the API writes: "2026-11-21T10:00:00.000Z".
    public static func text(_ moment: Int) -> String { Instant(microseconds: Int64(moment) * 1_000_000).rfc3339 }

    /// The same without its zone. Years beyond 9999 have more digits.
    public static func localText(_ seconds: Int) -> String {
        let days = CivilDay.floorDivide(seconds, CivilTime.secondsPerDay)
        let time = seconds - days * CivilTime.secondsPerDay
        return "\(CivilDay(number: days).text)T\((time / 3_600).digits(2)):\((time / 60 % 60).digits(2))"
            + ":\((time % 60).digits(2))"
    }
}
