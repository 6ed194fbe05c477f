/// Removes the escapes of a JSON string.
enum JSONText {
    /// The text of the string that begins with the quote at the start of `json`. A text without escapes is not copied.
    static func unescaped(_ json: UnsafeRawBufferPointer, _ scratch: ScratchBuffer) -> UnsafeRawBufferPointer {
        var end = 1
        while end < json.count, json[end] != UInt8(ascii: "\""), json[end] != UInt8(ascii: "\\") { end &+= 1 }
        guard end < json.count, json[end] == UInt8(ascii: "\\") else {
            return UnsafeRawBufferPointer(rebasing: json[1..<end])
        }
        // An escape is never shorter than the bytes that it represents.
        let text = scratch.reserve(json.count)
        var index = 1
        var written = 0
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            if json[index] == UInt8(ascii: "\\") {
                index = unescape(json, index, text, &written)
            } else {
                text.storeBytes(of: json[index], toByteOffset: written, as: UInt8.self)
                written &+= 1
                index &+= 1
            }
        }
        return UnsafeRawBufferPointer(start: text, count: written)
    }

    /// Writes the character of the escape at `index` and returns the index after the escape.
    private static func unescape(
        _ json: UnsafeRawBufferPointer, _ index: Int, _ text: UnsafeMutableRawPointer, _ written: inout Int
    ) -> Int {
        guard index &+ 1 < json.count else { return json.count }
        var scalar: Unicode.Scalar
        var end = index &+ 2
        switch json[index &+ 1] {
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"):
            let first = hexadecimal(json, index &+ 2)
            end = min(index &+ 6, json.count)
            scalar = Unicode.Scalar(first) ?? "\u{FFFD}"
            // Beyond U+FFFF a character is a pair of escapes (RFC 8259 §7).
            if (0xD800..<0xDC00).contains(first), end &+ 1 < json.count, json[end] == UInt8(ascii: "\\"),
                json[end &+ 1] == UInt8(ascii: "u")
            {
                let second = hexadecimal(json, end &+ 2)
                if (0xDC00..<0xE000).contains(second) {
                    scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF) ?? "\u{FFFD}"
                    end = min(end &+ 6, json.count)
                }
            }
        case let byte: scalar = Unicode.Scalar(byte < 0x80 ? byte : 0x3F)
        }
        for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            text.storeBytes(of: unit, toByteOffset: written, as: UInt8.self)
            written &+= 1
        }
        return end
    }

    private static func hexadecimal(_ json: UnsafeRawBufferPointer, _ index: Int) -> UInt32 {
        var value: UInt32 = 0
        for offset in index..<index &+ 4 {
            guard offset < json.count else { return 0xFFFD }
            switch json[offset] {
            case let byte where LiquidLexer.isDigit(byte): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20):
                value = value << 4 | UInt32((byte | 0x20) - UInt8(ascii: "a") + 10)
            default: return 0xFFFD
            }
        }
        return value
    }
}
