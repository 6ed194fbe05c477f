/// Hexadecimal encoding, as in device tokens and apns-ids.
public enum Hex {
    /// Encodes bytes as lower-case digits, two per byte.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            bytes.withUnsafeBytes { encode($0, into: UnsafeMutableRawBufferPointer(text)) }
            return bytes.count * 2
        }
    }

    /// Writes two lower-case digits per byte to the start of `text`, which has room for them; allocates nothing.
    public static func encode(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) {
        precondition(text.count >= bytes.count * 2, "Two digits a byte")
        guard let source = bytes.baseAddress, let target = text.baseAddress else { return }
        // Arithmetic instead of a table: the compiler turns it into vector instructions.
        for index in 0..<bytes.count {
            let byte = source.load(fromByteOffset: index, as: UInt8.self)
            target.storeBytes(of: digit(byte >> 4), toByteOffset: 2 &* index, as: UInt8.self)
            target.storeBytes(of: digit(byte & 15), toByteOffset: 2 &* index &+ 1, as: UInt8.self)
        }
    }

    /// Accepts upper and lower case. Throws `notHexadecimal`, with an offset in bytes of UTF-8.
    public static func decode(_ text: some StringProtocol) throws(CryptoError) -> [UInt8] {
        try decode(Array(text.utf8))
    }

    /// The same for digits as UTF-8 bytes.
    public static func decode(_ digits: some Collection<UInt8>) throws(CryptoError) -> [UInt8] {
        let digits = Array(digits)
        guard digits.count.isMultiple(of: 2) else { throw .notHexadecimal(.length(digits.count)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for offset in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[offset]) else { throw .notHexadecimal(.character(offset: offset)) }
            guard let low = value(of: digits[offset + 1]) else {
                throw .notHexadecimal(.character(offset: offset + 1))
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        // 39 is the distance from ":", which follows "9", to "a"; (value + 6) >> 4 is 1 for values of ten and more.
        UInt8(ascii: "0") &+ value &+ ((value &+ 6) >> 4) &* 39
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
