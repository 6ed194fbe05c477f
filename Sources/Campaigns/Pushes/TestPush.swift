public import JSON
public import Notifications

/// A push to one device, for a person who waits for the result.
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

/// The result of a test push, with its meaning and what to do about it.
public struct TestPushResult: Sendable, Equatable {
    public enum State: String, Sendable {
        case accepted, rejected
        /// Sent, without a response.
        case unknown
        /// Certainly not sent.
        case notSent = "not_sent"
        /// Not sent, because the payload is not valid for this device.
        case suppressed
    }

    public var state: State
    /// The environment it was sent to; nil if it was not sent.
    public var host: String?
    /// The HTTP status.
    public var status: Int?
    /// Apple's reason, or Belfry's if the push was not sent.
    public var reason: String?
    /// When the token became invalid, in milliseconds since 1970.
    public var invalidSince: Int64?
    /// Apple's key for the push in the console's delivery log; development only.
    public var uniqueID: String?
    public var meaning: Message
    /// The action to take; nil for none.
    public var remedy: Message?

    public init(
        _ state: State, host: String? = nil, status: Int? = nil, reason: String? = nil, invalidSince: Int64? = nil,
        uniqueID: String? = nil, meaning: Message, remedy: Message? = nil
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
