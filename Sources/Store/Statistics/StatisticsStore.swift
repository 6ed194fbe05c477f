public import Campaigns
import FoundationEssentials
public import Postgres

/// Reads the counts of statistics. Runs count once they have finished, events as soon as they are stored.
/// Docs/decisions/statistics.md explains what a period is and which counts are merged.
public struct StatisticsStore: Sendable {
    /// Selects the pushes to count.
    public struct Scope: Hashable, Sendable {
        /// Pushes of these campaigns; nil: all, and transactional pushes.
        public var campaigns: [Campaign.ID]?
        public var run: Run.ID?
        /// The place of a variant in these campaigns, from 0; nil: all.
        public var variant: Int?
        /// When the pushes' runs started: at or after, and before.
        public var sentSince: Timestamp?
        public var sentUntil: Timestamp?

        /// Transactional pushes count by days in UTC: from the midnight that is nearest to the beginning, and before that
        /// which is nearest to the end.
        public var transactionalSince: Timestamp? { sentSince?.nearestMidnight }
        public var transactionalUntil: Timestamp? { sentUntil?.nearestMidnight }

        /// Whether the period begins and ends at midnight in UTC.
        var isOfWholeDays: Bool {
            [sentSince, sentUntil].compactMap { $0 }.allSatisfy { $0.microseconds % 86_400_000_000 == 0 }
        }

        public init(
            campaigns: [Campaign.ID]? = nil, run: Run.ID? = nil, variant: Int? = nil, sentSince: Timestamp? = nil,
            sentUntil: Timestamp? = nil
        ) {
            self.variant = variant
            self.campaigns = campaigns
            self.run = run
            self.sentSince = sentSince
            self.sentUntil = sentUntil
        }
    }

    /// Counts by measure.
    public struct Counts: Hashable, Sendable {
        public internal(set) var numbers: [Measure: Int] = [:]
        /// The sum of the values of conversions, as decimal digits.
        public internal(set) var conversionValue = "0"

        public init() {}

        public subscript(measure: Measure) -> Int { numbers[measure] ?? 0 }
        /// Adds counts. `amount` is the sum of values, as decimal digits.
        mutating func add(_ count: Int, of measure: Measure, amount: String) {
            numbers[measure, default: 0] += count
            guard measure == .conversions, let sum = Decimal(string: conversionValue),
                let more = Decimal(string: amount)
            else { return }
            conversionValue = (sum + more).description
        }

        public var targeted: Int { Measure.outcomes.reduce(0) { $0 + self[$1] } }
    }

    let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    // MARK: Totals

    /// The counts by a dimension of the pushes, with the value of each group. With `.total`, there is one group, or
    /// none. Of more than `limit` groups, those with the most devices are returned.
    public func totals(
        app: App.ID, _ scope: Scope, by dimension: Dimension, limit: Int = .max
    ) async throws -> [(value: String, counts: Counts)] {
        let isOfAll = scope.campaigns == nil && scope.run == nil
        return try await groups(
            app: app, scope, dimension, key: "value", limit: limit,
            from: isOfAll ? Self.ofAllMessages(scope, dimension, app) : nil)
    }

    /// The counts by campaign: the value is its id; 0 stands for transactional pushes.
    public func totalsByCampaign(
        app: App.ID, _ scope: Scope, limit: Int = .max
    ) async throws -> [(value: String, counts: Counts)] {
        try await groups(app: app, scope, .total, key: "campaign_id::text", limit: limit)
    }

    /// The counts by the category of the notification, as the default payload has it; an empty value stands for none, and
    /// 0 for transactional pushes, whose payloads are not kept.
    public func totalsByCategory(
        app: App.ID, _ scope: Scope, limit: Int = .max
    ) async throws -> [(value: String, counts: Counts)] {
        try await groups(
            app: app, scope, .total, key: "CASE WHEN t.campaign_id = 0 THEN '0' ELSE coalesce(c.category, '') END",
            limit: limit,
            join: """
                LEFT JOIN (
                    SELECT r.message_number,
                        coalesce(r.payload #>> '{aps,category}',
                            coalesce(r.content, v.content) #>> '{payload,aps,category}') AS category
                    FROM run_variants r
                    LEFT JOIN template_versions v
                        ON v.app_id = r.app_id AND v.template_id = r.template_id AND v.version = r.template_version
                    WHERE r.app_id = \(app)
                ) AS c USING (message_number)
                """)
    }

    /// Merged days, and what is not merged yet; of days that are only partly in the period, each message.
    private static func ofAllMessages(_ scope: Scope, _ dimension: Dimension, _ app: App.ID) -> PostgresQuery {
        let isAfter = scope.sentSince.map { since -> PostgresQuery in "sent_on >= \(since) AT TIME ZONE 'UTC'" }
        let isBefore = scope.sentUntil.map { until -> PostgresQuery in
            "sent_on < (\(until) AT TIME ZONE 'UTC')::date"
        }
        let days: PostgresQuery = "(\(isAfter ?? "true") AND \(isBefore ?? "true"))"
        var all = scope
        (all.sentSince, all.sentUntil) = (nil, nil)
        let condition = condition(all, dimension, app: app)
        var source: PostgresQuery = """
            SELECT measure, value, count, amount FROM day_totals WHERE \(condition) AND \(days)
            UNION ALL SELECT measure, value, count, amount FROM message_totals
            WHERE \(condition) AND shard > 0 AND \(days)
            """
        if !scope.isOfWholeDays {
            source += """
                 UNION ALL SELECT measure, value, count, amount FROM message_totals
                WHERE \(Self.condition(scope, dimension, app: app)) AND NOT \(days)
                """
        }
        return source
    }

