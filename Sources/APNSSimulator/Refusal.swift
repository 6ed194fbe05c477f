/// An answer other than 200: Apple's status and reason, or an invented one.
public struct Refusal: Hashable, Sendable {
    public let status: Int
    public let reason: String
    /// Milliseconds since 1970; only with 410.
    public var timestamp: Int64?

    public init(status: Int, reason: String, timestamp: Int64? = nil) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
    }

    var body: String {
        guard let timestamp else { return #"{"reason":"\#(reason)"}"# }
        return #"{"reason":"\#(reason)","timestamp":\#(timestamp)}"#
    }
}

/// The reasons in Apple's table for device pushes that this simulator gives by itself.
extension Refusal {
    public static let badCollapseID = Refusal(status: 400, reason: "BadCollapseId")
    public static let badDeviceToken = Refusal(status: 400, reason: "BadDeviceToken")
    public static let badExpirationDate = Refusal(status: 400, reason: "BadExpirationDate")
    public static let badMessageID = Refusal(status: 400, reason: "BadMessageId")
    public static let badPriority = Refusal(status: 400, reason: "BadPriority")
    public static let badTopic = Refusal(status: 400, reason: "BadTopic")
    public static let deviceTokenNotForTopic = Refusal(status: 400, reason: "DeviceTokenNotForTopic")
    public static let duplicateHeaders = Refusal(status: 400, reason: "DuplicateHeaders")
    public static let invalidPushType = Refusal(status: 400, reason: "InvalidPushType")
    public static let missingDeviceToken = Refusal(status: 400, reason: "MissingDeviceToken")
    public static let missingTopic = Refusal(status: 400, reason: "MissingTopic")
    public static let payloadEmpty = Refusal(status: 400, reason: "PayloadEmpty")
    public static let topicDisallowed = Refusal(status: 400, reason: "TopicDisallowed")
    public static let expiredProviderToken = Refusal(status: 403, reason: "ExpiredProviderToken")
    public static let invalidProviderToken = Refusal(status: 403, reason: "InvalidProviderToken")
    public static let missingProviderToken = Refusal(status: 403, reason: "MissingProviderToken")
    public static let unrelatedKey = Refusal(status: 403, reason: "UnrelatedKeyIdInToken")
    public static let badPath = Refusal(status: 404, reason: "BadPath")
    public static let methodNotAllowed = Refusal(status: 405, reason: "MethodNotAllowed")
    public static let payloadTooLarge = Refusal(status: 413, reason: "PayloadTooLarge")
    public static let tooManyProviderTokenUpdates = Refusal(status: 429, reason: "TooManyProviderTokenUpdates")

    public static func unregistered(since milliseconds: Int64) -> Refusal {
        Refusal(status: 410, reason: "Unregistered", timestamp: milliseconds)
    }
}
