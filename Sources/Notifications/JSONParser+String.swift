extension JSONParser {
    /// Reads from the opening quote to behind the closing one.
    mutating func string() throws(JSON.SyntaxError) -> String {
        let opening = position
        position += 1
        var start = position
        var unescaped: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                let rest = bytes[start..<position]
                position += 1
                if unescaped.isEmpty { return String(decoding: rest, as: UTF8.self) }
                return String(decoding: unescaped + rest, as: UTF8.self)
            case UInt8(ascii: "\\"):
                unescaped += bytes[start..<position]
                unescaped += try escape().utf8
                start = position
            case 0..<0x20:
                throw error("a line break, tab or other control character in a text is written as an escape, like \\n")
            default:
                position += 1
            }
        }
        throw error(at: opening, "the text that begins here has no closing quote")
    }

    private mutating func escape() throws(JSON.SyntaxError) -> Unicode.Scalar {
        let start = position
        position += 1
        let kind = next
        position += 1
        switch kind {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(at: start)
        default: throw error(at: start, "only \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u may follow a backslash")
        }
    }

    /// RFC 8259 §7: beyond U+FFFF a character is a pair of escapes, which only mean something together.
    private mutating func unicodeEscape(at start: Int) throws(JSON.SyntaxError) -> Unicode.Scalar {
        let first = try hexadecimal(at: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = error(at: start, "\\u escape is half of a surrogate pair; the other half is missing")
        guard first < 0xDC00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else { throw lone }
        let second = try hexadecimal(at: start)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw lone }
        return scalar
    }

    private mutating func hexadecimal(at start: Int) throws(JSON.SyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap(HexDigit.value) else {
                throw error(at: start, "\\u is followed by four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
