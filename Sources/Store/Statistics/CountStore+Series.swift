public import Campaigns
public import Postgres

extension CountStore {
    /// The unit of a series.
    public enum Unit: String, CaseIterable, Sendable {
        case minute, hour, day
    }

    /// The counts for each unit of time, in order. Units without events are omitted. `zone` is a time zone's name in
    /// PostgreSQL. The unit `.minute` requires a run.
    public func series(
        app: App.ID, campaigns: [Campaign.ID]? = nil, run: Run.ID? = nil, unit: Unit, zone: String, since: Timestamp,
        until: Timestamp
    ) async throws -> [(start: Timestamp, counts: Counts)] {
        let rows: PostgresRows
        if let run {
            rows = try await pool.query(
                """
                SELECT date_trunc(\(unit.rawValue), minute, \(zone)), measure, sum(count)::bigint, '0'
                FROM run_minutes
                WHERE message_number = (SELECT message_number FROM runs WHERE id = \(run) AND app_id = \(app))
                    AND measure = ANY (\(Self.measures)) AND minute >= \(since) AND minute < \(until)
                GROUP BY 1, 2 ORDER BY 1
                """)
        } else {
            rows = try await pool.query(
                Self.grouped(
                    by: "date_trunc(\(unit.rawValue), quarter, \(zone))", app, campaigns, since: since, until: until))
        }
        var series: [(start: Timestamp, counts: Counts)] = []
        for row in rows {
            let start: Timestamp = try row[0]
            if series.last?.start != start { series.append((start, Counts())) }
            try series[series.count - 1].counts.read(row)
        }
        return series
    }

    /// The counts for each hour of the day, 0 to 23.
    public func byHourOfDay(
        app: App.ID, campaigns: [Campaign.ID]? = nil, zone: String, since: Timestamp, until: Timestamp
    ) async throws -> [(hour: Int, counts: Counts)] {
        let rows = try await pool.query(
            Self.grouped(
                by: "extract(hour FROM quarter AT TIME ZONE \(zone))::integer", app, campaigns, since: since,
                until: until))
        var hours = (0..<24).map { (hour: $0, counts: Counts()) }
        for row in rows {
            let hour = Int(try row[0, as: Int32.self])
            if hours.indices.contains(hour) { try hours[hour].counts.read(row) }
        }
        return hours
    }

    private static var measures: [Int16] { Measure.allCases.map(\.rawValue) }

    /// The counts of quarters of an hour, by an expression of `quarter` and by measure, in order. For merged days, the
    /// expression is computed once for each quarter, since time zones cost more than counts.
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
            ), counts AS (
                SELECT \(unit) AS unit, measure, count, nullif(amount, 0) AS amount FROM app_quarters
                WHERE app_id = \(app) AND measure = ANY (\(measures)) AND quarter >= \(since) AND quarter < \(until) \(recent)
                UNION ALL
                SELECT c.unit, q.measure, c.count, c.amount
                FROM quarter_days q
                JOIN units u ON u.day = q.day
                CROSS JOIN LATERAL unnest(q.counts, q.amounts, u.units) AS c (count, amount, unit)
                WHERE q.app_id = \(app) AND q.measure = ANY (\(measures))
                    AND q.campaign_id = ANY (\((campaigns?.map(\.rawValue)) ?? [-1]))
                    AND q.day >= (\(since) AT TIME ZONE 'UTC')::date AND q.day <= (\(until) AT TIME ZONE 'UTC')::date
                    AND c.count <> 0 AND c.unit IS NOT NULL
            )
            SELECT unit, measure, sum(count)::bigint, trim_scale(coalesce(sum(amount), 0))::text FROM counts GROUP BY 1, 2 ORDER BY 1
            """
    }
}

extension CountStore.Counts {
    /// From columns: the group, a measure, its count and the sum of values.
    fileprivate mutating func read(_ row: PostgresRow) throws {
        guard let measure = Measure(rawValue: try row[1]) else { return }
        numbers[measure] = try row[2]
        if measure == .conversions { conversionValue = try row[3] }
    }
}
