public import JSON

/// The dictionary form of an alert. Nil means that the key is absent.
///
/// A Live Activity's alert is different: it only has `sound`, `title` and `body`, and the latter two may be
/// `localized`. `PushRules` checks the difference.
public struct Alert: Sendable, Equatable {
    public var title: Text?
    public var subtitle: String?
    public var body: Text?
    public var launchImage: String?
    /// Keys of the app's `Localizable.strings`; the arguments replace their `%@` in order.
    public var titleLocKey: String?
    public var titleLocArgs: [String]?
    public var subtitleLocKey: String?
    public var subtitleLocArgs: [String]?
    public var locKey: String?
    public var locArgs: [String]?
    /// Legacy: the title of the button on iOS 9 and earlier.
    public var action: String?
    /// Legacy: the key of that title; null removes the button.
    public var actionLocKey: ActionLocKey?
    /// Legacy: ignored since iOS 15.
    public var summaryArg: String?
    /// Legacy: ignored since iOS 15.
    public var summaryArgCount: Int?
    /// Live Activities only; in other pushes the sound is in `aps`.
    public var sound: String?
    /// All other keys, unchanged.
    public var other: [JSON.Member]
    var keyOrder = KeyOrder()

    public enum ActionLocKey: Sendable, Equatable {
        case null
        case key(String)
    }

    public init(
        title: Text? = nil, subtitle: String? = nil, body: Text? = nil, launchImage: String? = nil,
        titleLocKey: String? = nil, titleLocArgs: [String]? = nil, subtitleLocKey: String? = nil,
        subtitleLocArgs: [String]? = nil, locKey: String? = nil, locArgs: [String]? = nil, action: String? = nil,
        actionLocKey: ActionLocKey? = nil, summaryArg: String? = nil, summaryArgCount: Int? = nil,
        sound: String? = nil, other: [JSON.Member] = []
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.launchImage = launchImage
        self.titleLocKey = titleLocKey
        self.titleLocArgs = titleLocArgs
        self.subtitleLocKey = subtitleLocKey
        self.subtitleLocArgs = subtitleLocArgs
        self.locKey = locKey
        self.locArgs = locArgs
        self.action = action
        self.actionLocKey = actionLocKey
        self.summaryArg = summaryArg
        self.summaryArgCount = summaryArgCount
        self.sound = sound
        self.other = other
    }
}
