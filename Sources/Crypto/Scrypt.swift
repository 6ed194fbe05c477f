import COpenSSL

/// scrypt (RFC 7914), a key derivation that is slow and uses much memory by design. Do not run it on an event loop.
public enum Scrypt {
    /// Maximum memory of one derivation, in bytes; 128 · r · (n + p) are needed.
    public static let maximumMemory = 256 << 20
    public static let maximumBlockSize = 64
    public static let maximumParallelism = 64
    /// Bytes.
    public static let maximumOutputLength = 1_024

    /// `n` must be a power of two, 2 or greater. Throws `outOfRange` for an invalid parameter.
    public static func derive(
        password: [UInt8], salt: [UInt8], n: Int, r: Int, p: Int, length: Int
    ) throws(CryptoError) -> [UInt8] {
        guard n > 1, n <= maximumMemory, n & (n - 1) == 0 else {
            throw .outOfRange("scrypt's n must be a power of two, 2 or greater, not \(n).")
        }
        guard 1...maximumBlockSize ~= r, 1...maximumParallelism ~= p else {
            throw .outOfRange("scrypt's r and p must be from 1 to 64, not \(r) and \(p).")
        }
        // RFC 7914 §2: n < 2^(128 · r / 8).
        guard r >= 4 || n < 1 << (16 * r) else {
            throw .outOfRange("scrypt's n must be less than 2^(16r); n is \(n) and r is \(r).")
        }
        guard 1...maximumOutputLength ~= length else {
            throw .outOfRange("scrypt's output must have 1 to \(maximumOutputLength) bytes, not \(length).")
        }
        // OpenSSL counts two blocks more than the RFC.
        let memory = 128 * r * (n + p + 2)
        guard memory <= maximumMemory else {
            throw .outOfRange("scrypt with n \(n), r \(r), p \(p) needs more than \(maximumMemory) bytes of memory.")
        }
        var derived = [UInt8](repeating: 0, count: length)
        let characters = password.map { CChar(bitPattern: $0) }
        guard
            EVP_PBE_scrypt(
                characters, characters.count, salt, salt.count,
                UInt64(n), UInt64(r), UInt64(p), UInt64(memory), &derived, length) == 1
        else { throw .failed(to: "derive a key with scrypt") }
        return derived
    }
}
