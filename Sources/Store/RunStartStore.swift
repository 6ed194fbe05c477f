public import Campaigns
public import Postgres

/// Turns campaigns that are due into runs. Changing the state is the claim: any number of processes
/// may try at once, and each campaign is started by one.
public struct RunStartStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Scheduled campaigns whose time has come begin to send; those that missed it by more than
    /// their grace are refused, not sent blindly. Returns how many changed.
    public func beginDue() async throws -> Int {
        try await pool.execute(
            """
            UPDATE campaigns
            SET version = version + 1, updated_at = now(),
                state = CASE WHEN send_at + make_interval(secs => grace_seconds) < now() THEN 'failed' ELSE 'sending' END,
                reason = CASE WHEN send_at + make_interval(secs => grace_seconds) < now() THEN
                    'It was due at ' || to_char(send_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC, and Belfry '
                    || 'was not running then. Nothing was sent. Start it again if it is still worth sending.' END
            WHERE state = 'scheduled' AND send_at <= now()
            """)
    }

    /// Makes a run of each campaign that is to send and has none. It freezes content and options, and
    /// the ceiling: who registers later is outside. `destination` is this process's, and stays the run's word for
    /// where it went. Returns the new runs.
    public func makeRuns(to destination: Run.Destination) async throws -> [Run.ID] {
        try await pool.execute(
            """
            UPDATE campaigns c
            SET state = 'failed', version = version + 1, updated_at = now(),
                reason = 'The app has no APNs key (.p8). Add one under its credentials, then start the campaign again.'
            WHERE c.state = 'sending' AND c.runs_started = 0
                AND NOT EXISTS (SELECT FROM credentials WHERE app_id = c.app_id)
            """)
        let rows = try await pool.query(
            """
            WITH claimed AS (
                UPDATE campaigns c SET runs_started = runs_started + 1
                WHERE c.state = 'sending' AND c.runs_started = 0
                RETURNING c.*
            )
            INSERT INTO runs (
                app_id, campaign_id, expires_at, message_number, device_ceiling, estimated,
                system_identifier, timeline, database_oid, expiration_seconds, message_key_version,
                priority, push_type, collapse_id, unknown_policy, payload, template_id,
                template_version, topic, destination, message_id_key, default_locale, default_time_zone,
                attachment_url_key, attachment_type_key, pushes_per_second, brake_percent)
            SELECT
                c.app_id, c.id,
                -- Zero means "now or never" to Apple, not that the run is over at once.
                now() + make_interval(secs => CASE c.expiration_seconds WHEN 0 THEN 2592000 ELSE c.expiration_seconds END),
                n.number,
                coalesce((SELECT max(id) FROM devices WHERE app_id = c.app_id), 0),
                (SELECT count(*) FROM devices WHERE app_id = c.app_id AND retired_at IS NULL AND kind = 0),
                \(DatabaseIdentity.columns),
                c.expiration_seconds,
                (SELECT max(version) FROM message_keys WHERE app_id = c.app_id),
                c.priority, c.push_type,
                -- A push that is sent again then replaces the first on the screen.
                CASE WHEN c.push_type = 'alert' THEN coalesce(c.collapse_id, 'belfry-' || n.number) ELSE c.collapse_id END,
                c.unknown_policy, c.payload, c.template_id, c.template_version, c.topic, \(destination),
                a.message_id_key, a.default_locale, a.default_time_zone, a.attachment_url_key, a.attachment_type_key,
                c.pushes_per_second, c.brake_percent
            FROM claimed c
            JOIN apps a ON a.id = c.app_id
            CROSS JOIN LATERAL (SELECT nextval('message_numbers') AS number, c.id) AS n
            RETURNING id
            """)
        return try rows.map { try $0[0] }
    }
}
