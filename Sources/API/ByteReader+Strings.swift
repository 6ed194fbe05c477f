extension ByteReader {
    /// A string's bytes between its quotes.
    struct StringRange {
        let start: Int
        let end: Int
        let hasEscapes: Bool
    }

    /// Goes behind the closing quote. What stands behind backslashes is checked by `unescaped`.
    mutating func stringRange() throws(Malformed) -> StringRange {
        let opening = position
        position += 1
        var hasEscapes = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                return StringRange(start: opening + 1, end: position - 1, hasEscapes: hasEscapes)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                position += 2
            } else if byte < 0x20 {
                throw malformed("a line break, tab or other control character in a text is written as an escape")
            } else {
                position += 1
            }
        }
        throw malformed(at: opening, "the text that begins here has no closing quote")
    }

    mutating func string() throws(Malformed) -> String {
        let range = try stringRange()
        if range.hasEscapes { return try unescaped(range) }
        return String(decoding: bytes[range.start..<range.end], as: UTF8.self)
    }

    /// The same, and whether it is free of U+0000.
    mutating func storableString() throws(Malformed) -> (text: String, isStorable: Bool) {
        let text = try string()
        return (text, !takeNUL())
    }

    /// Lends a string's bytes, unescaped.
    mutating func withString<Value>(
        _ body: (UnsafeBufferPointer<UInt8>) -> Value
    ) throws(Malformed) -> Value {
        let range = try stringRange()
        guard range.hasEscapes else {
            return body(UnsafeBufferPointer(rebasing: bytes[range.start..<range.end]))
        }
        let text = Array(try unescaped(range).utf8)
        _ = takeNUL()
        return text.withUnsafeBufferPointer(body)
    }

    mutating func unescaped(_ range: StringRange) throws(Malformed) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(range.end - range.start)
        var place = range.start
        while place < range.end {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\\") {
                text += try escape(&place, range.end).utf8
            } else {
                text.append(byte)
                place += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether what was read since the last question holds U+0000.
    mutating func takeNUL() -> Bool {
        defer { hasNUL = false }
        return hasNUL
    }

    private mutating func escape(_ place: inout Int, _ end: Int) throws(Malformed) -> Unicode.Scalar {
        let start = place
        place += 2
        switch bytes[start + 1] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw malformed(at: start, "only \" \\ / b f n r t and u may follow a backslash")
        }
        let first = try hexadecimal(&place, end, start)
        if first == 0 { hasNUL = true }
        if let scalar = Unicode.Scalar(first) { return scalar }
        // RFC 8259 §7: beyond U+FFFF a character is a pair of escapes.
        guard first < 0xDC00, place + 1 < end, bytes[place] == UInt8(ascii: "\\"),
            bytes[place + 1] == UInt8(ascii: "u")
        else { throw malformed(at: start, "this \\u escape is half of a pair; the other half is missing") }
        place += 2
        let second = try hexadecimal(&place, end, start)
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw malformed(at: start, "this \\u escape is half of a pair; the other half is missing") }
        return scalar
    }

    private func hexadecimal(_ place: inout Int, _ end: Int, _ start: Int) throws(Malformed) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard place < end, let digit = Self.hexadecimalValue(bytes[place]) else {
                throw malformed(at: start, "\\u is followed by four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            place += 1
        }
        return value
    }

    private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
