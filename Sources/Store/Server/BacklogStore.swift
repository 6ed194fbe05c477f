public import Postgres

/// Counts the work that waits to be sent, over all apps, for monitoring.
public struct BacklogStore: Sendable {
    public struct Backlog: Equatable, Sendable {
        /// Unfinished runs that are being sent, and that are paused.
        public let sendingRuns: Int
        public let pausedRuns: Int
        /// Batches that are due and that no worker has taken yet.
        public let dueBatches: Int
        /// How long the oldest of them has been due, in seconds; 0 without one.
        public let oldestDue: Double
        /// Batches that workers hold.
        public let leasedBatches: Int
        /// Those of them whose worker has not reported in time, and that nobody has taken over yet.
        public let lapsedLeases: Int
    }

    /// A slower database has other worries.
    private static let deadline = Duration.seconds(2)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func backlog() async throws -> Backlog {
        let rows = try await pool.query(
            """
            SELECT r.sending, r.paused, d.due, d.oldest, l.leased, l.lapsed
            FROM (
                SELECT count(*) FILTER (WHERE state = 'sending') AS sending,
                    count(*) FILTER (WHERE state = 'paused') AS paused
                FROM runs WHERE finished_at IS NULL
            ) AS r
            CROSS JOIN (
                SELECT count(*) AS due, coalesce(extract(epoch FROM now() - min(b.due_at))::float8, 0) AS oldest
                FROM runs r JOIN batches b ON b.run_id = r.id AND b.app_id = r.app_id
                WHERE r.finished_at IS NULL AND r.state = 'sending' AND b.state = 'ready' AND b.due_at <= now()
            ) AS d
            CROSS JOIN (
                SELECT count(*) AS leased, count(*) FILTER (WHERE lease_until < now()) AS lapsed
                FROM batches WHERE state = 'leased'
            ) AS l
            """, deadline: Self.deadline)
        let row = rows[0]
        return Backlog(
            sendingRuns: try row["sending"], pausedRuns: try row["paused"], dueBatches: try row["due"],
            oldestDue: try row["oldest"], leasedBatches: try row["leased"], lapsedLeases: try row["lapsed"])
    }
}
