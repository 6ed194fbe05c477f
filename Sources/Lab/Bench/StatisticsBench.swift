import Belfry
import Campaigns
import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import Store

/// Measures each query of statistics with ten million raw events, and with the counts of a year in which a hundred
/// million events came in: a thousand runs, two thirds of them in the quarters of an hour after each other.
struct StatisticsBench {
    static let events = 10_000_000
    static let runs = 1_000
    static let campaigns = 250
    /// Measurements of each query; the median counts.
    static let attempts = 9

    func run(into report: inout BenchReport) async throws {
        let rows = try await BenchScratch.run("statistics") { settings, loop in
            try await Self.measure(settings, on: loop)
        }
        for (name, milliseconds) in rows { report.add("statistics.\(name)_ms", milliseconds, "ms") }
        report.note(
            "\(Self.events.formatted()) raw events; counts of \(Self.runs.formatted()) runs in a year; medians of \(Self.attempts)"
        )
    }

    private static func measure(_ settings: Settings, on loop: EventLoop) async throws -> [(String, Double)] {
        let logger = Logger.make(level: .warning)
        let database = try await Database.open(settings, on: loop, logger: logger)
        let stores = database.stores(on: loop, logger: logger)
        let app = try await stores.apps.create(
            AppSettings(name: "Bench", bundleID: try BundleID("com.example.bench"))
        ).id
        let data = StatisticsBenchData(pool: stores.pool, app: app)
        try await data.fill()
        let rows = try await times(stores, app)
        await stores.pool.close()
        await database.close()
        return rows
    }

    private static func times(_ stores: Stores, _ app: App.ID) async throws -> [(String, Double)] {
        let statistics = stores.statistics
        let now = Timestamp.now
        let month = StatisticsStore.Scope(sentSince: now - .seconds(30 * 86_400))
        let one = StatisticsStore.Scope(campaigns: [Campaign.ID(rawValue: 1)])
        let run = try await stores.runs.newest(of: Campaign.ID(rawValue: 1), app: app)
        var rows: [(String, Double)] = []
        func time(_ name: String, _ query: () async throws -> Int) async throws {
            var durations: [Double] = []
            for _ in 0..<attempts {
                let began = MonotonicTime.now()
                let found = try await query()
                durations.append((.now() - began).seconds * 1e3)
                guard found > 0 else { throw CommandFailure("the query \(name) found nothing") }
            }
            rows.append((name, durations.sorted()[attempts / 2]))
        }
        for dimension in Dimension.allCases {
            try await time("year_by_\(dimension)") {
                try await statistics.totals(app: app, .init(), by: dimension).count
            }
        }
        try await time("year_by_campaign") { try await statistics.totalsByCampaign(app: app, .init()).count }
        try await time("year_by_category") { try await statistics.totalsByCategory(app: app, .init()).count }
        try await time("month_by_locale") { try await statistics.totals(app: app, month, by: .locale).count }
        try await time("campaign_by_locale") { try await statistics.totals(app: app, one, by: .locale).count }
        try await time("campaign_by_variant") { try await statistics.totalsByVariant(app: app, one).groups.count }
        guard let zone = ZoneClock(named: "Asia/Kathmandu") else { return rows }
        try await time("year_series_day") {
            try await statistics.series(
                app: app, unit: .day, zone: zone, since: now - .seconds(366 * 86_400), until: now
            ).count
        }
        try await time("quarter_series_hour") {
            try await statistics.series(
                app: app, unit: .hour, zone: zone, since: now - .seconds(124 * 86_400), until: now
            ).count
        }
        if let run {
            try await time("run_series_minute") {
                try await statistics.series(
                    app: app, run: run.id, unit: .minute, zone: zone, since: run.startedAt,
                    until: run.startedAt + .seconds(2 * 86_400)
                ).count
            }
        }
        try await time("year_hours_of_day") {
            try await statistics.byHourOfDay(app: app, zone: zone, since: now - .seconds(366 * 86_400), until: now)
                .count
        }
        try await time("year_devices") {
            try await statistics.deviceDays(app: app, since: now - .seconds(366 * 86_400), until: now).count
        }
        return rows
    }
}

/// The rows that `StatisticsBench` reads.
private struct StatisticsBenchData {
    let pool: PostgresPool
    let app: App.ID

