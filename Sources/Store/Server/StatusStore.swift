import Campaigns
public import Postgres

/// Reads what shows whether all is well, without changing anything.
public struct StatusStore: Sendable {
    /// Runs that are read, the oldest first: with more, these say enough.
    static let maximumRuns = 200
    private static let deadline = Duration.seconds(10)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Processes that were seen in the last `period`, and all unfinished runs.
    public func facts(seenWithin period: Duration) async throws -> SystemFacts {
        let backlog = try await BacklogStore(pool: pool).backlog()
        let rows = try await pool.query(
            """
            SELECT now() AS now, pg_postmaster_start_time() AS server_started_at,
                EXISTS (SELECT FROM database_identity d WHERE \(DatabaseIdentity.isConfirmed)) AS is_confirmed,
                (SELECT min(CASE WHEN c.state = 'scheduled' THEN c.next_check_at ELSE c.updated_at END)
                    FROM campaigns c WHERE \(DueCampaign.isDue)) AS campaign_due_since
            """, deadline: Self.deadline)
        let row = rows[0]
        var facts = SystemFacts(
            now: try row["now"], backlog: backlog, serverStartedAt: try row["server_started_at"])
        facts.isConfirmed = try row["is_confirmed"]
        facts.campaignDueSince = try row["campaign_due_since"]
        facts.processes = try await ProcessStore(pool: pool).list(seenWithin: period)
        facts.runs = try await runs()
        return facts
    }

    /// A run that is complete or waits has its batches read for the last end of one; others not. The last change of the
    /// campaign counts as progress: it may be that the run was resumed.
    private func runs() async throws -> [OpenRunRecord] {
        let rows = try await pool.query(
            """
            SELECT r.app_id, r.id, a.name AS app_name, r.campaign_id, c.name AS campaign_name, r.started_at,
                r.state = 'paused' AS is_paused, r.reason, r.reason_localization,
                r.state = 'paused' AND \(RunPauseStore.isAskingAfterRestore) AS asks,
                CASE WHEN r.state <> 'paused' AND l.live = 0 AND d.oldest IS NOT NULL
                    THEN greatest(d.oldest, c.updated_at, \(Self.lastEnd)) END AS waiting_since,
                CASE WHEN r.state <> 'paused' AND l.lapsed_since IS NOT NULL
                    THEN greatest(l.lapsed_since, c.updated_at) END AS lapsed_since,
                CASE WHEN r.state = 'sending' AND r.planned_at IS NULL AND \(PlanStore.isNotFarAhead)
                        AND coalesce(r.plan_lease_until < now(), true)
                    THEN greatest(r.plan_lease_until, r.started_at, c.updated_at) END AS unplanned_since,
                CASE WHEN r.state <> 'paused' AND l.live = 0 AND l.lapsed_since IS NULL
                        AND (r.planned_at IS NOT NULL OR r.state = 'cancelled')
                        AND NOT EXISTS (SELECT FROM batches b
                            WHERE b.run_id = r.id AND b.app_id = r.app_id AND b.state IN ('ready', 'waiting'))
                    THEN greatest(r.planned_at, c.updated_at, \(Self.lastEnd)) END AS complete_since
            FROM runs r
            JOIN apps a ON a.id = r.app_id
            JOIN campaigns c ON c.app_id = r.app_id AND c.id = r.campaign_id
            CROSS JOIN LATERAL (
                SELECT min(b.due_at) AS oldest FROM batches b
                WHERE b.run_id = r.id AND b.app_id = r.app_id AND b.state = 'ready' AND b.due_at <= now()
                    AND (b.not_after > now() OR b.not_after IS NULL)
            ) AS d
            CROSS JOIN LATERAL (
                SELECT count(*) FILTER (WHERE b.lease_until >= now()) AS live,
                    min(b.lease_until) FILTER (WHERE b.lease_until < now()) AS lapsed_since
                FROM batches b WHERE b.run_id = r.id AND b.app_id = r.app_id AND b.state = 'leased'
            ) AS l
            WHERE r.finished_at IS NULL
            ORDER BY r.id LIMIT \(Self.maximumRuns)
            """, deadline: Self.deadline)
        return try rows.map { try OpenRunRecord($0) }
    }

    private static let lastEnd: PostgresQuery =
        "(SELECT max(b.ended_at) FROM batches b WHERE b.run_id = r.id AND b.app_id = r.app_id)"
}
