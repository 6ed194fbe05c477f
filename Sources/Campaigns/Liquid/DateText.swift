import Notifications

/// A date in a value: a moment, or a local time without a time zone.
enum DateText: Equatable {
    /// Seconds since 1970 in UTC.
    case moment(Int)
    /// Seconds since 1970 on a local clock with an unknown time zone.
    case local(Int)

    /// Numbers from this value on are milliseconds: in seconds it is the year 5138.
    private static let firstMilliseconds: UInt = 100_000_000_000

    /// Reads `2026-03-01`, `2026-03-01T18:30`, with seconds and fractions, `Z` or an offset (RFC 3339, with a space in
    /// place of the T and short offsets, as PostgreSQL and Rails write them: `2026-03-01 18:30:05.123+00`,
    /// `2026-03-01 18:30:05 UTC`), `20260301`, and Unix time in seconds or milliseconds. Nil for anything else.
    init?(_ value: LiquidValue) {
        switch value.kind {
        case .number, .text: break
        case .nothing, .no, .yes, .list, .object: return nil
        }
        if let date = Self.compactDate(value.bytes.trimmingSpaces) {
            self = .local(date)
            return
        }
        if let number = Self.unixTime(value) {
            self = .moment(number.magnitude >= Self.firstMilliseconds ? number / 1_000 : number)
            return
        }
        var reader = Reader(bytes: value.bytes.trimmingSpaces)
        guard let date = reader.date() else { return nil }
        if reader.isAtEnd {
            self = .local(date)
            return
        }
        guard reader.skip("T") || reader.skip("t") || reader.skip(" "), let time = reader.time() else { return nil }
        if reader.isAtEnd {
            self = .local(date + time)
        } else if let offset = reader.offset(), reader.isAtEnd {
            self = .moment(date + time - offset)
        } else {
            return nil
        }
    }

    /// Eight digits, as in `20260301`; as a time they would be a day of 1970.
    private static func compactDate(_ text: UnsafeRawBufferPointer) -> Int? {
        guard text.count == 8 else { return nil }
        var reader = Reader(bytes: text)
        return reader.date(separator: nil)
    }

    /// Decimals are cut off. A year alone is none, and neither are eight digits.
    private static func unixTime(_ value: LiquidValue) -> Int? {
        if let whole = NumberText.whole(value.bytes) {
            return years ~= whole || datesWithoutDashes ~= whole ? nil : Int(whole)
        }
        guard NumberText.isJSON(value.bytes) else { return nil }
        return Double(String(decoding: value.bytes, as: UTF8.self)).flatMap { Int(exactly: $0.rounded(.towardZero)) }
    }

    private static let years: ClosedRange<Int64> = 1_000...9_999
    private static let datesWithoutDashes: ClosedRange<Int64> = 10_000_000...99_999_999

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var index = 0

        var isAtEnd: Bool { index == bytes.count }

        mutating func skip(_ letter: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: letter) else { return false }
            index += 1
            return true
        }

        mutating func number(_ length: Int, _ range: ClosedRange<Int>) -> Int? {
            guard index + length <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[index..<index + length] {
                guard LiquidLexer.isDigit(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            index += length
            return range.contains(value) ? value : nil
        }

        /// Seconds.
        mutating func date(separator: Unicode.Scalar? = "-") -> Int? {
            let isThere = { (reader: inout Reader) in separator.map { reader.skip($0) } ?? true }
            guard let year = number(4, 1...9_999), isThere(&self), let month = number(2, 1...12), isThere(&self),
                let day = number(2, 1...CivilDay.longest(month: month, year: year))
            else { return nil }
            return CivilDay(year: year, month: month, day: day).number * CivilTime.secondsPerDay
        }

        mutating func time() -> Int? {
            guard let hour = number(2, 0...23), skip(":"), let minute = number(2, 0...59) else { return nil }
            var second = 0
            if skip(":") {
                // A leap second counts as the one before.
                guard let value = number(2, 0...60) else { return nil }
                second = min(value, 59)
                if skip(".") || skip(",") {
                    guard number(1, 0...9) != nil else { return nil }
                    while number(1, 0...9) != nil {}
                }
            }
            return hour * 3_600 + minute * 60 + second
        }

        mutating func offset() -> Int? {
            _ = skip(" ")
            if skip("Z") || skip("z") || skip(word: "UTC") || skip(word: "GMT") { return 0 }
            let isBehind = skip("-")
            guard isBehind || skip("+"), let hours = number(2, 0...23) else { return nil }
            var seconds = hours * 3_600
            // PostgreSQL writes seconds for the time before zones: +00:53:28.
            for unit in [60, 1] where !isAtEnd {
                _ = skip(":")
                guard let value = number(2, 0...59) else { return nil }
                seconds += value * unit
            }
            return isBehind ? -seconds : seconds
        }

        private mutating func skip(word: StaticString) -> Bool {
            let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard bytes[index...].starts(with: letters) else { return false }
            index += letters.count
            return true
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var trimmingSpaces: UnsafeRawBufferPointer {
        let start = firstIndex { !LiquidLexer.isSpace($0) } ?? count
        let end = lastIndex { !LiquidLexer.isSpace($0) }.map { $0 + 1 } ?? start
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
