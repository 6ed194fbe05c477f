import Campaigns
import Postgres
import Store

extension ByteReader {
    mutating func once(_ key: String, _ isSeen: inout Bool) throws(Malformed) {
        guard !isSeen else { throw repeated(key) }
        isSeen = true
    }

    /// Nil for a text that is no message id.
    mutating func messageID(_ index: Int) throws(Malformed) -> MessageID? {
        guard peek() == UInt8(ascii: "\"") else {
            try wrongType("events[\(index)].id", "text")
            return nil
        }
        return try withString { MessageID(text: $0) }
    }

    mutating func requiredText(_ path: @autoclosure () -> String, orNil index: Int) throws(Malformed) -> String? {
        if peek() == UInt8(ascii: "\"") { return try storableString().text }
        return try requiredText(path())
    }

    /// A time or null, which is as good as none. `.null` stands for a text that is no time.
    mutating func time(_ index: Int) throws(Malformed) -> Given<Timestamp> {
        switch peek() {
        case UInt8(ascii: "\""):
            return try withString { InternetTime.read($0).map { .value($0) } ?? .null }
        case UInt8(ascii: "n"):
            try word("null")
        default:
            try wrongType("events[\(index)].at", "a time or null")
        }
        return .absent
    }
}

/// RFC 3339 §5.6, from bytes.
enum InternetTime {
    /// Nil for what is no time. More than six digits of a fraction are cut; a leap second is the next minute's first.
    static func read(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        var reader = Digits(text: text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t") || reader.take(" "),
            let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
            let second = reader.number(2)
        else { return nil }
        guard let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else { return nil }
        guard 1...12 ~= month, 1...daysInMonth(month, year) ~= day, hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        let days = daysSince1970(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
        return Timestamp(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction))
    }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counted in years that begin in March, so that the leap day is the last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let leapDays = floor(year, 4) - floor(year, 100) + floor(year, 400)
        return year * 365 + leapDays + dayOfYear - 719_468
    }

    private static func floor(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
    }

    private struct Digits {
        let text: UnsafeBufferPointer<UInt8>
        private var position = 0

        init(text: UnsafeBufferPointer<UInt8>) {
            self.text = text
        }

        var isAtEnd: Bool { position == text.count }

        mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: scalar) else { return false }
            position += 1
            return true
        }

        mutating func digit() -> Int? {
            guard position < text.count else { return nil }
            let value = text[position] &- UInt8(ascii: "0")
            guard value < 10 else { return nil }
            position += 1
            return Int(value)
        }

        mutating func number(_ count: Int) -> Int? {
            var number = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// In microseconds; 0 without one.
        mutating func fraction() -> Int? {
            guard take(".") else { return 0 }
            guard var fraction = digit() else { return nil }
            var count = 1
            while let digit = digit() {
                if count < 6 { fraction = fraction * 10 + digit }
                count += 1
            }
            while count < 6 {
                fraction *= 10
                count += 1
            }
            return fraction
        }

        /// In minutes east of UTC.
        mutating func offset() -> Int? {
            if take("Z") || take("z") { return 0 }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60
            else { return nil }
            return sign * (hours * 60 + minutes)
        }
    }
}
