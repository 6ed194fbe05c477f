import COpenSSL

/// A private key for ES256 (RFC 7518 §3.4), as contained in Apple's .p8 files.
public struct SigningKey: Sendable, Redacted {
    /// PKCS#8, as in a .p8 file. A secret.
    public let pem: String
    public let publicKey: VerifyingKey
    let key: P256Key

    /// Reads PKCS#8, or the older "EC PRIVATE KEY", in any form that `PEM` repairs.
    /// Every other key is rejected: `notAPrivateKey` (none, encrypted, damaged) or `notP256`.
    public init(pem: String) throws(CryptoError) {
        try self.init(file: pem.utf8)
    }

    /// The same for the bytes of a file.
    public init(file bytes: some Collection<UInt8>) throws(CryptoError) {
        try self.init(P256Key.readPrivate(bytes))
    }

    public static func generate() throws(CryptoError) -> SigningKey {
        try SigningKey(P256Key.generate())
    }

    private init(_ key: P256Key) throws(CryptoError) {
        self.key = key
        pem = try key.privatePEM()
        publicKey = try VerifyingKey(key)
    }

    /// Returns the signature as the 64 bytes R‖S of JOSE.
    public func signature(for message: some Collection<UInt8>) throws(CryptoError) -> [UInt8] {
        try ECDSASignature.raw(fromDER: derSignature(for: message))
    }

    /// Returns the signature in ASN.1 DER, usually 68 to 72 bytes, as TLS and Java use it.
    public func derSignature(for message: some Collection<UInt8>) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw .failed(to: "reserve memory") }
        defer { EVP_MD_CTX_free(context) }
        let message = Array(message)
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key.handle)))
        var count = signature.count
        guard EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key.handle, nil) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw .failed(to: "sign") }
        return Array(signature.prefix(count))
    }
}
