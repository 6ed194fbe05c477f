import Foundation

/// The properties of a `UNMutableNotificationContent`, as the server hands them out. Unknown members are ignored, and a
/// member of the wrong type counts as absent.
public struct PlannedContent: Sendable, Equatable {
    /// A text, or the app's own string in the person's language.
    public enum Text: Sendable, Equatable {
        /// In the person's language.
        case literal(String)
        /// For `NSString.localizedUserNotificationString(forKey:arguments:)`.
        case localized(key: String, arguments: [String])
    }

    /// A sound of the app, or iOS's own.
    public struct Sound: Sendable, Equatable {
        /// The name that stands for iOS's own sound.
        public static let defaultName = "default"

        /// A file in the app's bundle, of 30 seconds at most, or `defaultName`.
        public let name: String
        /// Needs Apple's entitlement for critical alerts.
        public let isCritical: Bool
        /// 0 to 1, of a critical sound.
        public let volume: Double?
    }

    /// The first line; nil: none.
    public let title: Text?
    /// The second line; nil: none.
    public let subtitle: Text?
    /// The text; nil: none.
    public let body: Text?
    /// Nil leaves the icon's badge as it is, and 0 clears it.
    public let badge: Int?
    /// Nil: silent.
    public let sound: Sound?
    /// The category's identifier.
    public let category: String?
    /// The thread by which iOS groups notifications.
    public let threadID: String?
    /// The scene that a tap brings to the front.
    public let targetContentID: String?
    /// The app's launch image or storyboard after a tap.
    public let launchImage: String?
    /// `UNNotificationInterruptionLevel`. iOS 15 and later.
    public let interruptionLevel: Int?
    /// 0 to 1. iOS 15 and later.
    public let relevanceScore: Double?
    /// The app's own members.
    public let userInfo: [String: JSONValue]
    /// The address of a file, which the app's layer downloads when it schedules the notification.
    public let attachment: URL?

    /// Reads any value, and never fails.
    public init(_ json: JSONValue) {
        let members = json.object ?? [:]
        func text(_ name: String) -> Text? { members[name].flatMap(Text.init) }
        title = text("title")
        subtitle = text("subtitle")
        body = text("body")
        badge = members["badge"]?.integer
        sound = members["sound"]?.object.flatMap(Sound.init)
        category = members["category_identifier"]?.string
        threadID = members["thread_identifier"]?.string
        targetContentID = members["target_content_identifier"]?.string
        launchImage = members["launch_image_name"]?.string
        interruptionLevel = members["interruption_level"]?.integer
        relevanceScore = members["relevance_score"]?.double
        userInfo = members["user_info"]?.object ?? [:]
        attachment = members["attachment_url"]?.string.flatMap { URL(string: $0) }
    }
}

extension PlannedContent.Text {
    init?(_ json: JSONValue) {
        if let text = json.string {
            self = .literal(text)
        } else if let members = json.object, let key = members["localization_key"]?.string {
            let arguments: [String]
            if case .array(let values) = members["arguments"] {
                arguments = values.compactMap(\.string)
            } else {
                arguments = []
            }
            self = .localized(key: key, arguments: arguments)
        } else {
            return nil
        }
    }
}

extension PlannedContent.Sound {
    init?(_ members: [String: JSONValue]) {
        guard let name = members["name"]?.string else { return nil }
        self.name = name
        isCritical = members["critical"] == .bool(true)
        volume = members["volume"]?.double
    }
}
