/// Mistakes of a sender that Apple, as far as is known, does not reject.
public struct PushWarnings: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The JWT contains base64 padding, or characters of the standard alphabet instead of the URL-safe one.
    public static let nonStandardBase64 = PushWarnings(rawValue: 1 << 0)
    /// The JWT's signature is ASN.1 DER; JOSE requires R‖S.
    public static let derSignature = PushWarnings(rawValue: 1 << 1)
    /// `iat` is in the future, within the tolerance.
    public static let issuedInFuture = PushWarnings(rawValue: 1 << 2)
    public static let upperCaseID = PushWarnings(rawValue: 1 << 3)
    public static let missingID = PushWarnings(rawValue: 1 << 4)
    public static let missingPushType = PushWarnings(rawValue: 1 << 5)
    public static let upperCaseToken = PushWarnings(rawValue: 1 << 6)
    /// `aps.badge` is a string: Apple accepts it and the badge does not change.
    public static let stringBadge = PushWarnings(rawValue: 1 << 7)
    public static let backgroundWithAlert = PushWarnings(rawValue: 1 << 8)
    /// Without the header the priority is 10, which a background push must not have.
    public static let backgroundWithoutPriority = PushWarnings(rawValue: 1 << 9)
    /// The payload is not JSON, or not a dictionary. Apple's answer to it is not known.
    public static let malformedPayload = PushWarnings(rawValue: 1 << 10)
    public static let missingAps = PushWarnings(rawValue: 1 << 11)
    /// The expiration had passed when the push arrived.
    public static let expired = PushWarnings(rawValue: 1 << 12)
    /// The apns-id was used before with another device token.
    public static let idReusedForAnotherToken = PushWarnings(rawValue: 1 << 13)
    /// Apple's pages do not name the priority for the push type.
    public static let undocumentedPriority = PushWarnings(rawValue: 1 << 14)
}

/// Mistakes in the payload, for any push type.
extension PushWarnings {
    /// One of Apple's keys has a value of a type that the device does not understand. A string badge has its own flag.
    public static let wrongValueType = PushWarnings(rawValue: 1 << 15)
    /// One of Apple's keys has a number out of range: a negative badge, a volume of 2, milliseconds.
    public static let outOfRange = PushWarnings(rawValue: 1 << 16)
    /// The interruption level is not one of the four.
    public static let unknownInterruptionLevel = PushWarnings(rawValue: 1 << 17)
    /// A key is not in Apple's tables: the device ignores it.
    public static let unknownKey = PushWarnings(rawValue: 1 << 18)
    public static let repeatedKey = PushWarnings(rawValue: 1 << 19)
    /// One of Apple's keys, such as `alert` or `badge`, is outside `aps`: the device ignores it.
    public static let appleKeyOutsideAps = PushWarnings(rawValue: 1 << 20)
    /// An alert push has no text, badge or sound: it is not delivered reliably.
    public static let emptyAlert = PushWarnings(rawValue: 1 << 21)
    /// `mutable-content` is set and the alert has no text: the device does not run the service extension.
    public static let mutableWithoutText = PushWarnings(rawValue: 1 << 22)
    /// Arguments are given for a localized text that has no key.
    public static let argumentsWithoutKey = PushWarnings(rawValue: 1 << 23)
    /// A sound dictionary has no name, or a volume without `critical`.
    public static let incompleteSound = PushWarnings(rawValue: 1 << 24)
    /// A Live Activity has an alert in the format of another push, or the reverse.
    public static let wrongAlertFormat = PushWarnings(rawValue: 1 << 25)
}

/// Mistakes in the payload that depend on the push type.
extension PushWarnings {
    public static let backgroundWithoutContentAvailable = PushWarnings(rawValue: 1 << 26)
    /// Alert, badge or sound in a push that only the app or a widget receives.
    public static let notShown = PushWarnings(rawValue: 1 << 27)
    public static let widgetWithoutContentChanged = PushWarnings(rawValue: 1 << 28)
    public static let unexpectedContentChanged = PushWarnings(rawValue: 1 << 29)
    /// An MDM push has no `mdm`, or a file provider push no `container-identifier`.
    public static let missingRequiredKey = PushWarnings(rawValue: 1 << 30)
    public static let unexpectedLiveActivityKey = PushWarnings(rawValue: 1 << 31)
    public static let liveActivityWithoutTimestamp = PushWarnings(rawValue: 1 << 32)
    /// `event` is missing, or not one of start, update and end.
    public static let liveActivityWithoutEvent = PushWarnings(rawValue: 1 << 33)
    /// A start has no alert with text, no attributes, no attributes type or no content state.
    public static let incompleteStart = PushWarnings(rawValue: 1 << 34)
    /// A start has both an update token and a channel.
    public static let conflictingInputs = PushWarnings(rawValue: 1 << 35)
    public static let updateWithoutState = PushWarnings(rawValue: 1 << 36)
    /// A key of start is in another event, or a dismissal date in an event other than end.
    public static let keyNotAllowedForEvent = PushWarnings(rawValue: 1 << 37)
    /// The stale date is not later than the timestamp.
    public static let alreadyStale = PushWarnings(rawValue: 1 << 38)
    /// The dismissal date is more than four hours after the timestamp: the device does not wait that long.
    public static let dismissalTooLate = PushWarnings(rawValue: 1 << 39)
    /// An update is for an activity that has ended: the device ignores it.
    public static let updateAfterEnd = PushWarnings(rawValue: 1 << 40)
    /// The timestamp is older than that of an earlier push: the device keeps the newer content.
    public static let outOfOrderTimestamp = PushWarnings(rawValue: 1 << 41)

    static let bitCount = 42
}

extension PushWarnings: CustomStringConvertible {
    /// The names of the flags, in the order of their bits.
    private static let allNames = [
        "nonStandardBase64", "derSignature", "issuedInFuture", "upperCaseID", "missingID", "missingPushType",
        "upperCaseToken", "stringBadge", "backgroundWithAlert", "backgroundWithoutPriority", "malformedPayload",
        "missingAps", "expired", "idReusedForAnotherToken", "undocumentedPriority", "wrongValueType", "outOfRange",
        "unknownInterruptionLevel", "unknownKey", "repeatedKey", "appleKeyOutsideAps", "emptyAlert",
        "mutableWithoutText",
        "argumentsWithoutKey", "incompleteSound", "wrongAlertFormat", "backgroundWithoutContentAvailable",
        "notShown", "widgetWithoutContentChanged", "unexpectedContentChanged", "missingRequiredKey",
        "unexpectedLiveActivityKey", "liveActivityWithoutTimestamp", "liveActivityWithoutEvent", "incompleteStart",
        "conflictingInputs", "updateWithoutState", "keyNotAllowedForEvent", "alreadyStale", "dismissalTooLate",
        "updateAfterEnd", "outOfOrderTimestamp",
    ]

    public var names: [String] {
        Self.allNames.enumerated().filter { rawValue >> UInt64($0.offset) & 1 == 1 }.map(\.element)
    }

    public var description: String { "[\(names.joined(separator: ", "))]" }
}
