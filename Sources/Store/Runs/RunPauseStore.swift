public import Campaigns
public import Postgres

/// Stops sending until a person has done something about it.
public struct RunPauseStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// What a run asks after a restore. Who resumes a run that asks so has been told.
    static let restoreWords = """
        The database was restored from a backup, or another server took over, since this began. What was sent last \
        may be missing in the ledger and would be sent again. Resume if that does not matter, or cancel.
        """
    /// Characters of what a run asked before that are kept behind these words.
    private static let earlierReason: Int32 = 1_000

    /// `reason` is for the marketer. With `releasingBrake` the run's brake has done its work: who resumes sends the rest
    /// all the same. Nothing happens then if it is off already, because another process was faster.
    public func pause(_ run: Run.ID, because reason: String, releasingBrake: Bool = false) async throws {
        let hasBrake: PostgresQuery = releasingBrake ? " AND r.brake_percent IS NOT NULL" : ""
        let brakeIsOff: PostgresQuery = releasingBrake ? ", brake_percent = NULL" : ""
        try await pause(
            which: "r.id = \(run) AND r.state = 'sending'\(hasBrake)", setting: "reason = \(reason)\(brakeIsOff)",
            campaigns: "c.state = 'sending'")
    }

    /// Whether the run that a batch is of has been sent to its environment already, or its app has no credential at all:
    /// runs do not start without.
    public func hasLostCredential(_ batch: ClaimedBatch) async throws -> Bool {
        let rows = try await pool.query(
            """
            SELECT NOT EXISTS (SELECT FROM credentials WHERE app_id = \(batch.app))
                OR EXISTS (SELECT FROM batches WHERE run_id = \(batch.run) AND environment = \(batch.environment)
                    AND accepted + rejected + unknown > 0)
            """)
        return try rows[0][0]
    }

    /// Runs that began on another PostgreSQL, or on another timeline of this one; those that were paused ask now, too.
    /// Returns how many ask who did not before.
    public func pauseStrangers() async throws -> Int {
        try await pool.execute(
            """
            UPDATE instance
            SET (system_identifier, timeline, database_oid, moved_at) = (SELECT \(DatabaseIdentity.columns), now())
            WHERE (system_identifier, timeline, database_oid) <> (\(DatabaseIdentity.columns))
            """)
        return try await pause(
            which: """
                NOT \(DatabaseIdentity.isOfRun) AND r.finished_at IS NULL
                    AND (r.state = 'sending' OR r.state = 'paused' AND NOT \(Self.asks))
                """,
            setting: """
                reason = \(Self.restoreWords) || CASE
                    WHEN r.state = 'sending' THEN ''
                    WHEN r.reason IS NULL THEN ' It was paused before.'
                    ELSE ' It was paused before: ' || left(r.reason, \(Self.earlierReason)) END
                """,
            campaigns: "c.state IN ('sending', 'paused')")
    }

    /// Whether a run `r` asks what is asked after a restore.
    static let asks: PostgresQuery = "starts_with(coalesce(r.reason, ''), \(restoreWords))"

    @discardableResult
    private func pause(
        which: PostgresQuery, setting change: PostgresQuery, campaigns: PostgresQuery
    ) async throws -> Int {
        try await pool.execute(
            """
            WITH paused AS (
                UPDATE runs r SET state = 'paused', \(change) WHERE \(which)
                RETURNING r.id, r.app_id, r.campaign_id, r.reason
            ), told AS (
                SELECT pg_notify('belfry_runs', id::text) FROM paused
            ), campaign AS (
                UPDATE campaigns c SET state = 'paused', reason = p.reason, version = version + 1, updated_at = now()
                FROM paused p WHERE c.app_id = p.app_id AND c.id = p.campaign_id AND \(campaigns)
            )
            SELECT FROM told
            """)
    }
}
