import Campaigns
public import Postgres

/// Corrects stored times after PostgreSQL's clock was set back. Each is the clock's time when it was stored, and a
/// delay: without a correction it would come too late by as much as the clock was set back. Schedules are times that
/// people have chosen, and stay as they are.
///
/// Beats tell by how much the clock was set back. Where it was ahead for less than a beat, `bound` finds the times that
/// nothing can have stored with a right clock.
public struct ClockStore: Sendable {
    /// A smaller difference delays work by less than processes wait for each other anyway.
    public static let tolerance = Duration.seconds(5)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Returns by how much the clock was set back; nil if it was not, or if another process has corrected the times.
    /// `lease` and `planLease` are the longest times to the end of a lease, `retry` the longest delay of a retry.
    public func correctAfterSetBack(
        lease: Duration, planLease: Duration, retry: Duration
    ) async throws -> Duration? {
        try await pool.transaction { connection in
            // One process at a time. The others find that nothing is left to correct.
            try await connection.execute("LOCK TABLE workers IN SHARE ROW EXCLUSIVE MODE")
            let rows = try await connection.query(
                "SELECT max(beaten_at), \(Self.setBack) FROM workers HAVING \(Self.setBack) IS NOT NULL")
            guard let row = rows.first else { return nil }
            let last: Timestamp = try row[0]
            let difference = Duration.seconds(try row[1, as: Double.self])
            try await Self.correctBatches(connection, last, by: difference, lease: lease, retry: retry)
            try await connection.execute(
                """
                UPDATE runs SET plan_lease_until = now() + \(planLease.interval)
                WHERE plan_lease_until > now() + \(planLease.interval)
                """)
            try await connection.execute(
                """
                UPDATE rate_limits
                SET next_at = greatest(now(), next_at - \(difference.interval)) WHERE next_at > now()
                """)
            // Campaigns find their next time by themselves.
            try await connection.execute(
                """
                UPDATE campaigns SET next_check_at = now()
                WHERE state = 'scheduled' AND starts_at IS NULL AND next_check_at > now()
                """)
            try await connection.execute("UPDATE workers SET beaten_at = now() WHERE beaten_at > now()")
            return difference
        }
    }

    /// Brings times from a clock that was ahead to what is possible now, and returns their number: leases that are longer
    /// than any, starts that a person delayed, batches that were due when they were planned, and retries. Others could
    /// be meant. Usually there is none.
    public func bound(lease: Duration, planLease: Duration, retry: Duration) async throws(PostgresError) -> Int {
        let rows = try await pool.query(
            """
            WITH leases AS (
                UPDATE batches SET lease_until = now() + \(lease.interval)
                WHERE state = 'leased' AND lease_until > now() + 2 * \(lease.interval)
                RETURNING id
            ), plans AS (
                UPDATE runs SET plan_lease_until = now() + \(planLease.interval)
                WHERE finished_at IS NULL AND plan_lease_until > now() + 2 * \(planLease.interval)
                RETURNING id
            ), starts AS (
                UPDATE campaigns SET starts_at = now(), next_check_at = now()
                WHERE state = 'scheduled'
                    AND starts_at > now() + \(CampaignStore.longestDelay.interval) + \(Self.tolerance.interval)
                RETURNING id
            ), due AS (
                -- Without local times and quiet hours, nothing but a retry is due later than it was stored.
                UPDATE batches b SET due_at = now()
                FROM runs r
                WHERE r.finished_at IS NULL AND r.quiet_hours IS NULL AND coalesce(r.occurrence ->> 'kind', 'at') = 'at'
                    AND b.app_id = r.app_id AND b.run_id = r.id AND b.state = 'ready'
                    AND b.due_at > now() + \(Self.tolerance.interval)
                        + CASE WHEN b.deferred_from IS NULL THEN interval '0' ELSE \(retry.interval) END
                RETURNING b.id
            ), identity AS (
                UPDATE database_identity d SET confirmed_at = now(), written_by = pg_current_xact_id()
                WHERE \(DatabaseIdentity.isConfirmed) AND d.confirmed_at > now() + \(Self.tolerance.interval)
                RETURNING 1
            )
            SELECT (SELECT count(*) FROM leases) + (SELECT count(*) FROM plans) + (SELECT count(*) FROM starts)
                + (SELECT count(*) FROM due) + (SELECT count(*) FROM identity)
            """, deadline: StatementDeadline.lease)
        return try rows[0][0]
    }

    /// `last` is the latest time that is known from before.
    private static func correctBatches(
        _ connection: PostgresConnection, _ last: Timestamp, by difference: Duration, lease: Duration, retry: Duration
    ) async throws(PostgresError) {
        // The batches of a process that was lost. One that works has at most a lease's time, and renews it.
        try await connection.execute(
            """
            UPDATE batches SET lease_until = now() + \(lease.interval)
            WHERE state = 'leased' AND lease_until > now() + 2 * \(lease.interval)
            """)
        // Batches that were due are due; retries keep the rest of their delay.
        try await connection.execute(
            """
            UPDATE batches
            SET due_at = CASE WHEN due_at <= \(last) THEN now() ELSE due_at - \(difference.interval) END
            WHERE state = 'ready' AND due_at > now()
                AND (due_at <= \(last) OR deferred_from IS NOT NULL AND due_at <= \(last) + \(retry.interval))
            """)
    }

    /// By how many seconds the clock is behind the last beat of any process; null if it is not.
    static let setBack: PostgresQuery = """
        CASE WHEN max(beaten_at) > now() + \(tolerance.interval)
            THEN extract(epoch FROM max(beaten_at) - now())::float8 END
        """
}
