/// An apns-id: 16 bytes, written as 32 hexadecimal digits in groups of 8-4-4-4-12.
public struct PushID: Hashable, Sendable, CustomStringConvertible {
    /// The length of the text, in bytes.
    static let textLength = 36

    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses an id; upper and lower case give the same id.
    public init?(_ text: some Collection<UInt8>) {
        guard text.count == Self.textLength else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (position, character) in text.enumerated() {
            if Self.isDash(position) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let value = HexDigit.value(of: character) else { return nil }
            if digits < 16 { words.0 = words.0 << 4 | UInt64(value) } else { words.1 = words.1 << 4 | UInt64(value) }
            digits += 1
        }
        (high, low) = words
    }

    public init?(_ text: String) { self.init(text.utf8) }

    public var description: String {
        String(unsafeUninitializedCapacity: Self.textLength) { text in
            write(into: UnsafeMutableRawBufferPointer(text), digits: HexDigit.lower)
            return Self.textLength
        }
    }

    /// Writes the 36 characters to the start of `text`.
    func write(into text: UnsafeMutableRawBufferPointer, digits: StaticString) {
        var digit = 0
        for position in 0..<Self.textLength {
            if Self.isDash(position) {
                text[position] = UInt8(ascii: "-")
                continue
            }
            let word = digit < 16 ? high : low
            text[position] = digits.utf8Start[Int(word >> UInt64(60 - digit % 16 * 4) & 15)]
            digit += 1
        }
    }

    private static func isDash(_ position: Int) -> Bool {
        position == 8 || position == 13 || position == 18 || position == 23
    }
}

enum HexDigit {
    static let lower: StaticString = "0123456789abcdef"
    static let upper: StaticString = "0123456789ABCDEF"

    static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
