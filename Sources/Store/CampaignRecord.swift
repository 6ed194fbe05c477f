public import Campaigns
public import Notifications
public import Postgres

/// A campaign as it is stored.
public struct CampaignRecord: Hashable, Sendable {
    public let id: Campaign.ID
    public let app: App.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// Raised by every edit and every move.
    public let version: Int
    public let state: CampaignState
    /// Why it is paused or failed, in words.
    public let reason: String?
    public let content: CampaignContent
}

/// What people write. The rules about it are checked before it comes here (`PushRules`).
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
    public var sendAt: Timestamp?
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
        topic: TopicKey? = nil, sendAt: Timestamp? = nil
    ) {
        self.init(
            name: name, body: .payload(payload), pushType: pushType, priority: priority,
            expirationSeconds: expirationSeconds, collapseID: collapseID, unknownPolicy: unknownPolicy, topic: topic,
            sendAt: sendAt)
    }

    public init(
        name: String, body: Body, pushType: PushType = .alert, priority: Priority = .immediate,
        expirationSeconds: Int = 86_400, collapseID: CollapseID? = nil, unknownPolicy: UnknownPolicy = .resend,
        topic: TopicKey? = nil, sendAt: Timestamp? = nil
    ) {
        self.name = name
        self.body = body
        self.pushType = pushType
        self.priority = priority
        self.expirationSeconds = expirationSeconds
        self.collapseID = collapseID
        self.unknownPolicy = unknownPolicy
        self.topic = topic
        self.sendAt = sendAt
    }
}

extension CampaignRecord {
    static let columns: PostgresQuery = """
        id, app_id, created_at, updated_at, version, state, reason, name, payload, push_type, priority,
        expiration_seconds, collapse_id, unknown_policy, send_at, topic, template_id, template_version, pushes_per_second,
        brake_percent
        """

    init(_ row: PostgresRow) throws {
        id = try row[0]
        app = try row[1]
        createdAt = try row[2]
        updatedAt = try row[3]
        version = try row[4]
        state = try row[5]
        reason = try row[6]
        var content = CampaignContent(
            name: try row[7], body: try Self.body(row), pushType: try row[9],
            priority: try Priority(rawValue: row[10]) ?? .immediate, expirationSeconds: try row[11],
            collapseID: try row[12, as: String?.self].map { text in try CollapseID(text) },
            unknownPolicy: try row[13], topic: try row[15, as: String?.self].map { text in try TopicKey(text) },
            sendAt: try row[14])
        content.pushesPerSecond = try row[18]
        content.brakePercent = try row[19]
        self.content = content
    }

    /// The schema sees to it that there is one of the two.
    private static func body(_ row: PostgresRow) throws -> CampaignContent.Body {
        guard let template = try row[16, as: Template.ID?.self] else { return .payload(try row[8]) }
        return .template(TemplateReference(id: template, version: try row[17]))
    }
}

extension CampaignState: PostgresEncodable, PostgresDecodable {}
extension UnknownPolicy: PostgresEncodable, PostgresDecodable {}
extension PushType: PostgresEncodable, PostgresDecodable {}
