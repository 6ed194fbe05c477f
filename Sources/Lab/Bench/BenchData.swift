import Campaigns
import Postgres
import Store

/// Creates rows for benchmarks in the database, and reads their results.
struct BenchData: Sendable {
    private let pool: PostgresPool

    init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Adds distinct devices with distinct tokens of 32 bytes, then runs VACUUM, ANALYZE and a checkpoint, so that none
    /// of these occurs during the measurement.
    func addDevices(_ count: Int, app: App.ID) async throws {
        try await pool.execute(
            """
            INSERT INTO devices (app_id, environment, installation, token, locale, time_zone, os_version, app_version,
                attributes, tags)
            SELECT \(app), 0, 'bench-' || n, sha256(('bench-' || n)::bytea), 'en', 'Europe/London', '18.5', '4.2.0',
                jsonb_build_object('first_name', 'Ann', 'city', 'Ely', 'plan', 'free'),
                CASE WHEN n % 1000 = 0 THEN '{rare}' ELSE '{}' END::text[]
            FROM generate_series(1, \(count)) AS n
            """)
        try await addActivity(of: app)
        try await pool.execute("VACUUM ANALYZE devices, device_activity")
        try await checkpoint()
    }

    /// Adds what registrations add with devices: when they were seen, and their profiles.
    func addActivity(of app: App.ID, deadline: Duration? = nil) async throws {
        try await pool.execute(
            """
            WITH looks AS MATERIALIZED (
                SELECT DISTINCT ON (locale, os_version, app_version, tags) * FROM devices WHERE app_id = \(app)
            ), profiles AS MATERIALIZED (
                SELECT * FROM profile_codes(ARRAY(
                    SELECT ROW(app_id, id, locale, os_version, app_version, tags)::device_look FROM looks))
            )
            INSERT INTO device_activity (app_id, device_id, last_seen_at, profile, profile_since)
            SELECT d.app_id, d.id, d.token_registered_at, p.profile, clock_timestamp()
            FROM devices d
            JOIN looks l ON (l.locale, l.os_version, l.app_version, l.tags)
                = (d.locale, d.os_version, d.app_version, d.tags)
            JOIN profiles p ON p.device_id = l.id
            WHERE d.app_id = \(app)
            """, deadline: deadline)
    }

    /// Adds runs that were sent to all devices of the app and accepted. Returns their message numbers.
    func addSentRuns(_ count: Int, app: App.ID, campaign: Campaign.ID) async throws -> [Int64] {
        let rows = try await pool.query(
            """
            WITH added AS (
                INSERT INTO runs (app_id, campaign_id, expires_at, device_ceiling, estimated, expiration_seconds,
                    message_key_version, priority, push_type, unknown_policy, audience,
                    message_id_key, default_locale, default_time_zone, attachment_url_key, state,
                    planned_at, finished_at)
                SELECT \(app), \(campaign), now() + interval '1 day', 1, 1, 86400, 1, 10, 'alert', 'resend',
                    '{}', 'i', 'en', 'UTC', 'attachment-url', 'finished', now(), now()
                FROM generate_series(1, \(count))
                RETURNING id
            ), variants AS (
                INSERT INTO run_variants (app_id, run_id, variant, name, payload) SELECT \(app), id, 0, 'A', '{}' FROM added
                RETURNING run_id, message_number
            ), filled AS (
                INSERT INTO batches (run_id, app_id, environment, first_id, last_id, size, pending, accepted, sent_through,
                    state, ended_at, outcomes, profiles, recipients)
                SELECT a.id, \(app), 0, d.ids[1], d.ids[cardinality(d.ids)], cardinality(d.ids), 0, cardinality(d.ids),
                    cardinality(d.ids), 'done', now(), decode(repeat('01', cardinality(d.ids)), 'hex'),
                    decode(repeat('01', cardinality(d.ids)), 'hex'), d.ids
                FROM variants AS a (id) CROSS JOIN (
                    SELECT array_agg(id ORDER BY id) AS ids
                    FROM (SELECT id, (row_number() OVER (ORDER BY id) - 1) / \(Batch.maximumSize) AS part FROM devices) AS d
                    GROUP BY part
                ) AS d
            )
            SELECT message_number FROM variants ORDER BY 1
            """)
        return try rows.map { try $0[0] }
    }

    func checkpoint() async throws {
        try await pool.execute("CHECKPOINT")
    }

    /// Bytes of WAL written since the database was created.
    func walPosition() async throws -> Int64 {
        let rows = try await pool.query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")
        return try rows.first.map { try $0[0] } ?? 0
    }

    /// The number of sessions that listen for notifications: started workers.
    func listeners() async throws -> Int {
        let rows = try await pool.query(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'idle' AND query LIKE 'LISTEN %'
            """)
        return try rows[0][0]
    }

    /// The duration of a campaign's only run, in seconds, and whether its ledger was verified; nil until it finishes.
    func runEnd(of campaign: Campaign.ID) async throws -> (seconds: Double, isVerified: Bool)? {
        let rows = try await pool.query(
            """
            SELECT extract(epoch FROM finished_at - started_at)::float8, verified_at IS NOT NULL
            FROM runs WHERE campaign_id = \(campaign) AND finished_at IS NOT NULL
            """)
        return try rows.first.map { (try $0[0], try $0[1]) }
    }

    /// The numbers of finished and of accepted transactional pushes; nil while some are pending.
    func endedPushes() async throws -> (count: Int, accepted: Int)? {
        let rows = try await pool.query(
            """
            SELECT coalesce(sum(size), 0)::bigint, coalesce(sum(accepted), 0)::bigint, coalesce(sum(pending), 0)::bigint
            FROM batches WHERE run_id IS NULL
            """)
        guard let row = rows.first, try row[2, as: Int.self] == 0 else { return nil }
        return (try row[0], try row[1])
    }

    /// The number of batches of transactional pushes.
    func pushBatches() async throws -> Int {
        let rows = try await pool.query("SELECT count(*) FROM batches WHERE run_id IS NULL")
        return try rows.first.map { try $0[0] } ?? 0
    }
}
