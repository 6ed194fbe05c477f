/// A response other than 200, with one of Apple's statuses and reasons or an invented one.
public struct APNSRejection: Hashable, Sendable {
    public let status: Int
    public let reason: String
    /// Milliseconds since 1970; set only with 410.
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

/// The reasons from Apple's table for device pushes that the simulator returns without an injected fault.
extension APNSRejection {
    public static let badCollapseID = APNSRejection(status: 400, reason: "BadCollapseId")
    public static let badDeviceToken = APNSRejection(status: 400, reason: "BadDeviceToken")
    public static let badExpirationDate = APNSRejection(status: 400, reason: "BadExpirationDate")
    public static let badMessageID = APNSRejection(status: 400, reason: "BadMessageId")
    public static let badPriority = APNSRejection(status: 400, reason: "BadPriority")
    public static let badTopic = APNSRejection(status: 400, reason: "BadTopic")
    public static let deviceTokenNotForTopic = APNSRejection(status: 400, reason: "DeviceTokenNotForTopic")
    public static let duplicateHeaders = APNSRejection(status: 400, reason: "DuplicateHeaders")
    public static let invalidPushType = APNSRejection(status: 400, reason: "InvalidPushType")
    public static let missingDeviceToken = APNSRejection(status: 400, reason: "MissingDeviceToken")
    public static let missingTopic = APNSRejection(status: 400, reason: "MissingTopic")
    public static let payloadEmpty = APNSRejection(status: 400, reason: "PayloadEmpty")
    public static let topicDisallowed = APNSRejection(status: 400, reason: "TopicDisallowed")
    public static let expiredProviderToken = APNSRejection(status: 403, reason: "ExpiredProviderToken")
    public static let invalidProviderToken = APNSRejection(status: 403, reason: "InvalidProviderToken")
    public static let missingProviderToken = APNSRejection(status: 403, reason: "MissingProviderToken")
    public static let unrelatedKey = APNSRejection(status: 403, reason: "UnrelatedKeyIdInToken")
    public static let badPath = APNSRejection(status: 404, reason: "BadPath")
    public static let methodNotAllowed = APNSRejection(status: 405, reason: "MethodNotAllowed")
    public static let payloadTooLarge = APNSRejection(status: 413, reason: "PayloadTooLarge")
    public static let tooManyProviderTokenUpdates = APNSRejection(status: 429, reason: "TooManyProviderTokenUpdates")

    public static func unregistered(since milliseconds: Int64) -> APNSRejection {
        APNSRejection(status: 410, reason: "Unregistered", timestamp: milliseconds)
    }
}