    func fill() async throws {
        try await pool.execute(
            """
            INSERT INTO campaigns (app_id, name, payload)
            SELECT \(app), 'Campaign ' || n, '{"aps":{"alert":"Hello","category":"EVENT"}}' FROM generate_series(1, \(StatisticsBench.campaigns)) AS n
            """, deadline: .seconds(600))
        try await pool.execute(
            """
            INSERT INTO runs (app_id, campaign_id, started_at, expires_at, device_ceiling, estimated, expiration_seconds,
                message_key_version, priority, push_type, unknown_policy, audience,
                message_id_key, default_locale, default_time_zone, attachment_url_key, state, planned_at, finished_at)
            SELECT \(app), 1 + n % \(StatisticsBench.campaigns),
                now() - interval '1 year' * (\(StatisticsBench.runs) - n) / \(StatisticsBench.runs), now(), 1, 1,
                86400, 1, 10, 'alert', 'resend', '{}',
                'i', 'en', 'UTC', 'attachment-url', 'finished', now(), now()
            FROM generate_series(1, \(StatisticsBench.runs)) AS n
            """, deadline: .seconds(600))
        try await pool.execute(
            """
            INSERT INTO run_variants (app_id, run_id, variant, name, payload)
            SELECT app_id, id, 0, 'A', '{"aps":{"alert":"Hello","category":"EVENT"}}' FROM runs ORDER BY id
            """, deadline: .seconds(600))
        try await pool.execute(
            """
            INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
            SELECT \(app), m.message_number, n, CASE WHEN n % 8 = 0 THEN 3 ELSE 1 END,
                r.started_at + make_interval(secs => n % 86400)
            FROM runs r JOIN run_variants m ON m.run_id = r.id
            CROSS JOIN generate_series(1, \(StatisticsBench.events / 10)) AS n
            WHERE r.id IN (SELECT id FROM runs ORDER BY id DESC LIMIT 10)
            """, deadline: .seconds(600))
        try await fillCounts()
        // As the maintenance of a worker does it day by day.
        let merges = CountMergeStore(pool: pool)
        while try await merges.mergeStep() > 0 {}
        try await pool.execute("VACUUM ANALYZE", deadline: .seconds(600))
    }

    /// Two shards of each count, as two processes write them.
    private func fillCounts() async throws {
        let measures: [Int16] = [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 16]
        try await pool.execute(
            """
            INSERT INTO message_totals (app_id, message_number, campaign_id, count, sent_on, dimension, measure, shard, value)
            SELECT \(app), v.message_number, r.campaign_id, 1 + (random() * 5000)::integer,
                (r.started_at AT TIME ZONE 'UTC')::date, d.dimension, m.measure, s.shard,
                CASE WHEN d.dimension = 0 THEN '' WHEN d.dimension = 7 THEN (60 * n)::text ELSE 'value ' || n END
            FROM runs r
            JOIN run_variants v ON v.run_id = r.id
            CROSS JOIN (VALUES (0, 1), (1, 20), (2, 15), (3, 12), (4, 10), (5, 4), (6, 6), (7, 21)) AS d (dimension, size)
            CROSS JOIN LATERAL generate_series(1, d.size) AS n
            CROSS JOIN unnest(\(measures)) AS m (measure)
            CROSS JOIN (VALUES (1), (2)) AS s (shard)
            WHERE d.dimension <= 4 OR m.measure IN (3, 4, 7, 12)
            """, deadline: .seconds(600))
        try await pool.execute(
            """
            INSERT INTO app_quarters (app_id, quarter, campaign_id, count, measure, shard)
            SELECT \(app), to_quarter(r.started_at + make_interval(mins => 15 * q)), r.campaign_id, 500, m.measure, s.shard
            FROM runs r CROSS JOIN generate_series(0, 99) AS q
            CROSS JOIN unnest(\(measures)) AS m (measure) CROSS JOIN (VALUES (0), (1)) AS s (shard)
            WHERE m.measure < 10 OR q < 2
            ON CONFLICT DO NOTHING
            """, deadline: .seconds(600))
        try await pool.execute(
            """
            INSERT INTO run_minutes (app_id, message_number, minute, count, measure, shard)
            SELECT r.app_id, v.message_number, date_trunc('minute', r.started_at) + make_interval(mins => q), 50, m.measure, 0
            FROM runs r JOIN run_variants v ON v.run_id = r.id
            CROSS JOIN generate_series(0, 720) AS q CROSS JOIN unnest(\(measures)) AS m (measure)
            WHERE r.campaign_id = 1
            """, deadline: .seconds(600))
        try await pool.execute(
            """
            INSERT INTO device_days (app_id, count, day, measure, shard)
            SELECT \(app), 1000, current_date - n, measure, shard
            FROM generate_series(1, 365) AS n, generate_series(1, 4) AS measure, generate_series(0, 7) AS shard
            """, deadline: .seconds(600))
    }
}
