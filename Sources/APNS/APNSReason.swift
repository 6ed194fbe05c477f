/// Why Apple refused a push: every reason of Apple's page "Handling notification responses from
/// APNs". A reason that is not among them is kept word for word in a `ReasonTable`.
public enum APNSReason: String, CaseIterable, Hashable, Sendable {
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case topicDisallowed = "TopicDisallowed"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case expiredProviderToken = "ExpiredProviderToken"
    case forbidden = "Forbidden"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyIDInToken = "UnrelatedKeyIdInToken"
    case badEnvironmentKeyIDInToken = "BadEnvironmentKeyIdInToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case expiredToken = "ExpiredToken"
    case unregistered = "Unregistered"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case tooManyRequests = "TooManyRequests"
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"

    /// Understands the spellings seen on the wire beside Apple's own.
    public init?(text: String) {
        switch text {
        case "BadEnvironmentKeyInToken": self = .badEnvironmentKeyIDInToken
        case "Service Unavailable": self = .serviceUnavailable
        default: self.init(rawValue: text)
        }
    }
}

/// What a sender does about an answer that is not 200.
public enum RejectionAction: Hashable, Sendable {
    /// A fault of the request: the same request would be refused again. Tell a person.
    case fix
    /// The token is gone; it may be dropped if it was registered before Apple's timestamp.
    case dropToken
    /// The token is malformed or of the other environment: never again, but only drop it while
    /// such answers are rare; many of them mean that the host is the wrong one.
    case suspectToken
    /// The token belongs to another topic.
    case detachToken
    /// Credential, topic or environment: everything else will be refused too.
    case stop
    /// The connection is of no more use, the push is: once more on a new one, at once.
    case reconnect
    /// A new provider token, and a new connection for it: this one would go on refusing.
    case renewToken
    /// Apple has seen too many provider tokens: keep the old one and wait a little.
    case keepToken
    /// Too many for this device: later, and slower.
    case retryDevice
    /// Apple's trouble: later, Apple says after 15 minutes.
    case retryLater
}

extension APNSReason {
    public var action: RejectionAction {
        switch self {
        case .badCollapseID, .badExpirationDate, .badMessageID, .badPriority, .duplicateHeaders, .invalidPushType,
            .missingDeviceToken, .missingTopic, .payloadEmpty, .badPath, .methodNotAllowed, .payloadTooLarge:
            .fix
        case .badDeviceToken: .suspectToken
        case .deviceTokenNotForTopic: .detachToken
        case .expiredToken, .unregistered: .dropToken
        case .badTopic, .topicDisallowed, .badCertificate, .badCertificateEnvironment, .forbidden,
            .invalidProviderToken, .missingProviderToken, .badEnvironmentKeyIDInToken:
            .stop
        case .idleTimeout, .shutdown, .unrelatedKeyIDInToken: .reconnect
        case .expiredProviderToken: .renewToken
        case .tooManyProviderTokenUpdates: .keepToken
        case .tooManyRequests: .retryDevice
        case .internalServerError, .serviceUnavailable: .retryLater
        }
    }
}

extension APNSReason {
    /// Whether it is the credential's fault when its action has not helped: everything else will be refused too.
    public var isOfCredentialIfItStays: Bool {
        switch self {
        case .expiredProviderToken, .unrelatedKeyIDInToken: true
        default: action == .stop
        }
    }
}

extension RejectionAction {
    /// For an unknown reason: 4xx is not tried again blindly, 5xx is.
    public init(status: Int) {
        self =
            switch status {
            case 410: .dropToken
            case 429: .retryDevice
            case 500...599: .retryLater
            default: .fix
            }
    }
}
