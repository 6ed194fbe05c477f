/// UTF-8 that may be broken, in raw memory (Unicode 16, table 3-7).
enum UTF8Text {
    /// The number of bytes from the start that need no escape in a JSON string: valid UTF-8 without quotes, backslashes
    /// and control characters. Plain ASCII goes eight bytes at a time.
    static func cleanLength(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        var index = 0
        while true {
            while index &+ 8 <= count, isPlain((bytes + index).loadUnaligned(as: UInt64.self)) { index &+= 8 }
            // At most eight bytes of ASCII, or a run of anything else.
            var plain = 0
            while index < count, plain < 8 {
                let byte = bytes.load(fromByteOffset: index, as: UInt8.self)
                if byte < 0x80 {
                    guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return index }
                    index &+= 1
                    plain &+= 1
                } else {
                    let length = sequenceLength(bytes + index, count &- index)
                    guard length > 0 else { return index }
                    index &+= length
                    plain = 0
                }
            }
            guard index < count else { return index }
        }
    }

    /// Whether each of eight bytes is ASCII that needs no escape. The tests for a byte below n and for a zero byte are
    /// the known ones with borrows: as a yes or no they are exact.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let control = (word &- ones &* 0x20) & ~word
        let special = control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | word
        return special & highs == 0
    }

    /// The length of the valid sequence that begins here with a byte from 0x80; 0 when there is none.
    @inline(__always)
    static func sequenceLength(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        let first = bytes.load(as: UInt8.self)
        guard count >= 2 else { return 0 }
        let second = bytes.load(fromByteOffset: 1, as: UInt8.self)
        switch first {
        case 0xC2...0xDF: return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE0...0xEF:
            guard count >= 3, isSecond(second, after: first), isContinuation(bytes, 2) else { return 0 }
            return 3
        case 0xF0...0xF4:
            guard count >= 4, isSecond(second, after: first), isContinuation(bytes, 2), isContinuation(bytes, 3) else {
                return 0
            }
            return 4
        default: return 0
        }
    }

    @inline(__always)
    private static func isContinuation(_ bytes: UnsafeRawPointer, _ offset: Int) -> Bool {
        bytes.load(fromByteOffset: offset, as: UInt8.self) & 0xC0 == 0x80
    }

    /// No overlong forms, surrogates or values beyond U+10FFFF.
    @inline(__always)
    private static func isSecond(_ second: UInt8, after first: UInt8) -> Bool {
        switch first {
        case 0xE0: (0xA0...0xBF).contains(second)
        case 0xED: (0x80...0x9F).contains(second)
        case 0xF0: (0x90...0xBF).contains(second)
        case 0xF4: (0x80...0x8F).contains(second)
        default: second & 0xC0 == 0x80
        }
    }

    // MARK: Broken text

    static let replacementLength = 3

    static func withReplacement<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
        let replacement: StaticString = "\u{FFFD}"
        return body(UnsafeRawPointer(replacement.utf8Start))
    }

    /// Bytes at the start that one U+FFFD stands for: as much as could have begun a sequence, at least one.
    static func brokenLength(_ text: UnsafeRawBufferPointer) -> Int {
        let needed =
            switch text[0] {
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard needed > 1, text.count > 1, isSecond(text[1], after: text[0]) else { return 1 }
        var length = 2
        while length < needed, length < text.count, text[length] & 0xC0 == 0x80 { length += 1 }
        return length
    }

    /// The scalar of a valid sequence of this length.
    @inline(__always)
    static func scalar(_ bytes: UnsafeRawPointer, _ length: Int) -> Unicode.Scalar {
        func part(_ offset: Int) -> UInt32 { UInt32(bytes.load(fromByteOffset: offset, as: UInt8.self) & 0x3F) }
        let first = UInt32(bytes.load(as: UInt8.self))
        let value: UInt32 =
            switch length {
            case 1: first
            case 2: (first & 0x1F) << 6 | part(1)
            case 3: (first & 0x0F) << 12 | part(1) << 6 | part(2)
            default: (first & 0x07) << 18 | part(1) << 12 | part(2) << 6 | part(3)
            }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
