/// A received request and its outcome, for people who want to see their pushes.
public struct ObservedPush: Sendable {
    /// Nil if a fault prevented an answer.
    public let status: Int?
    /// Apple's reason, if the push was rejected.
    public let reason: String?
    /// Mistakes of the sender that Apple does not reject.
    public let flags: PushWarnings
    /// The first digits of the device token: enough to tell devices apart, not enough to push to one.
    public let tokenStart: String
    /// Equal for pushes to the same device; see `hash(ofToken:)`. Nil if the path has no valid token.
    public let tokenHash: UInt64?
    /// The header fields of the request, in this order: topic, push type, priority, expiration, collapse id, id.
    public let headers: [Header]
    /// The payload as received, up to twice the size that Apple accepts.
    public let payload: [UInt8]
    /// The size of the complete payload, in bytes.
    public let payloadSize: Int

    public struct Header: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    public static func hash(ofToken bytes: [UInt8]) -> UInt64 { Hash64.of(bytes) }

    private static let shownFields: [PushRequest.Field] = [
        .topic, .pushType, .priority, .expiration, .collapseID, .id,
    ]
    private static let shownTokenDigits = 8

    init(
        status: Int?, reason: String?, flags: PushWarnings, tokenStart: String, tokenHash: UInt64?, headers: [Header],
        payload: [UInt8], payloadSize: Int
    ) {
        self.status = status
        self.reason = reason
        self.flags = flags
        self.tokenStart = tokenStart
        self.tokenHash = tokenHash
        self.headers = headers
        self.payload = payload
        self.payloadSize = payloadSize
    }

    init(_ request: PushRequest, _ check: RequestCheck, _ outcome: RequestOutcome) {
        status = outcome.status
        reason = outcome.reason
        flags = check.flags
        let token = request[.path]?.split(separator: UInt8(ascii: "/")).last ?? []
        tokenStart = String(decoding: token.prefix(Self.shownTokenDigits), as: UTF8.self)
        tokenHash = check.tokenHash
        headers = Self.shownFields.compactMap { field in
            request[field].map { Header(name: "\(field.name)", value: String(decoding: $0, as: UTF8.self)) }
        }
        payload = request.body
        payloadSize = request.bodySize
    }
}
