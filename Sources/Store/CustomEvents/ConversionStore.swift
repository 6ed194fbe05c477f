public import Campaigns
public import Postgres

/// Attributes the events that count as conversions to pushes of campaigns, each event once and to one push at most.
///
/// Docs/decisions/statistics.md explains the rule, and why events wait in a queue.
public struct ConversionStore: Sendable {
    /// Seconds for which an event waits, so that a device can report what it opened before.
    static let settlingSeconds = 300.0
    /// Events attributed in one step.
    static let stepSize = 5_000
    /// Days after a push in which an event can count: an app chooses one number for each name.
    public static let days = 1...7
    static let deadline = Duration.seconds(60)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Events that pushes led to.
    public struct Count: Hashable, Sendable {
        /// Of the grouping: a name, or the number of a campaign, a run or a variant.
        public let group: String
        /// The name of a campaign or a variant; nil for others.
        public let name: String?
        /// Somebody engaged with the push, and then had the event.
        public let direct: Int
        /// Somebody was sent the push and had the event, without having engaged with one.
        public let influenced: Int
        /// The sums of their values, as decimal digits.
        public let directAmount, influencedAmount: String
    }

    public enum Grouping: String, CaseIterable, Sendable {
        case event, campaign, run, variant
    }

    /// The largest groups first. `name`: only events of this name.
    public func counts(
        app: App.ID, _ scope: StatisticsStore.Scope, by grouping: Grouping, name: String?, limit: Int
    ) async throws -> [Count] {
        let (group, label): (PostgresQuery, PostgresQuery) =
            switch grouping {
            case .event: ("n.name", "NULL::text")
            case .campaign: ("r.campaign_id::text", "k.name")
            case .run: ("r.id::text", "NULL::text")
            case .variant: ("m.variant::text", "m.name")
            }
        let campaigns = scope.campaigns.map { $0.map(\.rawValue) }
        let variant = scope.variant.map { Int16($0) }
        return try await pool.query(
            """
            SELECT \(group) AS "group", max(\(label)) AS label, sum(c.direct)::bigint, sum(c.influenced)::bigint,
                trim_scale(sum(c.direct_amount))::text, trim_scale(sum(c.influenced_amount))::text
            FROM conversions c
            JOIN custom_event_names n ON n.app_id = c.app_id AND n.id = c.name_id AND n.deleted_at IS NULL
            JOIN run_variants m ON m.app_id = c.app_id AND m.message_number = c.message_number
            JOIN runs r ON r.app_id = m.app_id AND r.id = m.run_id
            JOIN campaigns k ON k.app_id = r.app_id AND k.id = r.campaign_id
            WHERE c.app_id = \(app)
                AND (\(campaigns) IS NULL OR r.campaign_id = ANY (\(campaigns)))
                AND (\(scope.run) IS NULL OR r.id = \(scope.run)) AND (\(variant) IS NULL OR m.variant = \(variant))
                AND r.started_at >= coalesce(\(scope.sentSince), '-infinity')
                AND r.started_at < coalesce(\(scope.sentUntil), 'infinity')
                AND (\(name) IS NULL OR n.name = \(name))
            GROUP BY 1 ORDER BY sum(c.direct) + sum(c.influenced) DESC, 1 LIMIT \(limit)
            """
        ).map { row in
            Count(
                group: try row[0], name: try row[1], direct: try row[2], influenced: try row[3],
                directAmount: try row[4], influencedAmount: try row[5])
        }
    }

    /// Attributes the events of one app that have waited longest. Returns their number; 0 when none is due or another
    /// process is at it.
    public func attributeStep() async throws -> Int {
        try await pool.alone(.conversions) { connection in
            // PostgreSQL takes the events for one, and would compare each recipient with each of them.
            try await connection.execute("SET LOCAL enable_nestloop = off")
            return try await connection.query(Self.attribution, deadline: Self.deadline)[0][0]
        }
    }

