/// A key that encrypts secrets in the database. Reading the secrets requires both the database and this key.
///
/// A sealed secret consists of a version byte, the ID of its key, and what `AESGCM` returns. Secrets that were sealed
/// before keys had IDs lack the first two.
public struct SealingKey: Sendable, Redacted {
    /// The first byte of a sealed secret that names its key.
    static let version: UInt8 = 1

    public let id: SealingKeyID
    private let cipher: AESGCM

    /// Parses 64 hexadecimal digits or 32 bytes in base64. The error never contains the text.
    init(text: some StringProtocol) throws(CryptoError) {
        let text = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        let bytes =
            text.utf8.count == 2 * AESGCM.keyLength
            ? try Hex.decode(text) : try Base64URL.decode(text, tolerating: .lenient)
        cipher = try AESGCM(key: bytes)
        id = SealingKeyID(of: bytes)
    }

    /// The first bytes of every secret that this key seals.
    public var header: [UInt8] { [Self.version] + id.bytes }

    func seal(_ secret: [UInt8], at context: SealingContext) throws(CryptoError) -> [UInt8] {
        try header + cipher.seal(secret, authenticating: header + context.bytes)
    }

    /// Opens a secret that begins with this key's header.
    func open(_ sealed: [UInt8], at context: SealingContext) throws(CryptoError) -> [UInt8] {
        try cipher.open(Array(sealed.dropFirst(header.count)), authenticating: header + context.bytes)
    }

    /// Opens a secret without a header. Throws `authenticationFailed` if another key sealed it.
    func openWithoutHeader(_ sealed: [UInt8], at context: SealingContext) throws(CryptoError) -> [UInt8] {
        try cipher.open(sealed, authenticating: context.bytes)
    }
}

/// Tells sealing keys apart. It is derived from the key and reveals nothing about it, so it may be shown and logged.
public struct SealingKeyID: Hashable, Sendable, CustomStringConvertible {
    static let length = 8
    /// The beginning of a secret that names its key: a version, then the ID.
    public static let headerLength = 1 + length
    public static let headerVersion = SealingKey.version
    private static let message = Array("belfry sealing key id".utf8)

    let bytes: [UInt8]

    /// The first bytes of HMAC-SHA-256 of a fixed text.
    init(of key: [UInt8]) {
        bytes = Array(HMACSHA256.authenticate(Self.message, key: key).prefix(Self.length))
    }

    /// The ID that a sealed secret names; nil if it names none. A secret without a header begins with random bytes, so
    /// one in 256 of them appears to name a key.
    public init?(in sealed: [UInt8]) {
        guard sealed.first == SealingKey.version, sealed.count >= Self.headerLength else { return nil }
        bytes = Array(sealed[1...Self.length])
    }

    public var description: String { Hex.encode(bytes) }
}
