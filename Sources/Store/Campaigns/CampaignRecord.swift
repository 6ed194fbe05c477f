public import Campaigns
import JSON
import Notifications
public import Postgres

/// A campaign as it is stored.
public struct CampaignRecord: Hashable, Sendable {
    public let id: Campaign.ID
    public let app: App.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    public let archivedAt: Timestamp?
    /// Raised by every edit and every state change.
    public let version: Int
    public let state: CampaignState
    /// Why it is paused or failed, or why an occurrence was skipped, as text for a person.
    public let reason: String?
    /// While it is scheduled: when it is examined next, to start it or to plan it ahead.
    public let nextCheckAt: Timestamp?
    /// Occurrences of the schedule that begin up to this time have been started or skipped.
    public let handledUntil: Timestamp?
    public let content: CampaignContent
}

extension CampaignRecord {
    static let columns: PostgresQuery = """
        id, app_id, created_at, updated_at, version, state, reason, name, payload::text, push_type, priority,
        expiration_seconds, collapse_id, unknown_policy, send_at, topic, template_id, template_version,
        pushes_per_second, brake_percent, archived_at, handled_until, ignores_quiet_hours, ignores_cap, missed_policy,
        grace_seconds, schedule::text, audience::text
        """

    init(_ row: PostgresRow) throws {
        id = try row[0]
        app = try row[1]
        createdAt = try row[2]
        updatedAt = try row[3]
        version = try row[4]
        state = try row[5]
        reason = try row[6]
        nextCheckAt = try row[14]
        archivedAt = try row[20]
        handledUntil = try row[21]
        var content = CampaignContent(
            name: try row[7], body: try Self.body(row), pushType: try row[9],
            priority: try Priority(rawValue: row[10]) ?? .immediate, expirationSeconds: try row[11],
            collapseID: try row[12, as: String?.self].map { text in try CollapseID(text) },
            unknownPolicy: try row[13], topic: try row[15, as: String?.self].map { text in try TopicKey(text) })
        content.pushesPerSecond = try row[18]
        content.rejectionThresholdPercent = try row[19]
        content.ignoresQuietHours = try row[22]
        content.ignoresFrequencyCap = try row[23]
        content.missedStart = MissedStart(grace: try row[25], policy: try row[24])
        content.schedule = try RuleColumns.schedule(row[26])
        content.audience = try Audience(json: try JSON(parsing: try row[27, as: String.self]))
        self.content = content
    }

    /// The schema ensures that exactly one of the two is set.
    private static func body(_ row: PostgresRow) throws -> CampaignContent.Body {
        guard let template = try row[16, as: Template.ID?.self] else { return .payload(try row[8]) }
        return .template(TemplateReference(id: template, version: try row[17]))
    }
}
