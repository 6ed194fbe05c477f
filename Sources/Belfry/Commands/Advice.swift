import APNS

/// What an answer of Apple means for the person who sent the push, and what to do.
enum Advice {
    static func words(for result: PushResult) -> String {
        if result.isAccepted {
            return "Apple has accepted it. Whether the phone shows it depends on its settings and connection."
        }
        guard let reason = ReasonTable.reason(result.reason) else {
            return "Apple's documentation does not name this answer. Do not repeat the push unchanged."
        }
        return switch reason {
        case .badDeviceToken:
            "The token is not one of this environment. A token of an Xcode build needs --environment development."
        case .deviceTokenNotForTopic: "The token belongs to another app, or to another kind of push. Check --bundle-id."
        case .unregistered, .expiredToken: "The app was removed from that phone, or the token was replaced. Forget it."
        case .invalidProviderToken: "Key id, team id and .p8 file do not belong together, or the key was revoked."
        case .expiredProviderToken: "The signature looked too old to Apple. Check this machine's clock."
        case .topicDisallowed, .badTopic: "This key may not send for that bundle id. Check both, and the team."
        case .badEnvironmentKeyIDInToken: "The key is for Apple's other environment. Change --environment, or the key."
        case .payloadTooLarge: "The payload is larger than Apple allows. Shorten it."
        case .tooManyRequests: "Too many pushes to this one phone. Wait before the next."
        case .tooManyProviderTokenUpdates: "Too many signatures in a short time. Wait twenty minutes."
        case .internalServerError, .serviceUnavailable, .shutdown:
            "Trouble at Apple. Try again in a quarter of an hour."
        default: "The request is at fault; repeating it unchanged will not help."
        }
    }
}