    /// An event counts for the push that its person engaged with last; only if there is none, for the one that was sent to
    /// the person last. A person is a user with all devices, or without one a device.
    private static let attribution: PostgresQuery = """
        WITH due AS MATERIALIZED (
            SELECT app_id FROM conversion_queue
            WHERE queued_at < now() - make_interval(secs => \(settlingSeconds)) LIMIT 1
        ), taken AS (
            DELETE FROM conversion_queue WHERE app_id = (SELECT app_id FROM due) AND id = ANY (ARRAY(
                SELECT id FROM conversion_queue
                WHERE app_id = (SELECT app_id FROM due)
                    AND queued_at < now() - make_interval(secs => \(settlingSeconds))
                ORDER BY id LIMIT \(stepSize)))
            RETURNING app_id, id, happened_at, name_id, device_id, user_id, value
        ), wanted AS MATERIALIZED (
            SELECT t.*, t.happened_at - make_interval(days => n.conversion_days) AS since
            FROM taken t JOIN custom_event_names n ON n.app_id = t.app_id AND n.id = t.name_id
            WHERE n.conversion_days IS NOT NULL AND n.deleted_at IS NULL
        ), owners AS MATERIALIZED (
            SELECT w.id, d.id AS device_id FROM wanted w
            CROSS JOIN LATERAL (
                SELECT id FROM devices WHERE app_id = w.app_id AND user_id = w.user_id OFFSET 0
            ) AS d
            UNION
            SELECT id, device_id FROM wanted WHERE device_id IS NOT NULL
        ), span AS MATERIALIZED (
            SELECT app_id, min(since) AS since, max(happened_at) AS until FROM wanted GROUP BY app_id
        ), messages AS MATERIALIZED (
            SELECT m.app_id, m.run_id, m.variant, m.message_number
            FROM span s CROSS JOIN LATERAL (
                SELECT id FROM runs WHERE app_id = s.app_id AND finished_at IS NULL AND started_at <= s.until
                UNION ALL
                SELECT id FROM runs
                WHERE app_id = s.app_id AND finished_at > s.since AND started_at <= s.until AND recipients_deleted_at IS NULL
            ) AS r JOIN run_variants m ON m.app_id = s.app_id AND m.run_id = r.id
        ), engaged AS MATERIALIZED (
            SELECT DISTINCT ON (w.id) w.id, e.message_number
            FROM wanted w JOIN owners o ON o.id = w.id
            CROSS JOIN LATERAL (
                SELECT message_number, happened_at FROM events
                WHERE app_id = w.app_id AND device_id = o.device_id AND kind = \(EventKind.engaged.rawValue)
                    AND message_number = ANY (ARRAY(SELECT message_number FROM messages))
                    AND happened_at <= w.happened_at AND happened_at > w.since
                ORDER BY happened_at DESC LIMIT 1
            ) AS e
            ORDER BY w.id, e.happened_at DESC
        ), open AS MATERIALIZED (
            SELECT w.id, w.happened_at, w.since, o.device_id FROM wanted w JOIN owners o ON o.id = w.id
            WHERE NOT EXISTS (SELECT FROM engaged e WHERE e.id = w.id)
        ), received AS (
            SELECT DISTINCT ON (o.id) o.id, m.message_number
            FROM messages m JOIN batches b ON b.run_id = m.run_id AND b.app_id = m.app_id AND b.variant = m.variant
            -- Between its due time and its end a push was sent; nobody has an event because of one that was not yet.
            CROSS JOIN LATERAL (SELECT coalesce(b.ended_at, b.due_at) AS sent_at) AS s
            -- Uncompressed once, not for each recipient.
            CROSS JOIN LATERAL (SELECT b.outcomes || '\\x'::bytea AS outcomes OFFSET 0) AS flat
            CROSS JOIN LATERAL unnest(b.recipients) WITH ORDINALITY AS u (device_id, position)
            JOIN open o ON o.device_id = u.device_id
            WHERE b.accepted > 0 AND s.sent_at <= o.happened_at AND s.sent_at > o.since
                AND s.sent_at > (SELECT since FROM span) AND b.due_at <= (SELECT until FROM span)
                AND outcome_code(get_byte(flat.outcomes, u.position::integer - 1)) = ANY (ARRAY(
                    SELECT code FROM outcome_codes WHERE kind = 'accepted'))
            ORDER BY o.id, s.sent_at DESC
        ), attributed AS (
            SELECT id, message_number, true AS is_direct FROM engaged
            UNION ALL
            SELECT id, message_number, false FROM received
        ), stored AS (
            INSERT INTO conversions AS c (app_id, message_number, name_id, direct, influenced, direct_amount, influenced_amount)
            SELECT w.app_id, a.message_number, w.name_id, count(*) FILTER (WHERE is_direct),
                count(*) FILTER (WHERE NOT is_direct), coalesce(sum(w.value) FILTER (WHERE is_direct), 0),
                coalesce(sum(w.value) FILTER (WHERE NOT is_direct), 0)
            FROM attributed a JOIN wanted w ON w.id = a.id
            GROUP BY 1, 2, 3
            ON CONFLICT (app_id, message_number, name_id) DO UPDATE SET
                direct = c.direct + excluded.direct, influenced = c.influenced + excluded.influenced,
                direct_amount = c.direct_amount + excluded.direct_amount,
                influenced_amount = c.influenced_amount + excluded.influenced_amount
        )
        SELECT count(*) FROM taken
        """
}
