/// What can go wrong in cryptography, in words for the person who holds the key. No case carries
/// key material or the text that was refused.
public enum CryptoError: Error, Equatable, Sendable {
    /// The reason is a clause: "the file holds a public key".
    case notAPrivateKey(String)
    case notAPublicKey(String)
    case notACertificate(String)
    /// A key that can be read, of another kind; the string names it: "an RSA key".
    case notP256(String)
    /// The sealed bytes were changed, cut, or sealed under another key or for another purpose.
    case authenticationFailed
    case notBase64(TextFault)
    case notHexadecimal(TextFault)
    case notAPasswordHash(String)
    /// An argument beyond its stated range; the string is a whole sentence.
    case outOfRange(String)
    /// OpenSSL refused what should have worked: memory, entropy, a broken installation.
    case openSSL(operation: String, detail: String)

    /// Where an encoded text is at fault: offsets and lengths only, as the text may be a secret.
    public enum TextFault: Equatable, Sendable {
        case length(Int)
        case character(offset: Int)
        case padding
        /// The last character has bits that belong to no byte, so that two texts would mean the same.
        case leftoverBits
    }
}

extension CryptoError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAPrivateKey(let reason): "This is not a usable private key: \(reason)."
        case .notAPublicKey(let reason): "This is not a usable public key: \(reason)."
        case .notACertificate(let reason): "This is not a usable certificate: \(reason)."
        case .notP256(let found): "The file holds \(found); Apple's keys are EC P-256."
        case .authenticationFailed: "The sealed bytes were changed, cut short, or sealed under another key."
        case .notBase64(let fault): "This is not base64url: \(fault)."
        case .notHexadecimal(let fault): "This is not hexadecimal: \(fault)."
        case .notAPasswordHash(let reason): "The stored password hash cannot be read: \(reason)."
        case .outOfRange(let sentence): sentence
        case .openSSL(let operation, let detail): "OpenSSL could not \(operation): \(detail)."
        }
    }
}

extension CryptoError.TextFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .length(let count): "a text of \(count) characters is cut short"
        case .character(let offset): "unexpected character at offset \(offset)"
        case .padding: "unexpected or wrong padding"
        case .leftoverBits: "the last character has leftover bits"
        }
    }
}