    private func groups(
        app: App.ID, _ scope: Scope, _ dimension: Dimension, key: PostgresQuery, limit: Int,
        from source: PostgresQuery? = nil, join: PostgresQuery = ""
    ) async throws -> [(value: String, counts: Counts)] {
        let source =
            source ?? """
                SELECT message_number, campaign_id, measure, value, sum(count) AS count, sum(amount) AS amount
                FROM message_totals WHERE \(Self.condition(scope, dimension, app: app))
                GROUP BY message_number, campaign_id, measure, value
                """
        let rows = try await pool.query(
            """
            WITH counts AS (
                SELECT \(key) AS key, measure, sum(count)::bigint AS count, trim_scale(sum(amount))::text AS amount
                FROM (\(source)) AS t \(join)
                GROUP BY 1, 2
            ), largest AS (
                SELECT key, max(count) AS size FROM counts GROUP BY key ORDER BY 2 DESC, 1 LIMIT \(limit)
            )
            SELECT c.key, c.measure, c.count, c.amount FROM largest l JOIN counts c USING (key)
            ORDER BY l.size DESC, c.key
            """)
        var groups: [(value: String, counts: Counts)] = []
        for row in rows {
            let key: String = try row[0]
            if groups.last?.value != key { groups.append((key, Counts())) }
            guard let measure = Measure(rawValue: try row[1]) else { continue }
            groups[groups.count - 1].counts.numbers[measure] = try row[2]
            if measure == .conversions { groups[groups.count - 1].counts.conversionValue = try row[3] }
        }
        return groups
    }

    /// Days and messages are named, since the primary key leads to them.
    static func condition(_ scope: Scope, _ dimension: Dimension, app: App.ID) -> PostgresQuery {
        var condition: PostgresQuery = """
            app_id = \(app) AND dimension = \(dimension.rawValue)
                AND measure = ANY (\(Measure.ofPushes.map(\.rawValue)))
            """
        if scope.campaigns != nil || scope.run != nil {
            let runs: PostgresQuery = """
                FROM runs r JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
                WHERE r.app_id = \(app) AND (\(scope.run) IS NULL OR r.id = \(scope.run))
                    AND (\(scope.campaigns == nil) OR r.campaign_id = ANY (\((scope.campaigns ?? []).map(\.rawValue))))
                    AND (\(scope.variant == nil) OR m.variant = \(Int16(clamping: scope.variant ?? 0)))
                """
            condition += """
                 AND sent_on = ANY (ARRAY(SELECT (r.started_at AT TIME ZONE 'UTC')::date \(runs)))
                AND message_number = ANY (ARRAY(SELECT m.message_number \(runs)))
                """
        }
        if let since = scope.sentSince { condition += " AND sent_on >= (\(since) AT TIME ZONE 'UTC')::date" }
        if let until = scope.sentUntil { condition += " AND sent_on < \(until) AT TIME ZONE 'UTC'" }
        if !scope.isOfWholeDays { condition += sentWithin(scope, app) }
        return condition
    }

    /// Of days that are only partly in the period: runs by their start, and transactional pushes by the day.
    private static func sentWithin(_ scope: Scope, _ app: App.ID) -> PostgresQuery {
        """
         AND CASE WHEN campaign_id = 0
            THEN (\(scope.transactionalSince) IS NULL OR sent_on >= \(scope.transactionalSince) AT TIME ZONE 'UTC')
                AND (\(scope.transactionalUntil) IS NULL OR sent_on < \(scope.transactionalUntil) AT TIME ZONE 'UTC')
            ELSE message_number IN (
                SELECT m.message_number FROM runs r
                JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
                WHERE r.app_id = \(app) AND (\(scope.sentSince) IS NULL OR r.started_at >= \(scope.sentSince))
                    AND (\(scope.sentUntil) IS NULL OR r.started_at < \(scope.sentUntil)))
            END
        """
    }

    // MARK: Devices

    public struct DeviceDay: Hashable, Sendable {
        /// The start of the day in UTC.
        public let day: Timestamp
        public let new: Int
        public let retired: Int
        public let registeredAgain: Int
        /// Seen on that day.
        public let active: Int
    }

    /// Devices by day in UTC. Days on which nothing happened are missing.
    public func deviceDays(app: App.ID, since: Timestamp, until: Timestamp) async throws -> [DeviceDay] {
        try await pool.query(
            """
            SELECT day::timestamp AT TIME ZONE 'UTC', coalesce(sum(count) FILTER (WHERE measure = 1), 0)::bigint,
                coalesce(sum(count) FILTER (WHERE measure = 2), 0)::bigint,
                coalesce(sum(count) FILTER (WHERE measure = 3), 0)::bigint,
                coalesce(sum(count) FILTER (WHERE measure = 4), 0)::bigint
            FROM device_days
            WHERE app_id = \(app) AND day >= (\(since) AT TIME ZONE 'UTC')::date
                AND day < \(until) AT TIME ZONE 'UTC'
            GROUP BY day ORDER BY day
            """
        ).map { row in
            DeviceDay(
                day: try row[0], new: try row[1], retired: try row[2], registeredAgain: try row[3], active: try row[4])
        }
    }
}
