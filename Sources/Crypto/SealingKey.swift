/// The key under which secrets stand sealed in the database. Whoever has both the database and this key has the
/// secrets; one without the other is of no use.
public struct SealingKey: Sendable, Redacted {
    private let cipher: AESGCM

    /// From settings: 64 hexadecimal digits, or 32 bytes in base64. The error never repeats the text.
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

    /// Sealed bytes open only at the same place.
    public func seal(_ secret: [UInt8], at place: SealedPlace) throws(CryptoError) -> [UInt8] {
        try cipher.seal(secret, authenticating: Array(place.text.utf8))
    }

    /// `authenticationFailed` when the bytes were sealed under another key or for another place.
    public func open(_ sealed: [UInt8], at place: SealedPlace) throws(CryptoError) -> [UInt8] {
        try cipher.open(sealed, authenticating: Array(place.text.utf8))
    }
}

/// Why there is no usable sealing key, in words for whoever starts Belfry.
public enum SealingKeyError: Error, Equatable, CustomStringConvertible {
    case notAKey
    /// The path, and the reason as a clause.
    case unusableFile(String, String)
    /// The key opens nothing in this database.
    case wrongKey

    public var description: String {
        switch self {
        case .notAKey:
            "The sealing key must be 64 hexadecimal digits, or 32 bytes in base64. \"openssl rand -hex 32\" makes one."
        case .unusableFile(let path, let reason): "The sealing key's file \(path) cannot be used: \(reason)."
        case .wrongKey:
            "The sealing key is not the one that this database's secrets were sealed with. Start with that key; "
                + "without it the .p8 files must be uploaded anew into a fresh database."
        }
    }
}
