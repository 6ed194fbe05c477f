import Campaigns
public import Postgres

/// Corrects stored times after PostgreSQL's clock was set back. Each is the clock's time when it was stored, and a
/// delay: without a correction it would come too late by as much as the clock was set back. Schedules are times that
/// people have chosen, and stay as they are.
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
            try await connection.execute("LOCK TABLE processes IN SHARE ROW EXCLUSIVE MODE")
            let rows = try await connection.query(
                "SELECT max(beaten_at), \(Self.setBack) FROM processes HAVING \(Self.setBack) IS NOT NULL")
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
            try await connection.execute("UPDATE processes SET beaten_at = now() WHERE beaten_at > now()")
            return difference
        }
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
