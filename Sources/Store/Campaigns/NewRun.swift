import Campaigns
import Experiments
import JSON
import Postgres

/// A new run: it freezes the content, options and rules of the campaign and its app.
struct NewRun {
    let campaign: Campaign.ID
    let app: App.ID
    let occurrence: Occurrence
    /// A question for a person; the run starts paused until it is answered.
    let question: Message?
    let audience: ResolvedAudience
    /// The estimated number of recipients.
    let estimated: Int
    /// The idempotency key of the API call that triggered the run.
    var trigger: IdempotencyKey?
    /// Values for the content, an object; nil when there are none.
    var values: JSON?

    /// Inserts it in the transaction that claimed its start, and notifies the workers.
    func insert(on connection: PostgresConnection) async throws -> Run.ID? {
        let rows = try await connection.query(
            """
            SELECT floor(extract(epoch FROM now()))::bigint, c.expiration_seconds,
                CASE WHEN NOT c.ignores_quiet_hours THEN coalesce(c.quiet_hours, a.quiet_hours) END::text, c.variant_weights::text
            FROM campaigns c JOIN apps a ON a.id = c.app_id
            WHERE c.app_id = \(app) AND c.id = \(campaign)
            """)
        guard let row = rows.first else { return nil }
        let expiresAt = occurrence.expiry(
            after: try row[1], from: try row[0], quiet: try RuleColumns.quietHours(row[2]))
        let weights = try VariantWeights.read(row[3])
        // In a test of texts, all get them at their best time.
        let testsTimes = weights == nil && occurrence.bestHours != nil
        let map = try testsTimes ? VariantMap(weights: TimeGroup.weights) : weights?.map
        return try await connection.query(statement(expiresAt: expiresAt, map: map, testsTimes: testsTimes)).first
            .map { try $0[0] }
    }

    /// Freezes content, options, rules and the device ceiling: devices that register later are outside of the run.
    private func statement(expiresAt: Int, map: VariantMap?, testsTimes: Bool) -> PostgresQuery {
        let groups = testsTimes ? TimeGroup.allCases : []
        return """
            WITH message AS MATERIALIZED (
                SELECT nextval('message_numbers') AS number
            ), inserted AS (
                INSERT INTO runs (
                    app_id, campaign_id, expires_at, device_ceiling, estimated, expiration_seconds,
                    message_key_version, priority, push_type, collapse_id, unknown_policy,
                    topic, message_id_key, default_locale, default_time_zone,
                    schedule_time_zone,
                    attachment_url_key, attachment_type_key, pushes_per_second, rejection_threshold_percent, state,
                    reason, reason_localization, occurrence, audience, quiet_hours, frequency_cap_count, frequency_cap_days, trigger_owner, trigger_key,
                    trigger_body_hash, values, salt, variant_map, tests_times,
                    test_share, control_share, control_period)
                SELECT
                    c.app_id, c.id, to_timestamp(\(Double(expiresAt))),
                    coalesce((SELECT max(id) FROM devices WHERE app_id = c.app_id), 0), \(estimated),
                    c.expiration_seconds,
                    (SELECT max(version) FROM message_keys WHERE app_id = c.app_id),
                    c.priority, c.push_type,
                    -- A push that is sent again then replaces the first on the screen.
                    CASE WHEN c.push_type = 'alert' THEN coalesce(c.collapse_id, 'belfry-' || m.number) ELSE c.collapse_id END,
                    c.unknown_policy, c.topic,
                    a.message_id_key, a.default_locale, a.default_time_zone,
                    nullif(c.schedule ->> 'time_zone', 'recipient'), a.attachment_url_key, a.attachment_type_key,
                    c.pushes_per_second, c.rejection_threshold_percent,
                    \(question == nil ? RunRecord.State.sending : .paused), \(question?.description), \(question?.stored),
                    \(occurrence.json.text)::json, \(audience.json.text)::json,
                    CASE WHEN NOT c.ignores_quiet_hours THEN coalesce(c.quiet_hours, a.quiet_hours) END,
                    CASE WHEN NOT c.ignores_frequency_cap THEN coalesce(c.frequency_cap_count, a.frequency_cap_count) END,
                    CASE WHEN NOT c.ignores_frequency_cap THEN coalesce(c.frequency_cap_days, a.frequency_cap_days) END,
                    \(trigger?.owner.text), \(trigger?.text), \(trigger?.bodyHash), \(values.map { JSONText($0.encoded()) }),
                    c.salt, \(map?.variants), \(testsTimes), (c.winner ->> 'share')::smallint,
                    c.control_share,
                    CASE WHEN NOT c.ignores_global_control THEN \(ControlPeriodStore.present("c.app_id")) END
                FROM campaigns c
                JOIN apps a ON a.id = c.app_id
                CROSS JOIN message m
                WHERE c.app_id = \(app) AND c.id = \(campaign)
                RETURNING id, app_id, campaign_id, state, reason
            ), variants AS (
                INSERT INTO run_variants (app_id, run_id, variant, name, message_number, payload, content, template_id,
                    template_version)
                SELECT r.app_id, r.id, v.variant, v.name,
                    CASE WHEN v.variant = 0 THEN m.number ELSE nextval('message_numbers') END,
                    v.payload, v.content, v.template_id, v.template_version
                FROM inserted r CROSS JOIN message m
                JOIN campaigns c ON c.app_id = r.app_id AND c.id = r.campaign_id
                CROSS JOIN LATERAL (
                    SELECT 0 AS variant, 'A' AS name, c.payload, c.content, c.template_id, c.template_version
                    WHERE c.variants IS NULL AND NOT \(testsTimes)
                    UNION ALL
                    SELECT place - 1, name, c.payload, c.content, c.template_id, c.template_version
                    FROM unnest(\(groups.map(\.name))) WITH ORDINALITY AS g (name, place)
                    UNION ALL
                    SELECT place - 1, value ->> 'name', value -> 'payload', value -> 'content',
                        (value ->> 'template')::bigint, (value ->> 'template_version')::integer
                    FROM json_array_elements(c.variants) WITH ORDINALITY AS v (value, place)
                ) AS v
            ), told AS (
                \(WebhookEvents.insert(
                .runPaused, from: "inserted s", where: "s.state = 'paused'", data: WebhookEvents.paused))
            )
            SELECT id, pg_notify('belfry_runs', id::text) FROM inserted
            """
    }
}
