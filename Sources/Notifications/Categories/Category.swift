/// What an app registers so that its notifications can have buttons, a text field and an interface of their own
/// (UNNotificationCategory). A payload names it under `aps.category`.
public struct Category: Sendable, Equatable {
    public var identifier: String
    /// In the order in which the phone shows them; a banner has room for the first two.
    public var actions: [Action]
    /// Names of SiriKit intents.
    public var intentIdentifiers: [String]
    /// Instead of the body while previews are hidden (iOS 11); `%u` stands for the number of notifications.
    public var hiddenPreviewsBodyPlaceholder: LocalizedText?
    /// The last line of a group (iOS 12): `%u` stands for how many more there are, `%@` for whom they are from.
    public var categorySummaryFormat: LocalizedText?
    public var options: Options
    /// For apps that draw these notifications themselves.
    public var contentExtension: ContentExtension?

    /// The system has never shown more.
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
