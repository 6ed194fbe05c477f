import Campaigns
import Notifications
import Postgres
import Store

/// An app with a past, for benchmarks. All of it is written with SQL, week by week, as the partitions of events
/// require.
struct HistoryData: Sendable {
    /// In a year: 50,000 runs, 5,000,000 transactional pushes and 50,000,000 events.
    static let narrowRunsPerWeek = 955
    static let broadRunsPerWeek = 6
    static let pushBatchesPerWeek = 1_923
    static let pushBatchSize: Int32 = 50
    /// Of the devices of each broad run, in tenths: delivered, and opened.
    static let delivered = 8
    static let opened = 1

    let pool: PostgresPool
    let app: App.ID
    let campaign: Campaign.ID

    /// Adds `live` registered devices, and retired ones between them, which are `retiredShare` of all.
    func addDevices(_ live: Int, retiredShare: Double) async throws {
        let count = Int(Double(live) / (1 - retiredShare))
        let retired = Int32(retiredShare * 100)
        try await pool.execute(
            """
            INSERT INTO devices (app_id, environment, installation, token, user_id, locale, time_zone, os_version,
                app_version, attributes, retired_at, retired_reason)
            SELECT \(app), 0, 'history-' || \(app) || '-' || n, sha256((\(app) || '-' || n)::text::bytea), 'user-' || n, 'en',
                'Europe/London', '18.5', '4.2.0', '{"first_name": "Ann"}',
                CASE WHEN n * 37 % 100 < \(retired) THEN now() END, CASE WHEN n * 37 % 100 < \(retired) THEN 1 END
            FROM generate_series(1, \(count)) AS n
            """, deadline: Self.deadline)
        try await BenchData(pool: pool).addActivity(of: app, deadline: Self.deadline)
    }

    /// Whether `addDevices` retired the device with this number, from 1.
    static func isRetired(_ number: Int, share: Double) -> Bool { number * 37 % 100 < Int(share * 100) }

    static let deadline = Duration.seconds(900)

    /// A week of campaigns, pushes and events that ended this many weeks ago.
    func addWeek(endingWeeksAgo weeks: Int) async throws {
        let end: PostgresQuery = "(now() - make_interval(weeks => \(Int32(weeks))))"
        try await addRuns(Self.broadRunsPerWeek, end, recipients: Self.everybody(app))
        try await addRuns(Self.narrowRunsPerWeek, end, recipients: Self.somebody(app))
        try await addPushes(end)
        try await addEvents(end)
        // The next week is in the next partition.
        try await pool.execute(
            """
            UPDATE message_ranges SET opened_at = now() - make_interval(weeks => \(Int32(weeks + 1)))
            WHERE first_number = (SELECT max(first_number) FROM message_ranges WHERE opened_at IS NOT NULL)
            """)
        try await MessageRangeStore(pool: pool).maintain()
    }

    /// Lists of at most a batch's size, all registered devices.
    private static func everybody(_ app: App.ID) -> PostgresQuery {
        """
        SELECT array_agg(id ORDER BY id) AS ids
        FROM (
            SELECT id, (row_number() OVER (ORDER BY id) - 1) / \(Batch.maximumSize) AS part FROM devices
            WHERE app_id = \(app) AND retired_at IS NULL
        ) AS d
        GROUP BY part
        """
    }

    /// One device, as a triggered run has it.
    private static func somebody(_ app: App.ID) -> PostgresQuery {
        """
        SELECT ARRAY[d.first + (a.id * 7919) % (d.last - d.first + 1)] AS ids
        FROM (SELECT min(id) AS first, max(id) AS last FROM devices WHERE app_id = \(app)) AS d
        """
    }

