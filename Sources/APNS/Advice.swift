public import JSON

/// Explains an answer from Apple to the person who sent the push, and says what to do about it.
public struct Advice: Sendable, Equatable {
    public let meaning: Message
    /// Nil when there is nothing to do.
    public let remedy: Message?

    init(_ meaning: Message, _ remedy: Message? = nil) {
        self.meaning = meaning
        self.remedy = remedy
    }
}

extension PushResult {
    public var advice: Advice {
        switch state {
        case .unsent: return Advice("The push was not sent: the connection ended first.", "Send it again.")
        case .inFlight, .late, .deadlinePassed, .streamReset, .connectionLost:
            return Advice(
                "Apple did not answer: it may or may not have accepted the push.",
                "Check the device before you send it again.")
        case .answered: break
        }
        if isAccepted {
            return Advice("Apple has accepted it. Whether the phone shows it depends on its settings and connection.")
        }
        guard let reason = ReasonTable.reason(reason) else {
            return Advice("Apple does not document this answer.", "Do not send the push again unchanged.")
        }
        return reason.advice
    }
}

extension APNSReason {
    public var advice: Advice {
        switch self {
        case .badDeviceToken:
            Advice(
                "The token does not belong to this environment.",
                "Register it under its own environment: tokens of apps installed by Xcode belong to development, "
                    + "those of apps from TestFlight and the App Store to production.")
        case .deviceTokenNotForTopic:
            Advice(
                "The token belongs to another app or another push type.", "Check the bundle id and the push type.")
        case .unregistered, .expiredToken:
            Advice("The app was removed from the device, or the token was replaced.", "Delete the token.")
        case .invalidProviderToken:
            Advice(
                "Apple rejected the signature of the provider token.",
                "Check that key id, team id and .p8 file belong together, and that the key is not revoked.")
        case .expiredProviderToken:
            Advice(
                "The provider token is too old for Apple.",
                "Check the clock of the PostgreSQL server, or for belfry send the clock of this machine.")
        case .missingProviderToken:
            Advice("Apple received no provider token.", "Check that no proxy on the way to Apple changes requests.")
        case .topicDisallowed, .badTopic:
            Advice("The key may not send pushes for this bundle id.", "Check the key, the bundle id and the team.")
        case .badEnvironmentKeyIDInToken, .unrelatedKeyIDInToken:
            Advice("The key is not for this environment or app.", "Use another environment, or another key.")
        case .payloadTooLarge: Advice("The payload is larger than Apple allows.", "Shorten it.")
        case .tooManyRequests: Advice("There were too many pushes to this device.", "Wait before the next push.")
        case .tooManyProviderTokenUpdates:
            Advice("There were too many provider tokens in a short time.", "Wait 20 minutes.")
        case .internalServerError, .serviceUnavailable, .shutdown:
            Advice("Apple's service has a problem.", "Try again in 15 minutes.")
        default: Advice("The request is invalid.", "Correct it: sending it again unchanged will not help.")
        }
    }
}

// MARK: Why a campaign stops

extension APNSReason {
    /// The meaning and the remedy. There is no remedy for invalidated tokens: they are dropped automatically.
    public var explanation: Message {
        let remedy = action.reaction.token == .gone ? nil : advice.remedy
        return .sentences([advice.meaning, remedy].compactMap { $0 })
    }
}

extension PushResult {
    /// Explains why Apple refuses all pushes of a campaign for this reason, and says what to do about it. `code` is the
    /// reason in Apple's words.
    public func reasonToStop(code: String, topic: String, environment: String) -> Message {
        let message: Message =
            switch ReasonTable.reason(reason) {
            case .topicDisallowed, .badTopic:
                """
                Apple rejects the topic \(topic) (\(code)). Check the app's bundle ID, and that its .p8 key may send for \
                it
                """
            case .invalidProviderToken:
                """
                Apple rejects the app's credential (\(code)). Check the key ID, the team ID and the .p8 file, and \
                that the key was not revoked
                """
            case .expiredProviderToken:
                """
                Apple rejects the app's provider token as too old (\(code)). Tokens are dated by the clock of the \
                PostgreSQL server: correct that clock
                """
            case .missingProviderToken:
                """
                The app's provider token does not reach Apple (\(code)). Check that no proxy changes the requests
                """
            case .unrelatedKeyIDInToken:
                """
                The app's .p8 key belongs to another team or app (\(code)). Check the key ID, the team ID and the \
                bundle ID, or add the app's own key
                """
            case .badEnvironmentKeyIDInToken, .badCertificateEnvironment:
                """
                The app's .p8 key is not valid for Apple's \(environment) environment (\(code)). Add a key \
                for that environment
                """
            default:
                """
                Apple rejects pushes of this app (\(code)). Check in the developer account that the .p8 key is \
                valid and may send for \(topic)
                """
            }
        return "\(message); then resume."
    }
}
