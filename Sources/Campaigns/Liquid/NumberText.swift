/// Versions like 17.4.1 or v17.4.1: whole numbers between dots, a missing one counts as 0. Text behind the digits of a
/// part, as in `2.0b3`, does not count.
enum VersionText {
    /// Below, at or above 0; nil when one of them begins with no number.
    static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int? {
        guard var mine = start(of: left), var its = start(of: right) else { return nil }
        while mine < left.count || its < right.count {
            let (one, other) = (part(left, &mine), part(right, &its))
            if one != other { return one < other ? -1 : 1 }
        }
        return 0
    }

    /// Past white space and a v, as in `v4.3`.
    private static func start(of text: UnsafeRawBufferPointer) -> Int? {
        var index = text.firstIndex { !LiquidLexer.isSpace($0) } ?? text.count
        if index < text.count, text[index] | 0x20 == UInt8(ascii: "v") { index += 1 }
        return index < text.count && LiquidLexer.isDigit(text[index]) ? index : nil
    }

    private static func part(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> UInt64 {
        var value: UInt64 = 0
        while index < text.count, LiquidLexer.isDigit(text[index]) {
            value = value &* 10 &+ UInt64(text[index] &- UInt8(ascii: "0"))
            index += 1
        }
        while index < text.count, text[index] != UInt8(ascii: ".") { index += 1 }
        index += 1
        return value
    }
}

/// Numbers as JSON writes them.
enum NumberText {
    /// Below, at or above 0; nil when one of them is no number. They are compared digit by digit, except beyond 400
    /// digits.
    static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int? {
        if let left = whole(left), let right = whole(right) { return left < right ? -1 : left > right ? 1 : 0 }
        if let left = DecimalDigits(left), let right = DecimalDigits(right) { return left.order(right) }
        guard let left = double(left), let right = double(right) else { return nil }
        return left < right ? -1 : left > right ? 1 : 0
    }

    /// Nil for anything but an optional minus and 1 to 18 digits.
    static func whole(_ text: UnsafeRawBufferPointer) -> Int64? {
        let start = text.first == UInt8(ascii: "-") ? 1 : 0
        guard (1...18).contains(text.count - start) else { return nil }
        var value: Int64 = 0
        for byte in text[start...] {
            guard LiquidLexer.isDigit(byte) else { return nil }
            value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
        }
        return start == 0 ? value : -value
    }

    /// Without zeros at the end of its decimals, which say nothing about its value: 3 for 3.0, 2.5 for 2.50, 0 for
    /// -0.0. PostgreSQL writes no exponents; a number with one stays as it is.
    static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var (start, end) = (0, text.count)
        if let point = text.firstIndex(of: UInt8(ascii: ".")), !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") })
        {
            while end > point, text[end - 1] == UInt8(ascii: "0") { end -= 1 }
            if end == point + 1 { end = point }
        }
        if end == 2, text[0] == UInt8(ascii: "-"), text[1] == UInt8(ascii: "0") { start = 1 }
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    private static func double(_ text: UnsafeRawBufferPointer) -> Double? {
        Double(String(decoding: text, as: UTF8.self))
    }

    /// Whether JSON accepts it as a number (RFC 8259 §6).
    static func isJSON(_ text: UnsafeRawBufferPointer) -> Bool { isNumber(text, allowsLeadingZeros: false) }

    static func isNumber(_ text: UnsafeRawBufferPointer, allowsLeadingZeros: Bool) -> Bool {
        var index = text.first == UInt8(ascii: "-") ? 1 : 0
        func digits() -> Bool {
            let start = index
            while index < text.count, LiquidLexer.isDigit(text[index]) { index += 1 }
            return index > start
        }
        let start = index
        guard digits(), allowsLeadingZeros || text[start] != UInt8(ascii: "0") || index == start + 1 else {
            return false
        }
        if index < text.count, text[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() else { return false }
        }
        if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
            guard digits() else { return false }
        }
        return index == text.count
    }
}
