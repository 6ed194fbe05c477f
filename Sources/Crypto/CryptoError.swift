/// An error of a cryptographic operation. No case contains key material or the rejected text.
public enum CryptoError: Error, Equatable, Sendable {
    /// The reason is a clause: "the file contains a public key".
    case notAPrivateKey(String)
    case notAPublicKey(String)
    case notACertificate(String)
    /// The key is readable but of another type.
    case notP256(OtherKey)
    /// The sealed bytes were changed, truncated, or sealed with another key or context.
    case authenticationFailed
    /// The sealed bytes name a sealing key that this process does not have.
    case sealingKeyMissing(SealingKeyID)
    case notBase64(EncodingFault)
    case notHexadecimal(EncodingFault)
    case notAPasswordHash(String)
    /// An argument is out of range; the string is a complete sentence.
    case outOfRange(String)
    /// OpenSSL failed unexpectedly: out of memory, no entropy, or a broken installation.
    case openSSL(operation: String, detail: String)

    /// A kind of key that Apple does not use.
    public enum OtherKey: Equatable, Sendable, CustomStringConvertible {
        case rsa, p384, p521
        case curve(String)
        case type(String)

        /// For an error: "an RSA key".
        public var description: String {
            switch self {
            case .rsa: "an RSA key"
            case .p384: "an EC P-384 key"
            case .p521: "an EC P-521 key"
            case .curve(let name): "an EC key on the curve \(name)"
            case .type(let name): "a key of type \(name)"
            }
        }
    }

    /// The fault in an encoded text. It contains only offsets and lengths, because the text may be a secret.
    public enum EncodingFault: Equatable, Sendable {
        case length(Int)
        case character(offset: Int)
        case padding
        /// The last character has unused bits that are not 0, so two texts would decode to the same bytes.
        case leftoverBits
    }
}

extension CryptoError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAPrivateKey(let reason): "This is not a usable private key: \(reason)."
        case .notAPublicKey(let reason): "This is not a usable public key: \(reason)."
        case .notACertificate(let reason): "This is not a usable certificate: \(reason)."
        case .notP256(let found): "The file contains \(found); Apple's keys are EC P-256."
        case .authenticationFailed: "The sealed bytes were changed, cut short, or sealed under another key."
        case .sealingKeyMissing(let id): "The bytes were sealed with the sealing key \(id), which this process lacks."
        case .notBase64(let fault): "This is not base64url: \(fault)."
        case .notHexadecimal(let fault): "This is not hexadecimal: \(fault)."
        case .notAPasswordHash(let reason): "The stored password hash cannot be read: \(reason)."
        case .outOfRange(let sentence): sentence
        case .openSSL(let operation, let detail): "OpenSSL could not \(operation): \(detail)."
        }
    }
}

extension CryptoError.EncodingFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .length(let count): "a text of \(count) characters is truncated"
        case .character(let offset): "unexpected character at offset \(offset)"
        case .padding: "invalid padding"
        case .leftoverBits: "the last character has leftover bits"
        }
    }
}
