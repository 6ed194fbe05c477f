import COpenSSL

/// The public key of a `SigningKey`; the simulator verifies provider tokens with it.
public struct VerifyingKey: Sendable {
    /// SubjectPublicKeyInfo, "PUBLIC KEY".
    public let pem: String
    let key: P256Key

    /// Throws `notAPublicKey` or `notP256`.
    public init(pem: String) throws(CryptoError) {
        try self.init(P256Key.readPublic(pem.utf8))
    }

    init(_ key: P256Key) throws(CryptoError) {
        self.key = key
        pem = try key.publicPEM()
    }

    /// Accepts both the 64 bytes R‖S of JOSE and ASN.1 DER, as Apple does (Pushy signs in DER).
    public func isValid(signature: [UInt8], for message: some Collection<UInt8>) -> Bool {
        let message = Array(message)
        if signature.count == ECDSASignature.rawLength,
            let der = ECDSASignature.der(fromRaw: signature), isValid(der: der, for: message)
        {
            return true
        }
        return isValid(der: signature, for: message)
    }

    private func isValid(der: [UInt8], for message: [UInt8]) -> Bool {
        // Negative results mean malformed signatures, which are invalid too.
        defer { CryptoError.clearErrors() }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, key.handle, nil) == 1
            && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }
}

extension VerifyingKey: Equatable {
    public static func == (one: VerifyingKey, other: VerifyingKey) -> Bool { one.pem == other.pem }
}
