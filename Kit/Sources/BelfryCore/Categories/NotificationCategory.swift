/// A category as the server hands it out: what a `UNNotificationCategory` is made of, in one language.
public struct NotificationCategory: Codable, Equatable, Sendable {
    /// A button of a notification, or a field for a reply.
    public struct Action: Sendable {
        /// The name by which events report the action.
        public let identifier: String
        /// In the person's language.
        public let title: String
        /// `UNNotificationActionOptions`.
        public let options: UInt
        /// iOS 15 and later.
        public let icon: Icon?
        /// For a `UNTextInputNotificationAction`.
        public let textInput: TextInput?
    }

    /// One of the two. iOS 15 and later.
    public struct Icon: Sendable {
        /// The name of an SF Symbol.
        public let systemImageName: String?
        /// The name of an image in the app's bundle.
        public let templateImageName: String?
    }

    /// The field of a `UNTextInputNotificationAction`.
    public struct TextInput: Sendable {
        /// The title of the button that sends the reply.
        public let buttonTitle: String
        /// The text of the empty field.
        public let placeholder: String
    }

    /// The name that pushes use as `category`.
    public let identifier: String
    /// iOS shows up to four, and two in a banner.
    public let actions: [Action]
    /// The intents of SiriKit that the category belongs to.
    public let intentIdentifiers: [String]
    /// The text that iOS shows while previews are hidden; nil: its own.
    public let hiddenPreviewsBodyPlaceholder: String?
    /// The format of a group's summary. iOS 15 and later ignore it.
    public let categorySummaryFormat: String?
    /// `UNNotificationCategoryOptions`.
    public let options: UInt

    let json: JSONValue
}
