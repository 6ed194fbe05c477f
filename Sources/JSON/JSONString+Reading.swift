/// How a text is read out of a JSON string (RFC 8259 §7). Both of the house's readers stand on this: the parser that
/// makes values, and the one that reads phones' bodies straight into fields.
extension JSONString {
    /// A string in its document, without the quotes.
    public struct Contents: Equatable, Sendable {
        /// Bytes from the start of the document; the closing quote stands behind them.
        public let range: Range<Int>
        public let hasEscapes: Bool
    }

    /// Finds the end of the string whose opening quote is at `opening`. What follows a backslash is checked when the
    /// string is unescaped.
    public static func contents(
        of document: UnsafeBufferPointer<UInt8>, from opening: Int
    ) throws(JSON.SyntaxError) -> Contents {
        var position = opening + 1
        var hasEscapes = false
        while position < document.count {
            let byte = document[position]
            if byte == UInt8(ascii: "\"") {
                return Contents(range: opening + 1..<position, hasEscapes: hasEscapes)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                position += 2
            } else if byte < 0x20 {
                throw JSON.SyntaxError(
                    offset: position,
                    message: "a line break, tab or other control character in a text is written as an escape, like \\n")
            } else {
                position += 1
            }
        }
        throw JSON.SyntaxError(offset: opening, message: "the text that begins here has no closing quote")
    }

    /// The text that `contents` stand for, and whether U+0000 is in it: only an escape can write that. The document
    /// is valid UTF-8: it is not checked.
    public static func unescape(
        _ contents: Contents, of document: UnsafeBufferPointer<UInt8>
    ) throws(JSON.SyntaxError) -> (text: String, hasNUL: Bool) {
        let escapes = EscapeReader(document: document, end: contents.range.upperBound)
        var text: [UInt8] = []
        text.reserveCapacity(contents.range.count)
        var hasNUL = false
        var position = contents.range.lowerBound
        while position < contents.range.upperBound {
            let byte = document[position]
            if byte == UInt8(ascii: "\\") {
                let scalar = try escapes.scalar(at: &position)
                if scalar == "\0" { hasNUL = true }
                text += scalar.utf8
            } else {
                text.append(byte)
                position += 1
            }
        }
        return (String(decoding: text, as: UTF8.self), hasNUL)
    }
}

/// Reads escapes inside a string that ends at `end`.
private struct EscapeReader {
    let document: UnsafeBufferPointer<UInt8>
    let end: Int

    /// The character that the escape at `position` stands for; goes behind it. A byte follows every backslash: the
    /// string would else have no end.
    func scalar(at position: inout Int) throws(JSON.SyntaxError) -> Unicode.Scalar {
        let start = position
        position += 2
        switch document[start + 1] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicode(start, &position)
        default:
            throw JSON.SyntaxError(
                offset: start, message: "only \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u may follow a backslash")
        }
    }

    /// RFC 8259 §7: beyond U+FFFF a character is a pair of escapes, which only mean something together.
    private func unicode(_ start: Int, _ position: inout Int) throws(JSON.SyntaxError) -> Unicode.Scalar {
        let first = try hexadecimal(start, &position)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, position + 1 < end, document[position] == UInt8(ascii: "\\"),
            document[position + 1] == UInt8(ascii: "u")
        else { throw Self.half(at: start) }
        position += 2
        let second = try hexadecimal(start, &position)
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw Self.half(at: start) }
        return scalar
    }

    private static func half(at start: Int) -> JSON.SyntaxError {
        JSON.SyntaxError(offset: start, message: "\\u escape is half of a surrogate pair; the other half is missing")
    }

    private func hexadecimal(_ start: Int, _ position: inout Int) throws(JSON.SyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard position < end, let digit = HexDigit.value(document[position]) else {
                throw JSON.SyntaxError(offset: start, message: "\\u is followed by four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
