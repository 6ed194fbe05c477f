/// A moment, in microseconds since 1970-01-01 00:00 UTC, as people and programs write it: "2026-11-21T10:00:00.000Z"
/// (RFC 3339 §5.6).
public struct Instant: Hashable, Comparable, Sendable {
    public var microseconds: Int64

    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

    /// In UTC, to the millisecond.
    public var rfc3339: String {
        let milliseconds = microseconds.floorDivided(by: 1_000)
        let seconds = milliseconds.quotient.floorDivided(by: 1_000)
        let days = seconds.quotient.floorDivided(by: 86_400)
        let date = CivilDate(daysSince1970: days.quotient)
        let time = days.remainder
        return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
            + "T\(digits(time / 3_600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))"
            + ".\(digits(seconds.remainder, 3))Z"
    }

    /// With any offset, for the years 1970 to 9999. Digits beyond the microsecond are dropped, and a leap second is the
    /// second after it. Nil for everything else.
    public init?(rfc3339 text: String) {
        var reader = DigitReader(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
            let second = reader.number(2), let fraction = reader.fraction(), let offset = reader.offset(),
            reader.isAtEnd, year >= 1970, let days = CivilDate(year: year, month: month, day: day).daysSince1970,
            hour <= 23, minute <= 59, second <= 60
        else { return nil }
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        self.init(microseconds: seconds * 1_000_000 + fraction)
    }
}

private func digits(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
}

/// A day of the Gregorian calendar, counted in years that begin in March, so that the leap day comes last.
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    private static let daysPerEra: Int64 = 146_097  // 400 years
    private static let daysFromEraTo1970: Int64 = 719_468

    init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSince1970: Int64) {
        let (era, dayOfEra) = (daysSince1970 + Self.daysFromEraTo1970).floorDivided(by: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Nil when there is no such day.
    var daysSince1970: Int64? {
        guard 1...12 ~= month, 1...31 ~= day else { return nil }
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floorDivided(by: 400)
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * Self.daysPerEra + dayOfEra - Self.daysFromEraTo1970
        // The 31st of a month with 30 days would come back as another day.
        let back = CivilDate(daysSince1970: days)
        return back.day == day && back.month == month ? days : nil
    }
}

private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ width: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Microseconds; 0 when there is no fraction.
    mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        guard let first = digit() else { return nil }
        var microseconds = first * 100_000
        var place: Int64 = 10_000
        while let next = digit() {
            microseconds += next * place
            place /= 10
        }
        return microseconds
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2), skip(":"), let minutes = number(2), hours <= 23, minutes <= 59
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    private mutating func digit() -> Int64? {
        guard let byte = rest.first, case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
        rest.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
