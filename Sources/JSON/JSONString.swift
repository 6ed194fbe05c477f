/// Writes text as JSON strings: only `"`, `\` and control characters are escaped, everything else stays UTF-8,
/// because the size of payloads is limited.
///
/// Works on raw memory, so that composing a push neither allocates nor creates a `String`.
public enum JSONString {
    /// The most bytes that one byte can become (`\u001f`): a buffer of this times the input is always large enough.
    public static let maximumExpansion = 6

    /// Writes `utf8` escaped, without quotes around it, to the start of `buffer`, and returns the number of bytes
    /// written; nil if they do not fit, and then `buffer` is undefined. `utf8` must be valid UTF-8: it is not checked.
    public static func escape(_ utf8: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var written = 0
        for byte in utf8 {
            let size = escapedSize(byte)
            guard size <= buffer.count - written else { return nil }
            switch size {
            case 1:
                buffer[written] = byte
            case 2:
                buffer[written] = UInt8(ascii: "\\")
                buffer[written + 1] = shorthand(byte)
            default:
                buffer[written] = UInt8(ascii: "\\")
                buffer[written + 1] = UInt8(ascii: "u")
                buffer[written + 2] = UInt8(ascii: "0")
                buffer[written + 3] = UInt8(ascii: "0")
                buffer[written + 4] = HexDigit.digit(byte >> 4)
                buffer[written + 5] = HexDigit.digit(byte & 0xF)
            }
            written += size
        }
        return written
    }

    /// The number of bytes that `escape` would write.
    public static func escapedCount(_ utf8: UnsafeRawBufferPointer) -> Int {
        utf8.reduce(0) { $0 + escapedSize($1) }
    }

    /// The size of the text inside a JSON string, in bytes of UTF-8.
    public static func escapedCount(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { escapedCount(UnsafeRawBufferPointer($0)) }
    }

    /// 1 for a byte that stays, 2 for one with a short escape, 6 for the other control characters.
    private static func escapedSize(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        case 0..<0x20: 6
        default: 1
        }
    }

    /// The character after the backslash of a short escape.
    private static func shorthand(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        default: byte
        }
    }
}
