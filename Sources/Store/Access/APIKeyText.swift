import Crypto

/// The form of a key's text: `bfs_` or `bfp_`, 43 random characters of base64url, and a checksum of 6. Keys from before
/// have no checksum.
public enum APIKeyText {
    /// 256 bits: nobody guesses one.
    static let randomBytes = 32
    static let checksumLength = 6
    static let lengthWithoutChecksum = 4 + 43
    public static let length = lengthWithoutChecksum + checksumLength
    /// Characters that are stored and shown.
    public static let prefixLength = 8

    static func make(_ kind: APIKey.Kind) throws(CryptoError) -> String {
        let text = kind.prefix + Base64URL.encode(try RandomBytes.make(count: randomBytes))
        return text + checksum(of: text)
    }

    /// True if there can be such a key. With a checksum, a mistyped or invented key costs no query.
    public static func isPlausible(_ text: String) -> Bool {
        guard text.hasPrefix("bfs_") || text.hasPrefix("bfp_") else { return false }
        switch text.utf8.count {
        case lengthWithoutChecksum: return true
        case length: return text.hasSuffix(checksum(of: text.prefix(lengthWithoutChecksum)))
        default: return false
        }
    }

    static func shownPrefix(of text: String) -> String { String(text.prefix(prefixLength)) }

    private static func checksum(of text: some StringProtocol) -> String {
        String(Base64URL.encode(SHA256.hash(text.utf8)).prefix(checksumLength))
    }
}
