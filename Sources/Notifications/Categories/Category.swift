/// A category that an app registers so that its notifications can have buttons, a text field and a custom interface
/// (UNNotificationCategory). A payload refers to it in `aps.category`.
public struct Category: Sendable, Equatable {
    public var identifier: String
    /// In the order in which the device shows them; a banner shows the first two.
    public var actions: [Action]
    /// Names of SiriKit intents.
    public var intentIdentifiers: [String]
    /// Replaces the body while previews are hidden (iOS 11); `%u` is the number of notifications.
    public var hiddenPreviewsBodyPlaceholder: LocalizedText?
    /// The last line of a group (iOS 12): `%u` is the number of further notifications, `%@` the names of their senders.
    public var categorySummaryFormat: LocalizedText?
    public var options: Options
    /// For apps with a custom interface for these notifications.
    public var contentExtension: ContentExtension?

    /// No system shows more.
    public static let maximumActions = 10
    public static let maximumIntentIdentifiers = 20

    public init(
        identifier: String, actions: [Action] = [], intentIdentifiers: [String] = [],
        hiddenPreviewsBodyPlaceholder: LocalizedText? = nil, categorySummaryFormat: LocalizedText? = nil,
        options: Options = [], contentExtension: ContentExtension? = nil
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
        self.categorySummaryFormat = categorySummaryFormat
        self.options = options
        self.contentExtension = contentExtension
    }
}
