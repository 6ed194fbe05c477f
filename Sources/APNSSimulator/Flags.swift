/// What Apple lets pass as far as anyone knows, and a good sender does not do.
public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The JWT has base64 padding, or characters of the standard alphabet.
    public static let looseBase64 = Flags(rawValue: 1 << 0)
    /// The JWT's signature is ASN.1 DER; JOSE says R‖S.
    public static let derSignature = Flags(rawValue: 1 << 1)
    /// `iat` lies ahead, within the tolerance.
    public static let issuedInFuture = Flags(rawValue: 1 << 2)
    public static let upperCaseID = Flags(rawValue: 1 << 3)
    public static let missingID = Flags(rawValue: 1 << 4)
    public static let missingPushType = Flags(rawValue: 1 << 5)
    public static let upperCaseToken = Flags(rawValue: 1 << 6)
    /// `aps.badge` is a string: Apple accepts it and the badge does not change.
    public static let stringBadge = Flags(rawValue: 1 << 7)
    public static let backgroundWithAlert = Flags(rawValue: 1 << 8)
    /// Without the header the priority is 10, which a background push must not have.
    public static let backgroundWithoutPriority = Flags(rawValue: 1 << 9)
    /// Not JSON, or not a dictionary. Apple's answer to it is not known.
    public static let malformedPayload = Flags(rawValue: 1 << 10)
    public static let missingAps = Flags(rawValue: 1 << 11)
    /// Its expiration had passed when it came.
    public static let expired = Flags(rawValue: 1 << 12)
    /// An apns-id that came before with another device token.
    public static let idOfAnotherToken = Flags(rawValue: 1 << 13)
    /// A priority that Apple's pages do not name for the push type.
    public static let undocumentedPriority = Flags(rawValue: 1 << 14)
}

/// Of the payload, whatever the push type.
extension Flags {
    /// The phone understands no such value under one of Apple's keys; a string badge has its own flag.
    public static let wrongKind = Flags(rawValue: 1 << 15)
    /// A number under one of Apple's keys that means nothing: a negative badge, a volume of 2, milliseconds.
    public static let outOfRange = Flags(rawValue: 1 << 16)
    /// An interruption level that is none of the four.
    public static let unknownWord = Flags(rawValue: 1 << 17)
    /// Apple's tables do not have it: the phone ignores it.
    public static let unknownKey = Flags(rawValue: 1 << 18)
    public static let repeatedKey = Flags(rawValue: 1 << 19)
    /// `alert` or `badge` beside `aps`, where the phone does not look.
    public static let appleKeyOutsideAps = Flags(rawValue: 1 << 20)
    /// An alert push without words, badge and sound: it is not delivered reliably.
    public static let nothingToShow = Flags(rawValue: 1 << 21)
    /// The phone does not run the service extension.
    public static let mutableWithoutWords = Flags(rawValue: 1 << 22)
    /// Arguments of a localised text that has no key.
    public static let argumentsWithoutKey = Flags(rawValue: 1 << 23)
    /// A critical sound without a name, or a volume without `critical`.
    public static let incompleteSound = Flags(rawValue: 1 << 24)
    /// A Live Activity's alert in another push, or the other way round.
    public static let wrongAlertForm = Flags(rawValue: 1 << 25)
}

/// Of the payload against its push type.
extension Flags {
    public static let backgroundWithoutContentAvailable = Flags(rawValue: 1 << 26)
    /// Alert, badge or sound in a push that goes to the app or a widget alone.
    public static let shownToNobody = Flags(rawValue: 1 << 27)
    public static let widgetWithoutContentChanged = Flags(rawValue: 1 << 28)
    public static let contentChangedElsewhere = Flags(rawValue: 1 << 29)
    /// An MDM push without `mdm`, a file provider's without `container-identifier`.
    public static let missingBody = Flags(rawValue: 1 << 30)
    public static let liveActivityKeyElsewhere = Flags(rawValue: 1 << 31)
    public static let liveActivityWithoutTimestamp = Flags(rawValue: 1 << 32)
    /// No `event`, or none of start, update and end.
    public static let liveActivityWithoutEvent = Flags(rawValue: 1 << 33)
    /// A start without an alert that has words, attributes, their type or the state.
    public static let incompleteStart = Flags(rawValue: 1 << 34)
    /// A start with both an update token and a channel.
    public static let twoInputs = Flags(rawValue: 1 << 35)
    public static let updateWithoutState = Flags(rawValue: 1 << 36)
    /// What goes with start in another event, or a dismissal date without end.
    public static let keyOfOtherEvent = Flags(rawValue: 1 << 37)
    /// The stale date is no later than the timestamp.
    public static let staleAtOnce = Flags(rawValue: 1 << 38)
    /// The dismissal date is over four hours after the timestamp: the phone does not wait so long.
    public static let dismissedLate = Flags(rawValue: 1 << 39)
    /// An update of an activity that has ended: the phone ignores it.
    public static let updateAfterEnd = Flags(rawValue: 1 << 40)
    /// The timestamp is before that of an earlier push: the phone keeps the later content.
    public static let olderTimestamp = Flags(rawValue: 1 << 41)

    static let bitCount = 42
}

extension Flags: CustomStringConvertible {
    /// The names of the flags, in the order of their bits.
    private static let names = [
        "looseBase64", "derSignature", "issuedInFuture", "upperCaseID", "missingID", "missingPushType",
        "upperCaseToken", "stringBadge", "backgroundWithAlert", "backgroundWithoutPriority", "malformedPayload",
        "missingAps", "expired", "idOfAnotherToken", "undocumentedPriority", "wrongKind", "outOfRange", "unknownWord",
        "unknownKey", "repeatedKey", "appleKeyOutsideAps", "nothingToShow", "mutableWithoutWords",
        "argumentsWithoutKey", "incompleteSound", "wrongAlertForm", "backgroundWithoutContentAvailable",
        "shownToNobody", "widgetWithoutContentChanged", "contentChangedElsewhere", "missingBody",
        "liveActivityKeyElsewhere", "liveActivityWithoutTimestamp", "liveActivityWithoutEvent", "incompleteStart",
        "twoInputs", "updateWithoutState", "keyOfOtherEvent", "staleAtOnce", "dismissedLate", "updateAfterEnd",
        "olderTimestamp",
    ]

    public var description: String {
        let raised = Self.names.enumerated().filter { rawValue >> UInt64($0.offset) & 1 == 1 }.map(\.element)
        return "[\(raised.joined(separator: ", "))]"
    }
}
