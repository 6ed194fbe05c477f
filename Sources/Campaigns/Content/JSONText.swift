/// The inside of a JSON string, on its way back to a text.
enum JSONText {
    /// `json` begins with a quote; the text ends at the next one. Without escapes it is lent from where it is.
    static func unescaped(_ json: UnsafeRawBufferPointer, _ scratch: Scratch) -> UnsafeRawBufferPointer {
        var end = 1
        while end < json.count, json[end] != UInt8(ascii: "\""), json[end] != UInt8(ascii: "\\") { end &+= 1 }
        guard end < json.count, json[end] == UInt8(ascii: "\\") else {
            return UnsafeRawBufferPointer(rebasing: json[1..<end])
        }
        // An escape is never shorter than what it stands for.
        let text = scratch.reserve(json.count)
        var place = 1
        var written = 0
        while place < json.count, json[place] != UInt8(ascii: "\"") {
            if json[place] == UInt8(ascii: "\\") {
                place = unescape(json, place, text, &written)
            } else {
                text.storeBytes(of: json[place], toByteOffset: written, as: UInt8.self)
                written &+= 1
                place &+= 1
            }
        }
        return UnsafeRawBufferPointer(start: text, count: written)
    }

    /// Writes what the escape at `place` means, and returns the place behind it.
    private static func unescape(
        _ json: UnsafeRawBufferPointer, _ place: Int, _ text: UnsafeMutableRawPointer, _ written: inout Int
    ) -> Int {
        guard place &+ 1 < json.count else { return json.count }
        var scalar: Unicode.Scalar
        var end = place &+ 2
        switch json[place &+ 1] {
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"):
            let first = hexadecimal(json, place &+ 2)
            end = min(place &+ 6, json.count)
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

    private static func hexadecimal(_ json: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
        var value: UInt32 = 0
        for offset in place..<place &+ 4 {
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
