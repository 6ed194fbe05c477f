public import JSON

/// Apple's address of one app on one device. Its length is not fixed. Anyone with the token and a key can send pushes
/// to the device, so it is never shown in logs, messages or debuggers.
public struct DeviceToken: Sendable, Hashable {
    public let bytes: [UInt8]

    /// In bytes. Current tokens have 32, those of Live Activities more; Apple warns against relying on the length.
    public static let maximumSize = 200

    public init(bytes: [UInt8]) throws(InvalidValue) {
        guard !bytes.isEmpty else { throw InvalidValue("empty", "must not be empty") }
        guard bytes.count <= Self.maximumSize else {
            throw InvalidValue("too-long", "must be at most \(Self.maximumSize) bytes, not \(bytes.count)")
        }
        self.bytes = bytes
    }

    /// Accepts only hexadecimal digits, in either case. Spaces and brackets are rejected, not stripped: an app that
    /// sends them uses the description of its data, which newer systems truncate.
    public init(hex: String) throws(InvalidValue) {
        let digits = hex.utf8
        guard digits.count <= 2 * Self.maximumSize else {
            throw InvalidValue(
                "too-long", "must be at most \(2 * Self.maximumSize) hexadecimal digits, not \(digits.count)")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = HexDigit.value(digit) else {
                throw Self.notHexadecimal(hex)
            }
            if let upper = high {
                bytes.append(upper << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil else {
            throw InvalidValue("odd-digits", "must have two hexadecimal digits for each byte; one is missing")
        }
        try self.init(bytes: bytes)
    }

    private static func notHexadecimal(_ text: String) -> InvalidValue {
        let isBase64 =
            text.utf8.count >= 8 && text.utf8.count % 4 == 0
            && text.wholeMatch(of: /[A-Za-z0-9+\/_-]+={0,2}/) != nil
        return isBase64
            ? InvalidValue(
                "looks-like-base64",
                "looks like base64; send the bytes of the token as hexadecimal digits, two for each byte")
            : InvalidValue(
                "not-hexadecimal",
                "must consist of the hexadecimal digits 0 to 9 and a to f, with no spaces, brackets or dashes")
    }

    /// Hashes all bytes in one call; an array would hash them one by one.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// In lower case, two digits per byte, as in Apple's `:path`.
    public var hex: String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
            for (index, byte) in bytes.enumerated() {
                digits[2 * index] = HexDigit.digit(byte >> 4)
                digits[2 * index + 1] = HexDigit.digit(byte & 0xF)
            }
            return 2 * bytes.count
        }
    }
}

extension DeviceToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "device token of \(bytes.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
