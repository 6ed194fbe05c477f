public import Campaigns
public import Notifications
public import Postgres

extension StatisticsStore {
    /// The unit of a series.
    public enum Unit: String, CaseIterable, Sendable {
        case minute, hour, day
    }

    /// Counts are kept by quarter of an hour, and for each run by minute.
    public static func step(ofRun isOfRun: Bool) -> Duration { .seconds(isOfRun ? 60 : 900) }

    /// When the run began, for its own period.
    public func start(of run: Run.ID, app: App.ID) async throws -> Timestamp {
        let rows = try await pool.query("SELECT started_at FROM runs WHERE app_id = \(app) AND id = \(run)")
        guard let row = rows.first else { throw Refusal.notFound(.run) }
        return try row[0]
    }

    /// The counts for each unit of time, in order. Units without events are omitted. A day begins with the first moment
    /// of its date, an hour when the clock shows a full one or is changed. The unit `.minute` requires a run. The times are
    /// whole steps.
    public func series(
        app: App.ID, campaigns: [Campaign.ID]? = nil, run: Run.ID? = nil, variant: Int? = nil, unit: Unit,
        zone: ZoneClock, since: Timestamp, until: Timestamp
    ) async throws -> [(start: Timestamp, counts: Counts)] {
        let times = LocalTimes(zone, since: since, until: until)
        let rows: PostgresRows
        if let run {
            rows = try await pool.query(
                """
                SELECT \(times.unit(unit, of: "minute")),
                    \(Self.columns { "coalesce(sum(count) FILTER (WHERE measure = \($0)), 0)::bigint" }),
                    trim_scale(sum(amount))::text
                FROM run_minutes
                WHERE app_id = \(app) AND message_number IN (
                        SELECT m.message_number FROM runs r
                        JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
                        WHERE r.app_id = \(app) AND r.id = \(run)
                            AND (\(variant == nil) OR m.variant = \(Int16(clamping: variant ?? 0))) AND (
                            \(campaigns == nil) OR r.campaign_id = ANY (\((campaigns ?? []).map(\.rawValue)))))
                    AND measure = ANY (\(Measure.ofPushes.map(\.rawValue))) AND minute >= \(since) AND minute < \(until)
                GROUP BY 1 ORDER BY 1
                """)
        } else {
            rows = try await pool.query(
                Self.grouped(
                    by: times.unit(unit, of: "quarter"), app, campaigns, since: since, until: until))
        }
        return try rows.compactMap { row in
            let counts = try Counts(row)
            return counts.numbers.isEmpty ? nil : (times.start(of: try row[0], unit), counts)
        }
    }

    /// The counts for each hour of the day, 0 to 23.
    public func byHourOfDay(
        app: App.ID, campaigns: [Campaign.ID]? = nil, zone: ZoneClock, since: Timestamp, until: Timestamp
    ) async throws -> [(hour: Int, counts: Counts)] {
        let rows = try await pool.query(
            Self.grouped(
                by: LocalTimes(zone, since: since, until: until).hourOfDay(of: "quarter"), app, campaigns,
                since: since, until: until))
        var hours = (0..<24).map { (hour: $0, counts: Counts()) }
        for row in rows {
            let hour: Int = try row[0]
            if hours.indices.contains(hour) { hours[hour].counts = try Counts(row) }
        }
        return hours
    }

    /// An expression for each measure, separated by commas.
    private static func columns(_ expression: (Int16) -> String) -> PostgresQuery {
        PostgresQuery(unescaped: Measure.ofPushes.map { expression($0.rawValue) }.joined(separator: ", "))
    }

    /// Rows of a unit, which is an expression of `quarter`, the count of each measure, and the sum of values.
    ///
    /// For merged days, the unit is computed once for each quarter, since time zones cost more than counts, and the
    /// measures are read side by side: to group them by unit and measure takes twice as long.
    private static func grouped(
        by unit: PostgresQuery, _ app: App.ID, _ campaigns: [Campaign.ID]?, since: Timestamp, until: Timestamp
    ) -> PostgresQuery {
        // Merged rows have the sums of all campaigns.
        let recent: PostgresQuery =
            campaigns.map { campaigns -> PostgresQuery in "AND campaign_id = ANY (\(campaigns.map(\.rawValue)))" } ?? ""
        return """
            WITH units AS MATERIALIZED (
                SELECT day::date AS day, (
                    SELECT array_agg(CASE WHEN quarter >= \(since) AND quarter < \(until) THEN \(unit) END ORDER BY quarter)
                    FROM generate_series(0, 95) AS index,
                        LATERAL (SELECT (day + index * interval '15 minutes') AT TIME ZONE 'UTC' AS quarter) AS q
                ) AS units
                FROM generate_series(
                    (\(since) AT TIME ZONE 'UTC')::date::timestamp, \(until) AT TIME ZONE 'UTC', interval '1 day') AS day
            ), days AS (
                SELECT day, \(columns { "max(counts) FILTER (WHERE measure = \($0)) AS counts_\($0)" }),
                    max(amounts) AS amounts
                FROM quarter_days
                WHERE app_id = \(app) AND measure = ANY (\(Measure.ofPushes.map(\.rawValue)))
                    AND campaign_id = ANY (\((campaigns?.map(\.rawValue)) ?? [-1]))
                    AND day >= (\(since) AT TIME ZONE 'UTC')::date AND day <= (\(until) AT TIME ZONE 'UTC')::date
                GROUP BY campaign_id, day
            ), sums AS (
                SELECT q.unit, \(columns { "sum(count_\($0)) AS sum_\($0)" }), sum(q.amount) AS amount
                FROM days d
                JOIN units u USING (day)
                CROSS JOIN LATERAL unnest(\(columns { "d.counts_\($0)" }), d.amounts, u.units)
                    AS q (\(columns { "count_\($0)" }), amount, unit)
                WHERE q.unit IS NOT NULL GROUP BY 1
                UNION ALL
                SELECT \(unit), \(columns { "sum(count) FILTER (WHERE measure = \($0))" }), sum(amount)
                FROM app_quarters
                WHERE app_id = \(app) AND measure = ANY (\(Measure.ofPushes.map(\.rawValue))) AND quarter >= \(since) AND quarter < \(until) \(recent)
                GROUP BY 1
            )
            SELECT unit, \(columns { "coalesce(sum(sum_\($0)), 0)::bigint" }), trim_scale(coalesce(sum(amount), 0))::text
            FROM sums GROUP BY 1 ORDER BY 1
            """
    }
}

extension StatisticsStore.Counts {
    /// From columns: the group, the count of each measure, and the sum of values.
    fileprivate init(_ row: PostgresRow) throws {
        self.init()
        for (index, measure) in Measure.ofPushes.enumerated() {
            let count: Int = try row[1 + index]
            if count != 0 { numbers[measure] = count }
        }
        conversionValue = try row[1 + Measure.ofPushes.count]
    }
}
