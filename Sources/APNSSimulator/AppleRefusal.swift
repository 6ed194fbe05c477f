/// An answer other than 200: Apple's status and reason, or an invented one.
public struct AppleRefusal: Hashable, Sendable {
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
extension AppleRefusal {
    public static let badCollapseID = AppleRefusal(status: 400, reason: "BadCollapseId")
    public static let badDeviceToken = AppleRefusal(status: 400, reason: "BadDeviceToken")
    public static let badExpirationDate = AppleRefusal(status: 400, reason: "BadExpirationDate")
    public static let badMessageID = AppleRefusal(status: 400, reason: "BadMessageId")
    public static let badPriority = AppleRefusal(status: 400, reason: "BadPriority")
    public static let badTopic = AppleRefusal(status: 400, reason: "BadTopic")
    public static let deviceTokenNotForTopic = AppleRefusal(status: 400, reason: "DeviceTokenNotForTopic")
    public static let duplicateHeaders = AppleRefusal(status: 400, reason: "DuplicateHeaders")
    public static let invalidPushType = AppleRefusal(status: 400, reason: "InvalidPushType")
    public static let missingDeviceToken = AppleRefusal(status: 400, reason: "MissingDeviceToken")
    public static let missingTopic = AppleRefusal(status: 400, reason: "MissingTopic")
    public static let payloadEmpty = AppleRefusal(status: 400, reason: "PayloadEmpty")
    public static let topicDisallowed = AppleRefusal(status: 400, reason: "TopicDisallowed")
    public static let expiredProviderToken = AppleRefusal(status: 403, reason: "ExpiredProviderToken")
    public static let invalidProviderToken = AppleRefusal(status: 403, reason: "InvalidProviderToken")
    public static let missingProviderToken = AppleRefusal(status: 403, reason: "MissingProviderToken")
    public static let unrelatedKey = AppleRefusal(status: 403, reason: "UnrelatedKeyIdInToken")
    public static let badPath = AppleRefusal(status: 404, reason: "BadPath")
    public static let methodNotAllowed = AppleRefusal(status: 405, reason: "MethodNotAllowed")
    public static let payloadTooLarge = AppleRefusal(status: 413, reason: "PayloadTooLarge")
    public static let tooManyProviderTokenUpdates = AppleRefusal(status: 429, reason: "TooManyProviderTokenUpdates")

    public static func unregistered(since milliseconds: Int64) -> AppleRefusal {
        AppleRefusal(status: 410, reason: "Unregistered", timestamp: milliseconds)
    }
}
