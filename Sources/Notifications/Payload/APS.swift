public import JSON

/// Apple's own dictionary in a payload ("Generating a remote notification").
///
/// Nil means that the key is absent, which differs from 0 and empty: without a badge the icon's number stays, with 0 it
/// is removed.
public struct APS: Sendable, Equatable {
    public var alert: AlertContent?
    /// 0 or more.
    public var badge: Int?
    public var sound: Sound?
    public var threadID: String?
    /// The identifier of a category that the app has registered; otherwise no buttons are shown.
    public var category: String?
    /// Written as 1 or 0.
    public var contentAvailable: Bool?
    /// Written as 1 or 0.
    public var mutableContent: Bool?
    public var targetContentID: String?
    public var interruptionLevel: InterruptionLevel?
    /// 0 to 1; any number in a Live Activity.
    public var relevanceScore: JSON.Number?
    public var filterCriteria: String?
    /// The keys of a Live Activity's push, each of which may be absent.
    public var liveActivity: LiveActivity
    /// Widgets and controls: true makes them reload.
    public var contentChanged: Bool?
    /// Legacy, Safari's website pushes: the values for the placeholders in the website's URL.
    public var urlArgs: [String]?
    /// All other keys, unchanged.
    public var other: [JSON.Member]
    var keyOrder = KeyOrder()

    /// An alert: a text, which is its body, or a dictionary.
    public enum AlertContent: Sendable, Equatable {
        case text(String)
        case dictionary(Alert)
    }

    public enum InterruptionLevel: String, Sendable, CaseIterable {
        case passive
        case active
        case timeSensitive = "time-sensitive"
        case critical
    }

    public init(
        alert: AlertContent? = nil, badge: Int? = nil, sound: Sound? = nil, threadID: String? = nil,
        category: String? = nil, contentAvailable: Bool? = nil, mutableContent: Bool? = nil,
        targetContentID: String? = nil, interruptionLevel: InterruptionLevel? = nil,
        relevanceScore: JSON.Number? = nil, filterCriteria: String? = nil, liveActivity: LiveActivity = LiveActivity(),
        contentChanged: Bool? = nil, urlArgs: [String]? = nil, other: [JSON.Member] = []
    ) {
        self.alert = alert
        self.badge = badge
        self.sound = sound
        self.threadID = threadID
        self.category = category
        self.contentAvailable = contentAvailable
        self.mutableContent = mutableContent
        self.targetContentID = targetContentID
        self.interruptionLevel = interruptionLevel
        self.relevanceScore = relevanceScore
        self.filterCriteria = filterCriteria
        self.liveActivity = liveActivity
        self.contentChanged = contentChanged
        self.urlArgs = urlArgs
        self.other = other
    }
}
