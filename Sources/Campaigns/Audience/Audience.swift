/// A named, saved part of an audience, resolved whenever it is used.
public enum Segment {
    public typealias ID = Identifier<Segment>
}

/// The recipients of a campaign, as people write them: devices that match `include` and do not match `exclude`.
///
/// Logic has two values: a condition about a value that a device lacks is false, and its negation is true.
public struct Audience: Hashable, Sendable {
    /// Nil: all devices.
    public var include: AudienceCondition?
    /// Nil: no device.
    public var exclude: AudienceCondition?

    /// The maximum number of conditions, including groups.
    public static let maximumConditions = 200
    /// The maximum depth of nested conditions.
    public static let maximumDepth = 8
    /// The maximum number of user ids in all lists together.
    public static let maximumUserIDs = 10_000

    public init(include: AudienceCondition? = nil, exclude: AudienceCondition? = nil) {
        self.include = include
        self.exclude = exclude
    }

    public static let everybody = Audience()

    public var isEverybody: Bool { include == nil && exclude == nil }

    /// The audience as one condition; nil for all devices.
    public var condition: AudienceCondition? {
        switch (include, exclude) {
        case (let include?, let exclude?): .all([include, .not(exclude)])
        case (let include?, nil): include
        case (nil, let exclude?): .not(exclude)
        case (nil, nil): nil
        }
    }
}

/// A condition that is true or false for a device.
public indirect enum AudienceCondition: Hashable, Sendable {
    /// Never empty, like `any`.
    case all([AudienceCondition])
    case any([AudienceCondition])
    case not(AudienceCondition)
    case field(AudienceField, AudienceTest)
    case attribute(AttributePath, AudienceTest)
    case tag(String)
    /// Who opted out of all campaigns opted out of each topic.
    case optedOut(OptOut)
    case userIDs([String])
    case segment(Segment.ID)
    case event(AudienceEvent)
    case outcome(AudienceOutcome)
    case customEvent(AudienceCustomEvent)
}

/// The device reported an event about a push of a campaign.
public struct AudienceEvent: Hashable, Sendable {
    public var kind: EventKind
    /// Nil for any campaign; `withinDays` is set then.
    public var campaign: Campaign.ID?
    /// Nil for all runs of the campaign.
    public var run: Run.ID?
    /// The place in the run, from 0; only with `run`.
    public var variant: Int?
    /// Days of 24 hours back from now, by the device's clock.
    public var withinDays: Int?
    /// The button's identifier.
    public var action: String?

    public static let maximumDays = 90
    /// Bytes.
    public static let maximumActionLength = 200
    public static let variants = 0...9

    public init(
        _ kind: EventKind, campaign: Campaign.ID? = nil, run: Run.ID? = nil, variant: Int? = nil,
        withinDays: Int? = nil, action: String? = nil
    ) {
        self.kind = kind
        self.campaign = campaign
        self.run = run
        self.variant = variant
        self.withinDays = withinDays
        self.action = action
    }
}
