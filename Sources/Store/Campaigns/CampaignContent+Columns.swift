import Campaigns
import JSON
import Notifications
import Postgres

/// How the content and the options of a campaign are stored: each is a column here, and read below.
extension CampaignContent {
    /// What is written, in `campaigns`.
    var columns: WrittenColumns {
        WrittenColumns([
            ("name", "\(name)"),
            ("payload", "\(payload)::json"),
            ("template_id", "\(template?.id)"),
            ("template_version", "\(template?.version)"),
            ("push_type", "\(pushType)"),
            ("priority", "\(priority.rawValue)"),
            ("expiration_seconds", "\(expirationSeconds)"),
            ("collapse_id", "\(collapseID?.text)"),
            ("unknown_policy", "\(unknownPolicy)"),
            ("topic", "\(topic?.text)"),
            ("audience", "\(options.audience.json.text)::json"),
            ("schedule", "\(options.schedule?.json.text)::json"),
            ("missed_policy", "\(options.missedStart.policy)"),
            ("grace_seconds", "\(options.missedStart.grace)"),
            ("ignores_quiet_hours", "\(options.ignoresQuietHours)"),
            ("ignores_frequency_cap", "\(options.ignoresFrequencyCap)"),
            ("pushes_per_second", "\(options.pushesPerSecond)"),
            ("rejection_threshold_percent", "\(options.rejectionThresholdPercent.map { Int16($0) })"),
        ])
    }

    /// The same columns, as `init` reads them.
    static let readColumns: PostgresQuery = """
        name, payload::text, template_id, template_version, push_type, priority, expiration_seconds, collapse_id,
        unknown_policy, topic, audience::text, schedule::text, missed_policy, grace_seconds, ignores_quiet_hours,
        ignores_frequency_cap, pushes_per_second, rejection_threshold_percent
        """

    init(_ row: PostgresRow) throws {
        self.init(
            name: try row["name"], body: try Self.body(row), pushType: try row["push_type"],
            priority: try Priority(rawValue: row["priority"]) ?? .immediate,
            expirationSeconds: try row["expiration_seconds"],
            collapseID: try row["collapse_id", as: String?.self].map { text in try CollapseID(text) },
            unknownPolicy: try row["unknown_policy"],
            topic: try row["topic", as: String?.self].map { text in try TopicKey(text) })
        options.audience = try Audience(json: try JSON(parsing: try row["audience", as: String.self]))
        options.schedule = try RuleColumns.schedule(row["schedule"])
        options.missedStart = MissedStart(grace: try row["grace_seconds"], policy: try row["missed_policy"])
        options.ignoresQuietHours = try row["ignores_quiet_hours"]
        options.ignoresFrequencyCap = try row["ignores_frequency_cap"]
        options.pushesPerSecond = try row["pushes_per_second"]
        options.rejectionThresholdPercent = try row["rejection_threshold_percent"]
    }

    /// The schema ensures that exactly one of the two is set.
    private static func body(_ row: PostgresRow) throws -> CampaignContent.Body {
        guard let template = try row["template_id", as: Template.ID?.self] else { return .payload(try row["payload"]) }
        return .template(TemplateReference(id: template, version: try row["template_version"]))
    }
}
