import Foundation

/// One acknowledgement: an event of a push on this device.
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
    }

    enum CodingKeys: String, CodingKey {
        case messageID = "message_id"
        case kind, at, action, text, value
    }

    /// The push's `messageID`.
    public var messageID: String
    /// The server refuses kinds that it does not know.
    public var kind: Kind
    /// The device's time, which may be wrong: the request's `sent_at` lets the server correct it.
    public var at: String
    /// The action's identifier, or the name of a conversion.
    public var action: String?
    /// The reply of a person, which must not be logged.
    public var text: String?
    /// The amount of a conversion.
    public var value: Double?

    /// `at` is the device's time, which may be wrong.
    public init(
        messageID: String, kind: Kind, at: Date, action: String? = nil, text: String? = nil, value: Double? = nil
    ) {
        self.messageID = messageID
        self.kind = kind
        self.at = Self.timestamp(at)
        self.action = action
        self.text = text
        self.value = value
    }

    /// RFC 3339 in UTC with milliseconds.
    public static func timestamp(_ date: Date) -> String {
        // A formatter of its own per call: ISO8601DateFormatter is not Sendable.
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: date)
    }
}
