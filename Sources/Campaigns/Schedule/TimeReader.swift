import Notifications

/// Reads the parts of a time as RFC 3339 §5.6 writes it, one after the other.
struct TimeReader {
    private var rest: Substring.UTF8View

    /// Local times are read from this year on: nothing is sent before.
    static let firstYear = 1970

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A number with exactly this many digits.
    mutating func number(_ width: Int, _ range: ClosedRange<Int>) -> Int? {
        var number = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return range.contains(number) ? number : nil
    }

    /// A valid day of the calendar.
    mutating func day() -> CivilDay? {
        guard let year = number(4, Self.firstYear...9_999), skip("-"), let month = number(2, 1...12), skip("-"),
            let day = number(2, 1...CivilDay.longest(month: month, year: year))
        else { return nil }
        return CivilDay(year: year, month: month, day: day)
    }

    /// Seconds since 1970 on the clock that shows the time. A leap second is the second after it.
    mutating func seconds() -> Int? {
        guard let day = day(), skip("T") || skip("t") || skip(" "), let hour = number(2, 0...23), skip(":"),
            let minute = number(2, 0...59), skip(":"), let second = number(2, 0...60)
        else { return nil }
        return day.number * CivilTime.secondsPerDay + hour * 3_600 + minute * 60 + second
    }

    /// Microseconds; 0 when there is no fraction. Digits beyond them are dropped.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        guard let first = digit() else { return nil }
        var microseconds = first * 100_000
        var unit = 10_000
        while let next = digit() {
            microseconds += next * unit
            unit /= 10
        }
        return microseconds
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = number(2, 0...23), skip(":"), let minutes = number(2, 0...59)
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    private mutating func digit() -> Int? {
        guard let byte = rest.first, case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }
}
