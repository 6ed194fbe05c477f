public import Crypto
public import Notifications

/// A JSON web token that names the sending team, signed with ES256 by Apple's .p8 key. Apple accepts tokens of up to
/// 60 minutes, and a new one every 20 minutes at most ("Establishing a token-based connection").
public struct ProviderToken: Sendable, Equatable {
    /// Seconds since 1970, the token's `iat`.
    public let issuedAt: Int
    /// The value of the `authorization` header: "bearer" and the token.
    let authorization: [UInt8]

    public init(key: SigningKey, keyID: KeyID, teamID: TeamID, issuedAt: Int) throws(CryptoError) {
        let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"\#(keyID.text)"}"#.utf8))
        let claims = Base64URL.encode(Array(#"{"iss":"\#(teamID.text)","iat":\#(issuedAt)}"#.utf8))
        let signed = "\(header).\(claims)"
        let signature = try key.signature(for: Array(signed.utf8))
        self.init(text: "\(signed).\(Base64URL.encode(signature))", issuedAt: issuedAt)
    }

    /// A token that another process created.
    public init(text: String, issuedAt: Int) {
        self.issuedAt = issuedAt
        authorization = Array("bearer \(text)".utf8)
    }

    /// The token itself, to be sealed in the database. A secret.
    public var text: String { String(decoding: authorization.dropFirst("bearer ".utf8.count), as: UTF8.self) }
}

/// Provides the provider token of connections, created for one process or shared by a cluster.
public protocol ProviderTokenSource: Sendable {
    /// Returns a valid token; the same one as long as it is valid.
    func token() async throws -> ProviderToken
    /// Returns a new token because Apple reported `token` as expired; `token` itself if it is too young to be replaced.
    func replace(_ token: ProviderToken) async throws -> ProviderToken
}
