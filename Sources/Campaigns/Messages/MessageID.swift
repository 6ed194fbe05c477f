/// The id of one push to one device, which is also its apns-id: a UUIDv8 (RFC 9562 §5.8) of 40
/// bits message number, 44 bits device and a 38-bit tag under the app's key. It needs no column and
/// no lookup, and nobody without the key can create one.
public struct MessageID: Hashable, Sendable {
    public static let maximumMessageNumber: Int64 = 1 << 40 - 1
    public static let maximumDevice: Int64 = 1 << 44 - 1
    /// Length of the canonical text, 8-4-4-4-12.
    public static let textLength = 36

    /// The 122 bits that are ours, as two words with version and variant in their places.
    public let high: UInt64
    public let low: UInt64

    /// `tag` is the app's HMAC over `authenticatedBytes`; its first 38 bits are used.
    public init(messageNumber: Int64, device: Int64, tag: UInt64) {
        let number = UInt64(messageNumber)
        let device = UInt64(device)
        // 40 bits number, 8 bits device, 4 bits version, 12 bits device.
        var high = number << 24
        high |= (device >> 36 & 0xff) << 16
        high |= 0x8000 | (device >> 24 & 0xfff)
        // 2 bits variant, 24 bits device, 38 bits tag.
        var low: UInt64 = 0b10 << 62
        low |= (device & 0xff_ffff) << 38
        low |= tag >> 26
        self.init(high: high, low: low)
    }

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public var messageNumber: Int64 { Int64(high >> 24) }
    public var device: Int64 {
        var device = (high >> 16 & 0xff) << 36
        device |= (high & 0xfff) << 24
        device |= low >> 38 & 0xff_ffff
        return Int64(device)
    }

    /// Whether the id carries the tag that the key gives.
    public func hasTag(_ tag: UInt64) -> Bool { low & 0x3f_ffff_ffff == tag >> 26 }

    /// The bytes that the tag authenticates: message number and device as 16 bytes, big-endian.
    public static func writeAuthenticatedBytes(
        messageNumber: Int64, device: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) {
        buffer.storeBytes(of: messageNumber.bigEndian, toByteOffset: 0, as: Int64.self)
        buffer.storeBytes(of: device.bigEndian, toByteOffset: 8, as: Int64.self)
    }
    public static let authenticatedLength = 16

    /// Writes the canonical lower-case text, 36 bytes.
    public func write(into buffer: UnsafeMutableRawBufferPointer) {
        var position = 0
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                buffer[position] = UInt8(ascii: "-")
                position += 1
            }
            let word = index < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (index & 15)) & 0xf)
            buffer[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            position += 1
        }
    }

    /// Reads the canonical text, in either case; nil for anything else.
    ///
    /// Inlinable, because another module would otherwise run it unspecialized: 2.5 µs instead of 0.1.
    @inlinable
    public init?(text: some Collection<UInt8>) {
        guard text.count == Self.textLength else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (position, byte) in text.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            if digits < 16 {
                halves.0 = halves.0 << 4 | UInt64(digit)
            } else {
                halves.1 = halves.1 << 4 | UInt64(digit)
            }
            digits += 1
        }
        guard halves.0 & 0xf000 == 0x8000, halves.1 >> 62 == 0b10 else { return nil }
        self.init(high: halves.0, low: halves.1)
    }

    public var text: String {
        String(unsafeUninitializedCapacity: Self.textLength) { buffer in
            write(into: UnsafeMutableRawBufferPointer(buffer))
            return Self.textLength
        }
    }
}
