public import Campaigns
public import Postgres

/// Lists open runs, and claims, releases and takes over their batches.
public struct ClaimStore: Sendable {
    private let pool: PostgresPool
    private let owner: ProcessID

    public init(pool: PostgresPool, owner: ProcessID) {
        self.pool = pool
        self.owner = owner
    }

    public struct OpenRun: Hashable, Sendable {
        public let id: Run.ID
        public let app: App.ID
        public let state: RunRecord.State
        /// Whether a ready batch is due.
        public let hasReady: Bool
        /// The lower of the rate limits of the run and its app, over all processes; nil: no limit.
        public let pushesPerSecond: Int?
        /// When its pushes expire. Decisions and resumes can change it.
        public let expiresAt: Timestamp
        /// Its pushes have expired: pending recipients get the outcome `expired`.
        public let isExpired: Bool
    }

    /// Unfinished runs, oldest first. Except for cancelled ones, only runs that belong to this database.
    public func openRuns() async throws -> [OpenRun] {
        let rows = try await pool.query(
            """
            SELECT r.id, r.app_id, r.state,
                EXISTS (SELECT FROM batches b WHERE b.app_id = r.app_id AND b.run_id = r.id AND b.state = 'ready'
                    AND (r.state = 'cancelled' OR b.due_at <= now() AND (b.not_after > now() OR b.not_after IS NULL OR r.expires_at <= now()))),
                least(r.pushes_per_second, a.pushes_per_second), r.expires_at <= now(), r.expires_at
            FROM runs r JOIN apps a ON a.id = r.app_id
            WHERE r.finished_at IS NULL AND (r.state = 'cancelled' OR \(DatabaseIdentity.matchesRun))
            ORDER BY r.id
            """, deadline: StatementDeadline.lease)
        return try rows.map {
            OpenRun(
                id: try $0[0], app: try $0[1], state: try $0[2], hasReady: try $0[3], pushesPerSecond: try $0[4],
                expiresAt: try $0[6], isExpired: try $0[5])
        }
    }

    /// Leases ready batches of a run to this process: those that are due and not overdue. All ready batches of a
    /// cancelled or expired run are leased, since they only need an outcome.
    public func claim(_ run: OpenRun, limit: Int, lease: Duration) async throws -> [ClaimedBatch] {
        let isClaimable: PostgresQuery =
            run.state == .cancelled || run.isExpired
            ? "true" : "due_at <= now() AND (not_after > now() OR not_after IS NULL)"
        let rows = try await pool.query(
            """
            WITH due AS MATERIALIZED (
                SELECT app_id, id FROM batches
                WHERE app_id = \(run.app) AND run_id = \(run.id) AND state = 'ready' AND \(isClaimable)
                    -- Evaluated once, not per batch.
                    AND (SELECT r.state = 'cancelled' OR \(DatabaseIdentity.matchesRun) FROM runs r
                        WHERE r.app_id = \(run.app) AND r.id = \(run.id))
                ORDER BY due_at, id LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            UPDATE batches b
            SET state = 'leased', owner = \(owner), attempt = attempt + 1, lease_until = now() + \(lease.interval)
            FROM due WHERE b.app_id = due.app_id AND b.id = due.id
            RETURNING \(ClaimedBatch.columns)
            """, deadline: StatementDeadline.lease)
        return try rows.map { try ClaimedBatch($0) }
    }

    /// Releases a batch of which nothing was sent since it was claimed.
    public func release(_ batch: ClaimedBatch) async throws {
        try await pool.execute(
            """
            UPDATE batches SET state = 'ready', owner = NULL, lease_until = NULL
            WHERE app_id = \(batch.app) AND id = \(batch.id) AND state = 'leased' AND owner = \(owner)
                AND attempt = \(batch.attempt)
            """)
    }

    /// Takes over batches with an expired lease, and batches leased to this process that it does not know of (the
    /// response to its claim was lost). After a restart of PostgreSQL or a failover, leases last one lease time longer,
    /// so that surviving processes can store their outcomes.
    public func takeOver(except held: [Batch.ID], limit: Int, lease: Duration) async throws -> [ClaimedBatch] {
        let rows = try await pool.query(
            """
            WITH abandoned AS MATERIALIZED (
                SELECT app_id, id FROM batches b
                WHERE state = 'leased' AND run_id IS NOT NULL AND id <> ALL (\(held.map(\.rawValue)))
                    AND (owner = \(owner)
                        OR lease_until < now() AND \(DatabaseIdentity.isConfirmed(since: lease)))
                    AND EXISTS (SELECT FROM runs r
                        WHERE r.app_id = b.app_id AND r.id = b.run_id AND (r.state = 'cancelled' OR \(DatabaseIdentity.matchesRun)))
                ORDER BY id LIMIT \(limit) FOR UPDATE SKIP LOCKED
            )
            UPDATE batches b
            SET owner = \(owner), attempt = attempt + 1, lease_until = now() + \(lease.interval)
            FROM abandoned WHERE b.app_id = abandoned.app_id AND b.id = abandoned.id
            RETURNING \(ClaimedBatch.columns)
            """, deadline: StatementDeadline.lease)
        return try rows.map { try ClaimedBatch($0) }
    }
}
