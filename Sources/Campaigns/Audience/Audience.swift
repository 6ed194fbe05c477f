/// Part of an audience that is saved under a name, and looked up again whenever it is used.
public enum Segment {
    public typealias ID = Identifier<Segment>
}

/// Who gets a campaign, as people write it: everybody whom `include` holds for, without those whom `exclude` holds for.
///
/// Logic has two values: a condition about something that a device does not have is false, and `not` makes that true.
public struct Audience: Hashable, Sendable {
    /// Nil stands for everybody.
    public var include: AudienceCondition?
    /// Nil stands for nobody.
    public var exclude: AudienceCondition?

    /// Conditions, groups of them among these.
    public static let maximumConditions = 200
    /// Conditions in one another.
    public static let maximumDepth = 8
    /// User ids of all lists together.
    public static let maximumUserIDs = 10_000

    public init(include: AudienceCondition? = nil, exclude: AudienceCondition? = nil) {
        self.include = include
        self.exclude = exclude
    }

    public static let everybody = Audience()

    public var isEverybody: Bool { include == nil && exclude == nil }

    /// The whole as one condition; nil for everybody.
    public var condition: AudienceCondition? {
        switch (include, exclude) {
        case (let include?, let exclude?): .all([include, .not(exclude)])
        case (let include?, nil): include
        case (nil, let exclude?): .not(exclude)
        case (nil, nil): nil
        }
    }
}

/// What holds for a device or does not.
public indirect enum AudienceCondition: Hashable, Sendable {
    /// Never empty, like `any`.
    case all([AudienceCondition])
    case any([AudienceCondition])
    case not(AudienceCondition)
    case field(AudienceField, AudienceTest)
    case attribute(AttributePath, AudienceTest)
    case tag(String)
    case optedOut(TopicKey)
    case userIDs([String])
    case segment(Segment.ID)
    case event(AudienceEvent)
}

/// That the device told something about a push of a campaign.
public struct AudienceEvent: Hashable, Sendable {
    public var kind: EventKind
    /// Nil for any campaign; then `withinDays` is there.
    public var campaign: Campaign.ID?
    /// Days of 24 hours back from now, by the phone's clock.
    public var withinDays: Int?
    /// The button's identifier.
    public var action: String?

    public static let maximumDays = 90
    /// Bytes.
    public static let maximumActionLength = 200

    public init(_ kind: EventKind, campaign: Campaign.ID? = nil, withinDays: Int? = nil, action: String? = nil) {
        self.kind = kind
        self.campaign = campaign
        self.withinDays = withinDays
        self.action = action
    }
}
