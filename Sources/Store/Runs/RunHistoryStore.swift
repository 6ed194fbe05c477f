public import Campaigns
import EventLoop
public import Postgres

/// Moves a finished campaign into the past: for demos, whose week of campaigns is really sent, but today.
public struct RunHistoryStore: Sendable {
    /// The average time that people take to open a push, in minutes.
    static let opening = 25.0

    /// Less than PostgreSQL's `deadlock_timeout`, which is a second.
    private static let lockTimeout = "300ms"
    /// To lock the tables: half a minute.
    private static let maximumAttempts = 100

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Moves all times of the campaign, its runs, batches and events. Events are spread over the hours after the push,
    /// the same for all events of a device. The counts of statistics do not follow before `recount`, nor do audiences
    /// that ask for recent events.
    public func move(_ campaign: Campaign.ID, app: App.ID, back time: Duration) async throws {
        let seconds = time.seconds
        try await pool.joiningTransaction {
            for (column, table, condition): (PostgresQuery, PostgresQuery, PostgresQuery) in [
                ("created_at", "campaigns", "id = \(campaign)"), ("updated_at", "campaigns", "id = \(campaign)"),
                ("started_at", "runs", "campaign_id = \(campaign)"),
                ("planned_at", "runs", "campaign_id = \(campaign)"),
                ("finished_at", "runs", "campaign_id = \(campaign)"),
                ("verified_at", "runs", "campaign_id = \(campaign)"),
                ("expires_at", "runs", "campaign_id = \(campaign)"),
                ("due_at", "batches", Self.ofRuns(campaign, app)), ("ended_at", "batches", Self.ofRuns(campaign, app)),
            ] {
                try await pool.execute(
                    """
                    UPDATE \(table) SET \(column) = \(column) - make_interval(secs => \(seconds))
                    WHERE app_id = \(app) AND \(condition)
                    """)
            }
            try await pool.execute(
                """
                UPDATE events e
                SET received_at = e.received_at - make_interval(secs => \(seconds)) + later.delay,
                    happened_at = e.happened_at - make_interval(secs => \(seconds)) + later.delay
                FROM (
                    SELECT o.*, CASE WHEN kind = \(EventKind.delivered) THEN interval '0'
                        ELSE make_interval(secs => -60 * \(Self.opening)
                            * ln(1 - (hashint8(device_id) & 65535) / 65536.0)) END AS delay
                    FROM events o
                    WHERE o.app_id = \(app) AND o.message_number IN (
                        SELECT message_number FROM run_variants WHERE app_id = \(app) AND \(Self.ofRuns(campaign, app)))
                ) AS later
                WHERE e.app_id = \(app) AND e.message_number = later.message_number AND e.device_id = later.device_id
                    AND e.kind = later.kind AND e.action = later.action
                """)
            try await pool.execute(
                """
                UPDATE events e
                SET delay_seconds = greatest(0, extract(epoch FROM e.happened_at - r.started_at))
                FROM runs r JOIN run_variants m ON m.app_id = r.app_id AND m.run_id = r.id
                WHERE r.campaign_id = \(campaign) AND r.app_id = \(app) AND e.app_id = \(app)
                    AND e.message_number = m.message_number AND e.kind = \(EventKind.opened)
                """)
        }
    }

    /// Counts all runs, transactional pushes and events of the app again for statistics. Acknowledgements wait
    /// meanwhile.
    ///
    /// Transactions that count take the tables in different orders. So this one waits for a table less long than
    /// PostgreSQL takes to look for a deadlock, gives up those that it has, and begins again.
    public func recount(_ app: App.ID) async throws {
        for _ in 1..<Self.maximumAttempts {
            do { return try await recountOnce(app) } catch let error as PostgresError where error.isLockTimeout {}
        }
        try await recountOnce(app)
    }

    private func recountOnce(_ app: App.ID) async throws {
        try await pool.transaction { connection in
            try await connection.execute("SET LOCAL lock_timeout = '\(unescaped: Self.lockTimeout)'")
            try await connection.execute(
                "LOCK TABLE run_minutes, app_quarters, quarter_days, message_totals, day_totals IN EXCLUSIVE MODE")
            try await connection.execute("SET LOCAL lock_timeout = 0")
            try await connection.execute("DELETE FROM run_minutes WHERE app_id = \(app)")
            try await connection.execute("DELETE FROM app_quarters WHERE app_id = \(app) AND measure < 20")
            try await connection.execute("DELETE FROM quarter_days WHERE app_id = \(app) AND measure < 20")
            try await connection.execute("DELETE FROM message_totals WHERE app_id = \(app)")
            try await connection.execute("DELETE FROM day_totals WHERE app_id = \(app)")
            try await connection.execute(
                CountSQL.addMinutes("SELECT * FROM recounted_run_minutes WHERE app_id = \(app)"))
            try await connection.execute(
                CountSQL.addQuarters("SELECT * FROM recounted_app_quarters WHERE app_id = \(app)"))
            try await connection.execute(
                CountSQL.addTotals("SELECT * FROM recounted_message_totals WHERE app_id = \(app)"))
        }
    }

    private static func ofRuns(_ campaign: Campaign.ID, _ app: App.ID) -> PostgresQuery {
        "run_id IN (SELECT id FROM runs WHERE campaign_id = \(campaign) AND app_id = \(app))"
    }
}
