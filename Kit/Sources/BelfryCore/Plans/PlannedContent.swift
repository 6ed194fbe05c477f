import Foundation

/// The properties of a `UNMutableNotificationContent`, as the server hands them out. Unknown members are ignored, and a
/// member of the wrong type counts as absent.
public struct PlannedContent: Sendable, Equatable {
    /// A text, or the app's own string in the person's language.
    public enum Text: Sendable, Equatable {
        case literal(String)
        /// For `NSString.localizedUserNotificationString(forKey:arguments:)`.
        case localized(key: String, arguments: [String])
    }

    public struct Sound: Sendable, Equatable {
        /// The name that stands for iOS's own sound.
        public static let defaultName = "default"

        public let name: String
        public let isCritical: Bool
        /// 0 to 1, of a critical sound.
        public let volume: Double?
    }

    public let title: Text?
    public let subtitle: Text?
    public let body: Text?
    public let badge: Int?
    public let sound: Sound?
    public let category: String?
    public let threadID: String?
    public let targetContentID: String?
    public let launchImage: String?
    /// `UNNotificationInterruptionLevel`. iOS 15 and later.
    public let interruptionLevel: Int?
    /// 0 to 1. iOS 15 and later.
    public let relevanceScore: Double?
    public let userInfo: [String: JSONValue]
    public let attachment: URL?

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
