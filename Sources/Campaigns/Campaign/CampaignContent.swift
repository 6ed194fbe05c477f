public import Notifications

/// What people write. The rules about it are checked before it comes here (`PushRules`, `AudienceCheck`).
public struct CampaignContent: Hashable, Sendable {
    /// Characters.
    public static let maximumNameLength = 200
    /// 30 days, in seconds: Apple stores a push no longer.
    public static let maximumExpirationSeconds = 2_592_000
    public static let maximumPace = 1_000_000
    public static let standardBrakePercent = 50

    public var name: String
    public var body: Body
    public var pushType: PushType
    public var priority: Priority
    /// How long a push is worth delivering; 0 is now or never.
    public var expirationSeconds: Int
    /// Nil: Belfry sets one per run.
    public var collapseID: CollapseID?
    public var unknownPolicy: UnknownPolicy
    /// Who has opted out of it is not sent the campaign.
    public var topic: TopicKey?
    public var audience = Audience.everybody
    /// Nil: it is started by hand.
    public var schedule: Schedule?
    public var missedStart = MissedStart.standard
    /// For what cannot wait: the app's quiet hours do not hold it.
    public var ignoresQuietHours = false
    /// Sent also to those who have had as many as the app allows. It counts for later campaigns all the same.
    public var ignoresFrequencyCap = false
    /// Over all processes together; nil: as fast as it goes.
    public var pushesPerSecond: Int?
    /// Rejections in a hundred answers beyond which sending stops and asks; nil: it never does.
    public var brakePercent: Int? = standardBrakePercent

    public enum Body: Hashable, Sendable {
        /// A JSON object as text, with its keys' order and its numbers' digits.
        case payload(String)
        /// A version that stays as it is, whatever becomes of the template.
        case template(TemplateReference)
    }

    public var payload: String? { if case .payload(let payload) = body { payload } else { nil } }
    public var template: TemplateReference? { if case .template(let template) = body { template } else { nil } }

    public init(
        name: String, payload: String, pushType: PushType = .alert, priority: Priority = .immediate,
        expirationSeconds: Int = 86_400, collapseID: CollapseID? = nil, unknownPolicy: UnknownPolicy = .resend,
        topic: TopicKey? = nil
    ) {
        self.init(
            name: name, body: .payload(payload), pushType: pushType, priority: priority,
            expirationSeconds: expirationSeconds, collapseID: collapseID, unknownPolicy: unknownPolicy, topic: topic)
    }

    public init(
        name: String, body: Body, pushType: PushType = .alert, priority: Priority = .immediate,
        expirationSeconds: Int = 86_400, collapseID: CollapseID? = nil, unknownPolicy: UnknownPolicy = .resend,
        topic: TopicKey? = nil
    ) {
        self.name = name
        self.body = body
        self.pushType = pushType
        self.priority = priority
        self.expirationSeconds = expirationSeconds
        self.collapseID = collapseID
        self.unknownPolicy = unknownPolicy
        self.topic = topic
    }
}
