/// Apple's answer to a push, as far as the ledger has it: the status follows from the reason, as Apple's page "Handling
/// notification responses from APNs" lists them.
public struct AppleAnswer: Hashable, Sendable {
    /// Nil for a reason that is not on that page.
    public let status: Int?
    /// Nil for a push that Apple accepted.
    public let reason: String?

    /// Nil for outcomes without an answer.
    public init?(_ kind: OutcomeKind, reason: String) {
        switch kind {
        case .accepted:
            status = 200
            self.reason = nil
        case .rejected:
            status = Self.status(of: reason)
            self.reason = reason
        case .pending, .suppressed, .expired, .cancelled, .unknown, .deferred: return nil
        }
    }

    /// A rejection that is not the push's last outcome.
    public init(temporary reason: String) {
        status = Self.status(of: reason)
        self.reason = reason
    }

    /// The reason with its status, like "TooManyRequests (429)".
    public var name: String {
        (reason ?? "accepted") + (status.map { " (\($0))" } ?? "")
    }

    private static func status(of reason: String) -> Int? {
        switch reason {
        case "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
            "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
            "MissingTopic", "PayloadEmpty", "TopicDisallowed":
            400
        case "BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken", "Forbidden", "InvalidProviderToken",
            "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken":
            403
        case "BadPath": 404
        case "MethodNotAllowed": 405
        case "ExpiredToken", "Unregistered": 410
        case "PayloadTooLarge": 413
        case "TooManyProviderTokenUpdates", "TooManyRequests": 429
        case "InternalServerError": 500
        case "ServiceUnavailable", "Shutdown": 503
        default: nil
        }
    }
}
