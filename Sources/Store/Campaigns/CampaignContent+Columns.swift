import Campaigns
import JSON
import Notifications
import Postgres

/// How the content and the options of a campaign are stored: each is a column here, and read below.
extension CampaignContent {
    /// The columns of `campaigns` to write. `weights` are those of an A/B test.
    func columns(_ weights: VariantWeights?) -> WrittenColumns {
        WrittenColumns([
            ("name", "\(name)"),
            ("tags", "\(tags)"),
            ("payload", "\(body?.payload)::json"),
            ("content", "\(body?.content)::json"),
            ("template_id", "\(body?.template?.id)"),
            ("template_version", "\(body?.template?.version)"),
            ("variants", "\(isTest ? storedVariants.text : nil)::json"),
            ("variant_weights", "\(weights?.json.text)::json"),
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
            ("goal", "\(options.goal.metric)"),
            ("goal_event_name", "\(options.goal.eventName)"),
            ("control_share", "\(options.controlShare.map { Int16($0) })"),
            ("winner", "\(options.winner?.json.text)::json"),
            ("quiet_hours", "\(options.quietHours?.json.text)::json"),
            ("frequency_cap_count", "\(options.frequencyCap.map { Int16($0.count) })"),
            ("frequency_cap_days", "\(options.frequencyCap.map { Int16($0.days) })"),
            ("ignores_quiet_hours", "\(options.ignoresQuietHours)"),
            ("ignores_frequency_cap", "\(options.ignoresFrequencyCap)"),
            ("ignores_global_control", "\(options.ignoresGlobalControl)"),
            ("pushes_per_second", "\(options.pushesPerSecond)"),
            ("rejection_threshold_percent", "\(options.rejectionThresholdPercent.map { Int16($0) })"),
        ])
    }

    /// The same columns, as `init` reads them.
    static let readColumns: PostgresQuery = """
        name, tags, payload::text, content::text, template_id, template_version, push_type, priority, expiration_seconds, collapse_id,
        unknown_policy, topic, audience::text, schedule::text, missed_policy, grace_seconds, ignores_quiet_hours,
        ignores_frequency_cap, pushes_per_second, rejection_threshold_percent, variants::text, variant_weights::text,
        goal, goal_event_name, winner::text, control_share, ignores_global_control, quiet_hours::text,
        frequency_cap_count, frequency_cap_days
        """

    init(_ row: PostgresRow) throws {
        self.init(
            name: try row["name"], variants: try Self.variants(row), pushType: try row["push_type"],
            priority: try Priority(rawValue: row["priority"]) ?? .immediate,
            expirationSeconds: try row["expiration_seconds"],
            collapseID: try row["collapse_id", as: String?.self].map { text in try CollapseID(text) },
            unknownPolicy: try row["unknown_policy"],
            topic: try row["topic", as: String?.self].map { text in try TopicKey(text) })
        tags = try row["tags"]
        weights = try VariantWeights.read(row["variant_weights"])?.current ?? weights
        options.audience = try Audience(json: try JSON(parsing: try row["audience", as: String.self]))
        options.schedule = try RuleColumns.schedule(row["schedule"])
        options.missedStart = MissedStart(grace: try row["grace_seconds"], policy: try row["missed_policy"])
        options.goal =
            CampaignGoal(metric: try row["goal"], eventName: try row["goal_event_name"]) ?? options.goal
        options.winner = try row["winner", as: String?.self].map { try WinnerRule(json: try JSON(parsing: $0)) }
        options.controlShare = try row["control_share"]
        options.quietHours = try RuleColumns.quietHours(row["quiet_hours"])
        options.frequencyCap = RuleColumns.cap(try row["frequency_cap_count"], try row["frequency_cap_days"])
        options.ignoresQuietHours = try row["ignores_quiet_hours"]
        options.ignoresFrequencyCap = try row["ignores_frequency_cap"]
        options.ignoresGlobalControl = try row["ignores_global_control"]
        options.pushesPerSecond = try row["pushes_per_second"]
        options.rejectionThresholdPercent = try row["rejection_threshold_percent"]
    }

    // MARK: Contents

    /// The schema ensures that exactly one of the four is set.
    private static func variants(_ row: PostgresRow) throws -> [CampaignVariant] {
        if let text = try row["variants", as: String?.self], case .array(let list) = try JSON(parsing: text) {
            return list.compactMap(CampaignVariant.init(stored:))
        }
        return [CampaignVariant(name: CampaignVariant.standardName(0), body: try body(row))]
    }

    private static func body(_ row: PostgresRow) throws -> Body {
        if let payload = try row["payload", as: String?.self] { return .payload(payload) }
        if let content = try row["content", as: String?.self] { return .content(content) }
        return .template(TemplateReference(id: try row["template_id"], version: try row["template_version"]))
    }

    private var storedVariants: JSON { .array(variants.map(\.stored)) }
}

extension CampaignVariant {
    /// Also read by `NewRun`.
    fileprivate var stored: JSON {
        switch body {
        case .payload(let text): ["name": .string(name), "payload": (try? JSON(parsing: text)) ?? .null]
        case .content(let text): ["name": .string(name), "content": (try? JSON(parsing: text)) ?? .null]
        case .template(let template):
            [
                "name": .string(name), "template": .string(template.id.description),
                "template_version": .number(JSON.Number(template.version)),
            ]
        }
    }

    fileprivate init?(stored: JSON) {
        guard case .string(let name)? = stored["name"] else { return nil }
        if let payload = stored["payload"] {
            self.init(name: name, body: .payload(payload.text))
            return
        }
        if let content = stored["content"] {
            self.init(name: name, body: .content(content.text))
            return
        }
        guard case .string(let text)? = stored["template"], let id = Template.ID(text),
            case .number(let version)? = stored["template_version"]
        else { return nil }
        self.init(name: name, body: .template(TemplateReference(id: id, version: version.int ?? 1)))
    }
}
