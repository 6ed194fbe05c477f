public import Crypto
public import Notifications

/// A JSON web token that says which team sends, signed with ES256 by Apple's .p8 key. Apple wants
/// one no younger than 20 and no older than 60 minutes ("Establishing a token-based connection").
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

    /// A token that another process made.
    public init(text: String, issuedAt: Int) {
        self.issuedAt = issuedAt
        authorization = Array("bearer \(text)".utf8)
    }

    /// The token itself, for sealing it in the database. A secret.
    public var text: String { String(decoding: authorization.dropFirst("bearer ".utf8.count), as: UTF8.self) }
}

/// Where connections get their provider token. Made in one process alone, or shared by a cluster.
public protocol ProviderTokenSource: Sendable {
    /// A token that is fit for use; the same one for as long as it is.
    func token() async throws -> ProviderToken
    /// Apple called `token` expired: another one, unless it is too young to be replaced.
    func replace(_ token: ProviderToken) async throws -> ProviderToken
}
