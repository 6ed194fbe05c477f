/// Reads JSON strings (RFC 8259 §7). Both parsers use it: the one that makes `JSON` values, and the one that reads
/// registrations directly into fields.
extension JSONString {
    /// A string in its document, without the quotes.
    public struct Contents: Equatable, Sendable {
        /// In bytes from the start of the document, up to the closing quote.
        public let range: Range<Int>
        public let hasEscapes: Bool
    }

    /// Finds the end of the string whose opening quote is at `opening`. Escapes are checked when the string is
    /// unescaped.
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
                    message: "line breaks, tabs and other control characters in a text must be escaped, like \\n")
            } else {
                position += 1
            }
        }
        throw JSON.SyntaxError(offset: opening, message: "the text that begins here has no closing quote")
    }

    /// The text of `contents`, and whether it contains U+0000, which only an escape can write. The document must be
    /// valid UTF-8: it is not checked.
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

    /// Reads the escape at `position` and moves `position` behind it. A byte follows every backslash, since a string
    /// that ends in a backslash has no closing quote.
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

    /// Reads a `\u` escape. A character beyond U+FFFF is a pair of them (RFC 8259 §7).
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
                throw JSON.SyntaxError(offset: start, message: "\\u must be followed by four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
