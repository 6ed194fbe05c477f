/// What has to be done about an answer other than 200. `reaction` is the table of what each sender does then.
public enum RejectionAction: Hashable, Sendable {
    /// The request is wrong and would be rejected again. A person has to fix it.
    case fixRequest
    /// The token is no longer valid; it may be dropped if it was registered before Apple's timestamp.
    case dropToken
    /// The token is malformed or belongs to the other environment. It is not used again, but only dropped while
    /// such answers are rare; many of them mean that pushes go to the wrong host.
    case checkTokenEnvironment
    /// The token belongs to another topic.
    case detachToken
    /// The credential, topic or environment is wrong: every other push would be rejected too.
    case stop
    /// The connection is unusable: retry the push once, immediately, on a new one.
    case reconnect
    /// Renew the provider token and use a new connection: this one would reject the new token too.
    case renewToken
    /// Apple has seen too many provider tokens: keep the current one and wait.
    case keepToken
    /// Too many pushes to this device: retry later, and less often.
    case retryDevice
    /// A server error: retry later; Apple recommends 15 minutes.
    case retryLater

    /// The action for an unknown reason: 4xx is not retried, 5xx is. With 403 Apple refuses the sender, not the push.
    public init(status: Int) {
        self =
            switch status {
            case 403: .stop
            case 410: .dropToken
            case 429: .retryDevice
            case 500...599: .retryLater
            default: .fixRequest
            }
    }
}

extension APNSReason {
    public var action: RejectionAction {
        switch self {
        case .badCollapseID, .badExpirationDate, .badMessageID, .badPriority, .duplicateHeaders, .invalidPushType,
            .missingDeviceToken, .missingTopic, .payloadEmpty, .badPath, .methodNotAllowed, .payloadTooLarge:
            .fixRequest
        case .badDeviceToken: .checkTokenEnvironment
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

    /// Whether the credential is at fault if the action did not help: every other push would be rejected too.
    public var isCredentialFaultIfPersistent: Bool {
        switch self {
        case .expiredProviderToken, .unrelatedKeyIDInToken: true
        default: action == .stop
        }
    }
}