    private func addRuns(_ count: Int, _ end: PostgresQuery, recipients: PostgresQuery) async throws {
        try await pool.execute(
            """
            WITH added AS (
                INSERT INTO runs (app_id, campaign_id, started_at, planned_at, finished_at, verified_at, expires_at,
                    device_ceiling, estimated, expiration_seconds, message_key_version, priority, push_type,
                    unknown_policy, audience, state, targeted, accepted, rejected, suppressed, expired, cancelled,
                    unknown, deferred, resent, planned_total, message_id_key, default_locale, default_time_zone, attachment_url_key)
                SELECT \(app), \(campaign), at, at, at, at, at, 1, 1, 86400, 1, 10, 'alert', 'resend', '{}',
                    'finished', 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 'i', 'en', 'UTC', 'attachment-url'
                FROM (
                    SELECT \(end) - interval '1 week' * (1 - n::float8 / \(count)) AS at
                    FROM generate_series(1, \(count)) AS n
                ) AS n
                RETURNING id, started_at
            ), variants AS (
                INSERT INTO run_variants (app_id, run_id, variant, name, payload) SELECT \(app), id, 0, 'A', '{}' FROM added
            )
            INSERT INTO batches (run_id, app_id, environment, first_id, last_id, size, pending, accepted, sent_through,
                state, due_at, ended_at, outcomes, recipients)
            SELECT a.id, \(app), 0, r.ids[1], r.ids[cardinality(r.ids)], cardinality(r.ids), 0, cardinality(r.ids),
                cardinality(r.ids), 'done', a.started_at, a.started_at, decode(repeat('01', cardinality(r.ids)), 'hex'), r.ids
            FROM added a CROSS JOIN LATERAL (\(recipients)) AS r
            """, deadline: Self.deadline)
    }

    private func addPushes(_ end: PostgresQuery) async throws {
        try await pool.execute(
            """
            WITH added AS (
                INSERT INTO batches (app_id, environment, first_id, last_id, size, pending, accepted, sent_through, state,
                    due_at, ended_at, outcomes, recipients, message_number, message_key_version)
                SELECT \(app), 0, ids[1], ids[\(Self.pushBatchSize)], \(Self.pushBatchSize), 0, \(Self.pushBatchSize),
                    \(Self.pushBatchSize), 'done', \(end), \(end), decode(repeat('01', \(Self.pushBatchSize)), 'hex'), ids,
                    nextval('message_numbers'), 1
                FROM (
                    SELECT ARRAY(
                        SELECT d.first + (n * 7919 + i * 104729) % (d.last - d.first + 1)
                        FROM generate_series(1, \(Self.pushBatchSize)) AS i ORDER BY 1) AS ids
                    FROM generate_series(1, \(Self.pushBatchesPerWeek)) AS n
                    CROSS JOIN (SELECT min(id) AS first, max(id) AS last FROM devices WHERE app_id = \(app)) AS d
                ) AS n
                RETURNING message_number, recipients
            )
            INSERT INTO push_recipients (app_id, device_id, message_number)
            SELECT DISTINCT \(app), device, message_number FROM added CROSS JOIN LATERAL unnest(recipients) AS device
            """, deadline: Self.deadline)
    }

    /// Deliveries and openings of the week's broad runs.
    private func addEvents(_ end: PostgresQuery) async throws {
        try await pool.execute(
            """
            WITH added AS (
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at, received_at)
                SELECT \(app), m.message_number, d.id, k.kind, r.started_at + interval '1 minute',
                    r.started_at + interval '1 minute'
                FROM runs r
                JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
                CROSS JOIN LATERAL (
                    SELECT unnest(b.recipients) AS id FROM batches b WHERE b.app_id = r.app_id AND b.run_id = r.id
                ) AS d
                CROSS JOIN (VALUES (1, \(Self.delivered)), (3, \(Self.opened))) AS k (kind, share)
                WHERE r.app_id = \(app) AND r.started_at > \(end) - interval '1 week' AND r.started_at <= \(end)
                    AND (d.id + r.id) % 10 < k.share
                    AND EXISTS (
                        SELECT FROM batches b WHERE b.app_id = r.app_id AND b.run_id = r.id AND b.size > 1)
                ORDER BY 1, 2, 3, 4
                RETURNING app_id, message_number, kind, happened_at
            )
            INSERT INTO run_minutes (app_id, message_number, measure, minute, shard, count)
            SELECT app_id, message_number, kind, date_trunc('minute', happened_at), 0, count(*) FROM added
            GROUP BY 1, 2, 3, 4
            """, deadline: Self.deadline)
    }
}
