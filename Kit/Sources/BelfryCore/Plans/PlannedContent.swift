import Foundation

/// The properties of a `UNMutableNotificationContent`, as the server hands them out. Unknown members are ignored, and a
/// member of the wrong type counts as absent.
public struct PlannedContent: Sendable {
    /// A text, or the app's own string in the person's language.
    public enum Text: Sendable {
        /// In the person's language.
        case literal(String)
        /// For `NSString.localizedUserNotificationString(forKey:arguments:)`.
        case localized(key: String, arguments: [String])
    }

    /// A sound of the app, or iOS's own.
    public struct Sound: Sendable {
        /// The name that stands for iOS's own sound.
        public static let defaultName = "default"

        /// A file in the app's bundle, of 30 seconds at most, or `defaultName`.
        public let name: String
        /// Needs Apple's entitlement for critical alerts.
        public let isCritical: Bool
        /// 0 to 1, of a critical sound.
        public let volume: Double?
    }

    private let json: JSONValue

    /// Reads any value, and never fails.
    public init(_ json: JSONValue) { self.json = json }

    /// The first line; nil: none.
    public var title: Text? { json["title"].flatMap(Text.init) }
    /// The second line; nil: none.
    public var subtitle: Text? { json["subtitle"].flatMap(Text.init) }
    /// The text; nil: none.
    public var body: Text? { json["body"].flatMap(Text.init) }
    /// Nil leaves the icon's badge as it is, and 0 clears it.
    public var badge: Int? { json["badge"]?.integer }
    /// Nil: silent.
    public var sound: Sound? { json["sound"].flatMap(Sound.init) }
    /// The category's identifier.
    public var category: String? { json["category_identifier"]?.string }
    /// The thread by which iOS groups notifications.
    public var threadID: String? { json["thread_identifier"]?.string }
    /// The scene that a tap brings to the front.
    public var targetContentID: String? { json["target_content_identifier"]?.string }
    /// The app's launch image or storyboard after a tap.
    public var launchImage: String? { json["launch_image_name"]?.string }
    /// `UNNotificationInterruptionLevel`. iOS 15 and later.
    public var interruptionLevel: Int? { json["interruption_level"]?.integer }
    /// 0 to 1. iOS 15 and later.
    public var relevanceScore: Double? { json["relevance_score"]?.double }
    /// The app's own members.
    public var userInfo: [String: JSONValue] { json["user_info"]?.object ?? [:] }
    /// The address of a file, which the app's layer downloads when it schedules the notification.
    public var attachment: URL? { json["attachment_url"]?.string.flatMap { URL(string: $0) } }
}

extension PlannedContent.Text {
    init?(_ json: JSONValue) {
        if let text = json.string {
            self = .literal(text)
        } else if let key = json["localization_key"]?.string {
            self = .localized(key: key, arguments: json["arguments"]?.array?.compactMap(\.string) ?? [])
        } else {
            return nil
        }
    }
}

extension PlannedContent.Sound {
    init?(_ json: JSONValue) {
        guard let name = json["name"]?.string else { return nil }
        self.name = name
        isCritical = json["critical"]?.bool ?? false
        volume = json["volume"]?.double
    }
}
