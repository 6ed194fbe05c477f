/// What an answer of Apple means for the person who sent the push, and what to do about it.
public struct Advice: Sendable, Equatable {
    public let meaning: String
    /// Nil when there is nothing to do.
    public let remedy: String?

    init(_ meaning: String, _ remedy: String? = nil) {
        self.meaning = meaning
        self.remedy = remedy
    }
}

extension PushResult {
    public var advice: Advice {
        switch state {
        case .unsent: return Advice("It was not sent: the connection ended first.", "Send it again.")
        case .inFlight, .deadlinePassed, .streamReset, .connectionLost:
            return Advice("There was no answer: Apple may or may not have taken it.", "Look at the phone first.")
        case .answered: break
        }
        if isAccepted {
            return Advice("Apple has accepted it. Whether the phone shows it depends on its settings and connection.")
        }
        guard let reason = ReasonTable.reason(reason) else {
            return Advice("Apple's documentation does not name this answer.", "Do not repeat the push unchanged.")
        }
        return reason.advice
    }
}

extension APNSReason {
    public var advice: Advice {
        switch self {
        case .badDeviceToken:
            Advice(
                "The token is not one of this environment.",
                "Register it under its own: the token of an app that Xcode installed is of the development environment; "
                    + "those of TestFlight and the App Store are of production.")
        case .deviceTokenNotForTopic:
            Advice(
                "The token belongs to another app, or to another kind of push.", "Check bundle id and push type.")
        case .unregistered, .expiredToken:
            Advice("The app was removed from that phone, or the token was replaced.", "Forget the token.")
        case .invalidProviderToken:
            Advice(
                "Apple does not believe the signature.",
                "Key id, team id and .p8 file must belong together, and the key must not have been revoked.")
        case .expiredProviderToken:
            Advice(
                "The signature looked too old to Apple.",
                "Check the clock that dates it: the PostgreSQL server's, or for belfry push this machine's.")
        case .missingProviderToken:
            Advice("No signature came to Apple.", "Check that nothing on the way to Apple changes requests.")
        case .topicDisallowed, .badTopic:
            Advice("The key may not send for that bundle id.", "Check both, and the team.")
        case .badEnvironmentKeyIDInToken, .unrelatedKeyIDInToken:
            Advice("The key is not for this environment or app.", "Use another environment, or another key.")
        case .payloadTooLarge: Advice("The payload is larger than Apple allows.", "Shorten it.")
        case .tooManyRequests: Advice("There were too many pushes to this one phone.", "Wait before the next.")
        case .tooManyProviderTokenUpdates:
            Advice("There were too many signatures in a short time.", "Wait twenty minutes.")
        case .internalServerError, .serviceUnavailable, .shutdown:
            Advice("There is trouble at Apple.", "Try again in a quarter of an hour.")
        default: Advice("The request is at fault.", "Repeating it unchanged will not help.")
        }
    }
}
