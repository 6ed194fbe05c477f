import COpenSSL

/// Cryptographically secure random bytes from OpenSSL's generator, which the system seeds.
public enum RandomBytes {
    /// Bytes per call.
    public static let maximumCount = 1 << 20

    public static func make(count: Int) throws(CryptoError) -> [UInt8] {
        guard 0...maximumCount ~= count else {
            throw .outOfRange("At most \(maximumCount) random bytes can be requested in one call, not \(count).")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw .failed(to: "make random bytes") }
        return bytes
    }
}
