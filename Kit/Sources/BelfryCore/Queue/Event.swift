import Foundation

/// One event on this device: an acknowledgement of a push or of a local notification of the server, or an event of the
/// app's own.
public struct Event: Sendable, Equatable, Codable {
    /// The kinds that the server accepts from a device. Unknown ones stay raw values.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The push arrived. Without a notification service extension nothing reports this: it is a lower bound.
        public static let delivered = Kind(rawValue: "delivered")
        /// The push was shown while the app was in the foreground.
        public static let presented = Kind(rawValue: "presented")
        /// The person tapped the notification. It implies `delivered`.
        public static let opened = Kind(rawValue: "opened")
        /// The person chose the action with the identifier `action`.
        public static let action = Kind(rawValue: "action")
        /// iOS reports a dismissal only for categories with the option `customDismissAction`.
        public static let dismissed = Kind(rawValue: "dismissed")
        /// The person replied with `text`.
        public static let text = Kind(rawValue: "text")
        /// The person did what the push was for.
        public static let converted = Kind(rawValue: "converted")
        /// The app was opened from its icon while the push was shown.
        public static let influenced = Kind(rawValue: "influenced")
        /// An event of the app's own, with a `name`. The server knows it by its address, and is not sent this kind.
        public static let tracked = Kind(rawValue: "tracked")
    }

    enum CodingKeys: String, CodingKey {
        case messageID = "message_id"
        case sentKind = "kind"
        case id, notification, version, at, action, text, value, name, installation, properties
    }

    /// The push's `messageID`; nil for other events.
    public var messageID: String?
    /// Of an event without a push: the server recognises by it an event that is sent twice.
    public private(set) var id: UUID?
    /// The identifier of the local notification; nil for other events.
    public private(set) var notification: String?
    /// The version of the local notification's plan.
    public private(set) var version: Int?
    /// The server refuses kinds that it does not know.
    public var kind: Kind {
        get { sentKind ?? .tracked }
        set { sentKind = newValue == .tracked ? nil : newValue }
    }
    private var sentKind: Kind?
    /// The device's time, which may be wrong: the request's `sent_at` lets the server correct it.
    public var at: String
    /// The action's identifier, or the name of a conversion.
    public var action: String?
    /// The reply of a person, which must not be logged.
    public var text: String?
    /// The amount of a conversion, or of an event of the app's own.
    public var value: Double?
    /// The name of an event of the app's own; nil for other events.
    public private(set) var name: String?
    /// Set before it is sent, since the Keychain may be locked when the event happens.
    var installation: String?
    /// Texts, numbers, true and false of an event of the app's own.
    public private(set) var properties: [String: JSONValue]?

    /// `at` is the device's time, which may be wrong.
    public init(
        messageID: String, kind: Kind, at: Date, action: String? = nil, text: String? = nil, value: Double? = nil
    ) {
        self.messageID = messageID
        self.at = Self.timestamp(at)
        self.action = action
        self.text = text
        self.value = value
        self.kind = kind
    }

    /// An event of a local notification: `presented`, `opened`, `action` or `dismissed`.
    public init(of notification: LocalNotificationID, kind: Kind, at: Date, action: String? = nil) {
        id = UUID()
        self.notification = notification.identifier
        version = notification.version
        self.at = Self.timestamp(at)
        self.action = action
        self.kind = kind
    }

    /// An event of the app's own. `TrackingRules` says which ones the server takes.
    init(tracked name: String, value: Double?, properties: [String: JSONValue], at: Date) {
        id = UUID()
        self.at = Self.timestamp(at)
        self.value = value
        self.name = name
        self.properties = properties.isEmpty ? nil : properties
    }

    /// RFC 3339 in UTC with milliseconds, for the years 1970 to 9999. All have one length, so they have the order of
    /// their times.
    public static func timestamp(_ date: Date) -> String {
        // By hand: a formatter is not Sendable, and making one for each event takes longer than writing its file.
        let milliseconds = min(EventFile.milliseconds(date), 253_402_300_799_999)
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        // Years that begin in March have their leap day last; 719,468 days lead from one of them to 1970. An era has 400
        // years. http://howardhinnant.github.io/date_algorithms.html#civil_from_days
        let (era, day) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        let parts: [(Int64, Int, String)] = [
            (era * 400 + year + (isNextYear ? 1 : 0), 4, "-"), (isNextYear ? month - 9 : month + 3, 2, "-"),
            (dayOfYear - (153 * month + 2) / 5 + 1, 2, "T"), (rest / 3_600_000, 2, ":"), (rest / 60_000 % 60, 2, ":"),
            (rest / 1_000 % 60, 2, "."), (rest % 1_000, 3, "Z"),
        ]
        return parts.reduce(into: "") { text, part in text += EventFile.padded(part.0, part.1) + part.2 }
    }
}
