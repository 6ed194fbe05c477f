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
    /// When its schedule was paused; nil: it is not.
    public let schedulePausedAt: Timestamp?
    /// When a start by hand takes effect; nil: no start is delayed.
    public let startsAt: Timestamp?
    public let content: CampaignContent

    public var status: CampaignStatus {
        CampaignStatus(
            state, schedule: content.schedule, isSchedulePaused: schedulePausedAt != nil,
            isStarting: startsAt != nil)
    }
}

extension CampaignRecord {
    static let columns: PostgresQuery = """
        id, app_id, created_at, updated_at, version, state, reason, name, payload::text, push_type, priority,
        expiration_seconds, collapse_id, unknown_policy, next_check_at, topic, template_id, template_version,
        pushes_per_second, rejection_threshold_percent, archived_at, handled_until, schedule_paused_at, starts_at,
        ignores_quiet_hours, ignores_frequency_cap, missed_policy, grace_seconds, schedule::text, audience::text
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        version = try row["version"]
        state = try row["state"]
        reason = try row["reason"]
        nextCheckAt = try row["next_check_at"]
        archivedAt = try row["archived_at"]
        handledUntil = try row["handled_until"]
        schedulePausedAt = try row["schedule_paused_at"]
        startsAt = try row["starts_at"]
        var content = CampaignContent(
            name: try row["name"], body: try Self.body(row), pushType: try row["push_type"],
            priority: try Priority(rawValue: row["priority"]) ?? .immediate,
            expirationSeconds: try row["expiration_seconds"],
            collapseID: try row["collapse_id", as: String?.self].map { text in try CollapseID(text) },
            unknownPolicy: try row["unknown_policy"],
            topic: try row["topic", as: String?.self].map { text in try TopicKey(text) })
        content.pushesPerSecond = try row["pushes_per_second"]
        content.rejectionThresholdPercent = try row["rejection_threshold_percent"]
        content.ignoresQuietHours = try row["ignores_quiet_hours"]
        content.ignoresFrequencyCap = try row["ignores_frequency_cap"]
        content.missedStart = MissedStart(grace: try row["grace_seconds"], policy: try row["missed_policy"])
        content.schedule = try RuleColumns.schedule(row["schedule"])
        content.audience = try Audience(json: try JSON(parsing: try row["audience", as: String.self]))
        self.content = content
    }

    /// The schema ensures that exactly one of the two is set.
    private static func body(_ row: PostgresRow) throws -> CampaignContent.Body {
        guard let template = try row["template_id", as: Template.ID?.self] else { return .payload(try row["payload"]) }
        return .template(TemplateReference(id: template, version: try row["template_version"]))
    }
}
