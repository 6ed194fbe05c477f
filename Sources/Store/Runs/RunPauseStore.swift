public import Campaigns
public import Postgres

/// Stops sending until a person has done something about it.
public struct RunPauseStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// `reason` is for the marketer. With `releasingBrake` the run's brake has done its work: who resumes sends the rest
    /// all the same.
    public func pause(_ run: Run.ID, because reason: String, releasingBrake: Bool = false) async throws {
        try await pause(
            which: "id = \(run)", because: reason,
            brake: releasingBrake ? ", brake_percent = NULL" : "")
    }

    /// Runs that began on another PostgreSQL, or on another timeline of this one. Returns how many.
    public func pauseStrangers() async throws -> Int {
        try await pool.execute(
            """
            UPDATE instance
            SET (system_identifier, timeline, database_oid, moved_at) = (SELECT \(DatabaseIdentity.columns), now())
            WHERE (system_identifier, timeline, database_oid) <> (\(DatabaseIdentity.columns))
            """)
        return try await pause(
            which: "NOT \(DatabaseIdentity.isOfRun) AND r.finished_at IS NULL",
            because: """
                The database was restored from a backup, or another server took over, since this began. What was sent last \
                may be missing in the ledger and would be sent again. Resume if that does not matter, or cancel.
                """)
    }

    @discardableResult
    private func pause(which: PostgresQuery, because reason: String, brake: PostgresQuery = "") async throws -> Int {
        try await pool.execute(
            """
            WITH paused AS (
                UPDATE runs r SET state = 'paused', reason = \(reason)\(brake)
                WHERE \(which) AND r.state = 'sending' RETURNING r.id, r.app_id, r.campaign_id
            ), told AS (
                SELECT pg_notify('belfry_runs', id::text) FROM paused
            ), campaign AS (
                UPDATE campaigns c SET state = 'paused', reason = \(reason), version = version + 1, updated_at = now()
                FROM paused p WHERE c.app_id = p.app_id AND c.id = p.campaign_id AND c.state = 'sending'
            )
            SELECT FROM told
            """)
    }
}
