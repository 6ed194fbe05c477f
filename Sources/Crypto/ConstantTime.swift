import COpenSSL

/// Compares secrets in a time that depends only on their length, which is not secret.
public func constantTimeEquals(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
}
