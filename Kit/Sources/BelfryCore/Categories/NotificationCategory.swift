/// A category as the server hands it out: what a `UNNotificationCategory` is made of, in one language.
public struct NotificationCategory: Codable, Equatable, Sendable {
    public struct Action: Codable, Equatable, Sendable {
        public let identifier: String
        public let title: String
        /// `UNNotificationActionOptions`.
        public let options: UInt
        public let icon: Icon?
        /// For a `UNTextInputNotificationAction`.
        public let textInput: TextInput?

        enum CodingKeys: String, CodingKey {
            case identifier, title, options, icon
            case textInput = "text_input"
        }
    }

    /// One of the two. iOS 15 and later.
    public struct Icon: Codable, Equatable, Sendable {
        public let systemImageName: String?
        public let templateImageName: String?

        enum CodingKeys: String, CodingKey {
            case systemImageName = "system_image_name"
            case templateImageName = "template_image_name"
        }
    }

    public struct TextInput: Codable, Equatable, Sendable {
        public let buttonTitle: String
        public let placeholder: String

        enum CodingKeys: String, CodingKey {
            case buttonTitle = "button_title"
            case placeholder
        }
    }

    public let identifier: String
    public let actions: [Action]
    public let intentIdentifiers: [String]
    public let hiddenPreviewsBodyPlaceholder: String?
    public let categorySummaryFormat: String?
    /// `UNNotificationCategoryOptions`.
    public let options: UInt

    enum CodingKeys: String, CodingKey {
        case identifier, actions, options
        case intentIdentifiers = "intent_identifiers"
        case hiddenPreviewsBodyPlaceholder = "hidden_previews_body_placeholder"
        case categorySummaryFormat = "category_summary_format"
    }
}

/// The answer of `GET …/categories/registration`.
public struct CategoryList: Codable, Equatable, Sendable {
    public let categories: [NotificationCategory]
}
