public import Notifications

/// A push to one phone, for somebody who waits to see what comes of it.
public struct TestPush: Sendable {
    public let token: DeviceToken
    public let environment: PushEnvironment
    public let id: MessageID
    public let payload: [UInt8]

    public init(token: DeviceToken, environment: PushEnvironment, id: MessageID, payload: [UInt8]) {
        self.token = token
        self.environment = environment
        self.id = id
        self.payload = payload
    }
}

/// What became of a test push, with what it means for a person and what to do about it.
public struct TestPushAnswer: Sendable, Equatable {
    public enum State: String, Sendable {
        case accepted, rejected
        /// Sent, and no answer came.
        case unknown
        /// Certainly not sent.
        case unsent
        /// Not to be sent, since its payload would not do for this one.
        case suppressed
    }

    public var state: State
    /// Where it went; nil when it went nowhere.
    public var host: String?
    /// HTTP's.
    public var status: Int?
    /// Apple's word, or ours where Apple was not asked.
    public var reason: String?
    /// Since when the token is not valid, in milliseconds since 1970.
    public var invalidSince: Int64?
    /// Apple's key for the push in the console's delivery log; development only.
    public var uniqueID: String?
    public var meaning: String
    /// What to do; nil for nothing.
    public var remedy: String?

    public init(
        _ state: State, host: String? = nil, status: Int? = nil, reason: String? = nil, invalidSince: Int64? = nil,
        uniqueID: String? = nil, meaning: String, remedy: String? = nil
    ) {
        self.state = state
        self.host = host
        self.status = status
        self.reason = reason
        self.invalidSince = invalidSince
        self.uniqueID = uniqueID
        self.meaning = meaning
        self.remedy = remedy
    }
}
