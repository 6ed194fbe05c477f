/// The quantities that statistics count. The raw values are stored.
public enum Measure: Int16, CaseIterable, Hashable, Sendable {
    case delivered = 1
    case presented = 2
    case opened = 3
    case actions = 4
    case dismissed = 5
    case replies = 6
    case conversions = 7
    /// The app was opened soon after the push, without tapping it.
    case influenced = 8
    /// Devices that opened, acted or replied, each once per push.
    case engaged = 9
    case accepted = 11
    case rejected = 12
    case suppressed = 13
    case expired = 14
    case cancelled = 15
    case unknown = 16
    /// Events that were not stored: the message id is not one of the app.
    case refusedMessage = 21
    /// Events that were not stored: they happened before the push.
    case refusedBeforeStart = 22
    case refusedTooLate = 23

    /// Counts events of this kind. Events have the name of what happened, measures that of what is counted.
    public init(_ kind: EventKind) {
        self =
            switch kind {
            case .delivered: .delivered
            case .presented: .presented
            case .opened: .opened
            case .action: .actions
            case .dismissed: .dismissed
            case .text: .replies
            case .converted: .conversions
            case .influenced: .influenced
            case .engaged: .engaged
            }
    }

    /// As the API, the pages and the function `measure_of` of the schema call it.
    public var name: String {
        switch self {
        case .delivered: "delivered"
        case .presented: "presented"
        case .opened: "opened"
        case .actions: "actions"
        case .dismissed: "dismissed"
        case .replies: "replies"
        case .conversions: "conversions"
        case .influenced: "influenced"
        case .engaged: "engaged"
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .suppressed: "suppressed"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .unknown: "unknown"
        case .refusedMessage: "refused_message"
        case .refusedBeforeStart: "refused_before_start"
        case .refusedTooLate: "refused_too_late"
        }
    }

    /// The outcomes of recipients; their sum is the number of targeted devices of runs that have finished.
    public static let outcomes: [Measure] = [.accepted, .rejected, .suppressed, .expired, .cancelled, .unknown]
    public static let events: [Measure] = [
        .delivered, .presented, .engaged, .opened, .influenced, .actions, .dismissed, .replies, .conversions,
    ]
    /// The events that lists have: all but engagements, which repeat what others say.
    public static let listedEvents = events.filter { $0 != .engaged }
    /// The measures of pushes that were planned or sent: all but those of refused events.
    public static let ofPushes = outcomes + events
}

/// The properties by which totals are grouped. The raw values are stored.
public enum Dimension: Int16, CaseIterable, Sendable {
    case total = 0
    case locale = 1
    case osVersion = 2
    case appVersion = 3
    case tag = 4
    /// The action or the name of a conversion.
    case action = 5
    case reason = 6
    case delay = 7
}
