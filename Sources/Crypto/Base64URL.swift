/// base64url without padding (RFC 4648 §5, RFC 7515 §2), as used in JSON Web Tokens.
public enum Base64URL {
    /// Deviations that a decoder accepts. The empty set is strict, as the RFCs require.
    public struct Tolerance: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `=` up to a multiple of four characters.
        public static let padding = Tolerance(rawValue: 1)
        /// `+` and `/` for `-` and `_`.
        public static let standardAlphabet = Tolerance(rawValue: 2)
        /// The form that Apple seems to accept (a2 sends it).
        public static let lenient: Tolerance = [.padding, .standardAlphabet]
    }

    enum Alphabet {
        case url, standard

        fileprivate var characters: StaticString {
            switch self {
            case .url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            case .standard: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            }
        }
    }

    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        encode(Array(bytes), alphabet: .url)
    }

    static func encode(_ bytes: [UInt8], alphabet: Alphabet) -> String {
        let characters = alphabet.characters.utf8Start
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var written = 0
            var bits: UInt32 = 0
            var pending = 0
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                pending += 8
                while pending >= 6 {
                    pending -= 6
                    text[written] = characters[Int(bits >> UInt32(pending) & 63)]
                    written += 1
                }
            }
            if pending > 0 {
                text[written] = characters[Int(bits << UInt32(6 - pending) & 63)]
                written += 1
            }
            return written
        }
    }

    /// Throws `notBase64`, with an offset in bytes of UTF-8.
    public static func decode(
        _ text: some StringProtocol, tolerating tolerance: Tolerance = []
    ) throws(CryptoError) -> [UInt8] {
        try decode(Array(text.utf8), tolerating: tolerance)
    }

    /// The same for text as UTF-8 bytes.
    public static func decode(
        _ characters: some Collection<UInt8>, tolerating tolerance: Tolerance = []
    ) throws(CryptoError) -> [UInt8] {
        let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        if padding > 0 {
            guard tolerance.contains(.padding), padding <= 2, characters.count % 4 == 0 else {
                throw .notBase64(.padding)
            }
        }
        let count = characters.count - padding
        guard count % 4 != 1 else { throw .notBase64(.length(count)) }

        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 3 / 4)
        var bits: UInt32 = 0
        var pending = 0
        for (offset, character) in characters.prefix(count).enumerated() {
            guard let value = value(of: character, tolerance) else { throw .notBase64(.character(offset: offset)) }
            bits = bits << 6 | value
            pending += 6
            if pending >= 8 {
                pending -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(pending)))
            }
        }
        guard bits & (1 << UInt32(pending) - 1) == 0 else { throw .notBase64(.leftoverBits) }
        return bytes
    }

    private static func value(of character: UInt8, _ tolerance: Tolerance) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        case UInt8(ascii: "+") where tolerance.contains(.standardAlphabet): 62
        case UInt8(ascii: "/") where tolerance.contains(.standardAlphabet): 63
        default: nil
        }
    }
}
