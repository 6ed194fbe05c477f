/// A request as it came and what became of it, for people who want to see their pushes.
public struct ObservedPush: Sendable {
    /// Nil when a fault kept it from being answered.
    public let status: Int?
    /// Apple's word, when it was refused.
    public let reason: String?
    /// What Apple lets pass and a good sender does not do.
    public let flags: Flags
    /// The first digits of the device token: enough to tell phones apart, not enough to push to one.
    public let tokenStart: String
    /// The header fields that came, in this order: topic, push type, priority, expiration, collapse id, id.
    public let headers: [Header]
    /// As it came, up to twice what Apple takes.
    public let payload: [UInt8]
    /// In bytes, of the whole payload.
    public let payloadSize: Int

    public struct Header: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    private static let shownFields: [PushRequest.Field] = [
        .topic, .pushType, .priority, .expiration, .collapseID, .id,
    ]
    private static let shownTokenDigits = 8

    init(_ request: PushRequest, _ check: Check, _ resolution: Resolution) {
        status = resolution.status
        reason = resolution.reason
        flags = check.flags
        let token = request[.path]?.split(separator: UInt8(ascii: "/")).last ?? []
        tokenStart = String(decoding: token.prefix(Self.shownTokenDigits), as: UTF8.self)
        headers = Self.shownFields.compactMap { field in
            request[field].map { Header(name: "\(field.name)", value: String(decoding: $0, as: UTF8.self)) }
        }
        payload = request.body
        payloadSize = request.bodySize
    }
}
