import Foundation

/// One acknowledgement: an event of a push on this device.
public struct Event: Sendable, Equatable, Codable {
    /// The kinds that the server accepts from a device. Unknown ones stay raw values.
    public struct Kind: RawRepresentable, Sendable, Hashable, Codable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The push arrived. Without a notification service extension nothing reports this: it is a lower bound.
        public static let delivered = Kind(rawValue: "delivered")
        public static let presented = Kind(rawValue: "presented")
        public static let opened = Kind(rawValue: "opened")
        public static let action = Kind(rawValue: "action")
        /// iOS reports a dismissal only for categories with the option `customDismissAction`.
        public static let dismissed = Kind(rawValue: "dismissed")
        public static let text = Kind(rawValue: "text")
        public static let converted = Kind(rawValue: "converted")
        public static let influenced = Kind(rawValue: "influenced")
    }

    enum CodingKeys: String, CodingKey {
        case messageID = "message_id"
        case kind, at, action, text, value
    }

    public var messageID: String
    public var kind: Kind
    /// The device's time, which may be wrong: the request's `sent_at` lets the server correct it.
    public var at: String
    public var action: String?
    public var text: String?
    public var value: Double?

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
