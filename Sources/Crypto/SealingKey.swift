/// The key that encrypts secrets in the database. Reading the secrets requires both the database and this key.
public struct SealingKey: Sendable, Redacted {
    private let cipher: AESGCM

    /// Parses a setting: 64 hexadecimal digits or 32 bytes in base64. The error never contains the text.
    public init(text: String) throws(SealingKeyError) {
        let text = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        let bytes: [UInt8]
        do {
            bytes =
                text.utf8.count == 2 * AESGCM.keyLength
                ? try Hex.decode(text) : try Base64URL.decode(text, tolerating: .lenient)
            cipher = try AESGCM(key: bytes)
        } catch {
            throw .notAKey
        }
    }

    /// Seals a secret. The sealed bytes open only with the same context.
    public func seal(_ secret: [UInt8], at context: SealingContext) throws(CryptoError) -> [UInt8] {
        try cipher.seal(secret, authenticating: Array(context.text.utf8))
    }

    /// Opens sealed bytes. Throws `authenticationFailed` if they were sealed with another key or context.
    public func open(_ sealed: [UInt8], at context: SealingContext) throws(CryptoError) -> [UInt8] {
        try cipher.open(sealed, authenticating: Array(context.text.utf8))
    }
}

/// The reason why a sealing key can't be used. Descriptions are for the operator.
public enum SealingKeyError: Error, Equatable, CustomStringConvertible {
    case notAKey
    /// The path, and the reason as a clause.
    case unusableFile(String, String)
    /// The key does not open the secrets of this database.
    case wrongKey

    public var description: String {
        switch self {
        case .notAKey:
            "The sealing key must be 64 hexadecimal digits or 32 bytes in base64. "
                + "Create one with \"openssl rand -hex 32\"."
        case .unusableFile(let path, let reason): "The sealing key file \(path) can't be used: \(reason)."
        case .wrongKey:
            "This database's secrets were sealed with a different sealing key. Start Belfry with that key; "
                + "without it, the .p8 files must be uploaded again to a new database."
        }
    }
}
