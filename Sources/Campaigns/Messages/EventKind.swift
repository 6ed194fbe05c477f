/// An event of a push, which a device reports or another event implies. The raw values are stored.
public enum EventKind: Int16, CaseIterable, Hashable, Sendable {
    /// The notification service extension received the push.
    case delivered = 1
    /// The app showed the push while it was in the foreground.
    case presented = 2
    case opened = 3
    /// A person chose an action of the category.
    case action = 4
    case dismissed = 5
    /// A person typed a reply.
    case text = 6
    /// A person did what the push was for, as the app defines it.
    case converted = 7
    /// A person opened the app soon after the push, without tapping it.
    case influenced = 8
    /// A person opened the push, chose an action or typed a reply: each device once, implied by the first of them.
    case engaged = 9

    /// The kinds that devices report.
    public static let reported = allCases.filter { $0 != .engaged }

    public var name: String {
        switch self {
        case .delivered: "delivered"
        case .presented: "presented"
        case .opened: "opened"
        case .action: "action"
        case .dismissed: "dismissed"
        case .text: "text"
        case .converted: "converted"
        case .influenced: "influenced"
        case .engaged: "engaged"
        }
    }

    public init?(name: String) {
        switch name {
        case "delivered": self = .delivered
        case "presented": self = .presented
        case "opened": self = .opened
        case "action": self = .action
        case "dismissed": self = .dismissed
        case "text": self = .text
        case "converted": self = .converted
        case "influenced": self = .influenced
        case "engaged": self = .engaged
        default: return nil
        }
    }

    /// iOS names a tap on the notification and its dismissal as it names actions, and apps send these names on.
    public init?(systemAction identifier: String) {
        switch identifier {
        case "com.apple.UNNotificationDefaultActionIdentifier": self = .opened
        case "com.apple.UNNotificationDismissActionIdentifier": self = .dismissed
        default: return nil
        }
    }

    /// Whether events have an action: its identifier, or the name of a conversion. A device can report several events
    /// of such a kind for one push, each with its own action.
    public var hasAction: Bool { self == .action || self == .text || self == .converted }

    /// Whether the event implies that the person is engaged.
    public var isEngagement: Bool { self == .opened || self == .action || self == .text }
}
