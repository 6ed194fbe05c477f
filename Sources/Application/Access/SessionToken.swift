public import Crypto

/// The secret in a session's cookie: 256 random bits.
public struct SessionToken: Redacted, Sendable {
    /// Characters of base64url.
    static let length = 43

    public let text: String

    public static func make() throws(CryptoError) -> SessionToken {
        SessionToken(checked: Base64URL.encode(try RandomBytes.make(count: 32)))
    }

    /// Nil for a text that no cookie of Belfry's has.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.length else { return nil }
        self.text = String(text)
    }

    private init(checked text: String) {
        self.text = text
    }

    public var hash: [UInt8] { SHA256.hash(text.utf8) }

    /// A second secret, which a page sends in a header when its browser says nothing about where a request comes from.
    /// Another site can't read it, and the cookie can't be computed from it.
    public var crossSiteToken: String { Base64URL.encode(SHA256.hash(("cross-site " + text).utf8)) }
}
