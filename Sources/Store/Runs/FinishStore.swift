public import Campaigns
import JSON
public import Postgres

/// Finishes runs that are completely planned and have no open batch, after recounting the ledger from its bytes.
/// Docs/decisions/planning.md explains with what a run's batches are compared.
public struct FinishStore: Sendable {
    public struct Finished: Hashable, Sendable {
        public let run: Run.ID
        /// Empty: the ledger is verified.
        public let discrepancies: [Discrepancy]
        public var isVerified: Bool { discrepancies.isEmpty }
    }

    /// A way in which the ledger does not add up. Raw values are used in SQL.
    public enum Discrepancy: String, CustomStringConvertible, Sendable {
        case counters
        case planned
        case deferred
        case overlap

        public var description: String {
            switch self {
            case .counters: "the counters of batches differ from a recount of the outcomes"
            case .planned: "the batches don't have as many recipients as were planned"
            case .deferred: "the batches of deferred recipients do not have as many recipients as were deferred"
            case .overlap: "a device may be in two planned batches"
            }
        }
    }

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Runs that are planned to the end or cancelled, and have no open batch.
    public func finishableRuns() async throws -> [Run.Key] {
        let rows = try await pool.query(
            """
            SELECT r.app_id, r.id FROM runs r
            WHERE r.finished_at IS NULL AND (r.planned_at IS NOT NULL OR r.state = 'cancelled')
                AND NOT EXISTS (
                    SELECT FROM batches b WHERE b.app_id = r.app_id AND b.run_id = r.id AND b.state = 'ready')
                AND NOT EXISTS (
                    SELECT FROM batches b WHERE b.app_id = r.app_id AND b.run_id = r.id AND b.state = 'leased')
                AND (r.test_share IS NULL OR NOT EXISTS (
                    SELECT FROM batches b WHERE b.app_id = r.app_id AND b.run_id = r.id AND b.state = 'waiting'))
            """)
        return try rows.map { Run.Key(app: try $0[0], id: try $0[1]) }
    }

    /// Nil when another process was faster.
    public func finish(_ run: Run.Key) async throws -> Finished? {
        try await pool.transaction { connection in
            let locked = try await connection.query(
                """
                SELECT FROM runs WHERE app_id = \(run.app) AND id = \(run.id) AND finished_at IS NULL
                FOR UPDATE SKIP LOCKED
                """)
            guard !locked.isEmpty else { return nil }
            let ended = try await connection.query(end(run))
            guard let row = ended.first else { return nil }
            try await connection.execute(CountSQL.addOutcomes(where: "app_id = \(run.app) AND run_id = \(run.id)"))
            // Locked first: when two runs finish at the same time, the second transaction sees the first one's result.
            try await connection.execute(
                """
                SELECT FROM campaigns c JOIN runs r ON c.app_id = r.app_id AND c.id = r.campaign_id
                WHERE r.app_id = \(run.app) AND r.id = \(run.id) FOR UPDATE OF c
                """)
            try await connection.execute(
                """
                UPDATE campaigns c
                SET state = 'sent', \(Message.assignments(nil)), version = c.version + 1, updated_at = now()
                FROM runs r
                WHERE r.app_id = \(run.app) AND r.id = \(run.id) AND c.app_id = r.app_id AND c.id = r.campaign_id
                    AND c.state IN ('sending', 'paused') AND c.runs_started > 0
                    AND NOT EXISTS (SELECT FROM runs o
                        WHERE o.app_id = c.app_id AND o.campaign_id = c.id AND o.finished_at IS NULL)
                """)
            try await connection.execute("DELETE FROM rate_limits WHERE app_id = \(run.app) AND run_id = \(run.id)")
            try await connection.execute(told(run))
            try await connection.execute("SELECT pg_notify('belfry_runs', \(run.id.description))")
            let discrepancies = try row[0, as: [String].self].compactMap(Discrepancy.init)
            return Finished(run: run.id, discrepancies: discrepancies)
        }
    }

    private func told(_ run: Run.Key) -> PostgresQuery {
        WebhookEvents.insert(
            .runFinished, from: "runs s", where: "s.app_id = \(run.app) AND s.id = \(run.id)",
            data: WebhookEvents.run(
                """
                'state', s.state, 'is_verified', s.verified_at IS NOT NULL,
                'started_at', \(WebhookEvents.time("s.started_at")), 'finished_at', \(WebhookEvents.time("s.finished_at")),
                'targeted', s.targeted, 'accepted', s.accepted, 'rejected', s.rejected, 'suppressed', s.suppressed,
                'expired', s.expired, 'cancelled', s.cancelled, 'unknown', s.unknown
                """))
    }

    private func end(_ run: Run.Key) -> PostgresQuery {
        let ofRun: PostgresQuery = "app_id = \(run.app) AND run_id = \(run.id)"
        return """
            WITH summed AS (
                SELECT coalesce(sum(size), 0) AS size, coalesce(sum(accepted), 0) AS accepted,
                    coalesce(sum(rejected), 0) AS rejected, coalesce(sum(suppressed), 0) AS suppressed,
                    coalesce(sum(expired), 0) AS expired, coalesce(sum(cancelled), 0) AS cancelled,
                    coalesce(sum(unknown), 0) AS unknown, coalesce(sum(deferred), 0) AS deferred
                FROM batches WHERE \(ofRun)
            ), resent AS (
                SELECT coalesce(sum(resent), 0)::bigint AS number FROM batches WHERE \(ofRun)
            ), planned AS (
                SELECT coalesce(sum(size), 0)::bigint AS size FROM batches WHERE \(ofRun) AND deferred_from IS NULL
            ), arrived AS MATERIALIZED (
                SELECT deferred_from AS id, sum(size) AS size FROM batches
                WHERE \(ofRun) AND deferred_from IS NOT NULL GROUP BY deferred_from
            ), misplaced AS (
                SELECT EXISTS (
                    SELECT FROM (SELECT id, deferred FROM batches WHERE \(ofRun) AND deferred > 0) AS b
                    FULL JOIN arrived a USING (id)
                    WHERE b.deferred IS DISTINCT FROM a.size
                ) AS found
            ), bytes AS (
                SELECT outcome_code(get_byte(b.outcomes, index)) AS code, count(*) AS number
                FROM batches b CROSS JOIN LATERAL generate_series(0, b.size - 1) AS index
                WHERE \(ofRun) GROUP BY 1
            ), recounted AS (
                SELECT coalesce(sum(number), 0)::bigint AS size,
                    coalesce(sum(number) FILTER (WHERE kind = 'accepted'), 0)::bigint AS accepted,
                    coalesce(sum(number) FILTER (WHERE kind = 'rejected'), 0)::bigint AS rejected,
                    coalesce(sum(number) FILTER (WHERE kind = 'suppressed'), 0)::bigint AS suppressed,
                    coalesce(sum(number) FILTER (WHERE kind = 'expired'), 0)::bigint AS expired,
                    coalesce(sum(number) FILTER (WHERE kind = 'cancelled'), 0)::bigint AS cancelled,
                    coalesce(sum(number) FILTER (WHERE kind = 'unknown'), 0)::bigint AS unknown,
                    coalesce(sum(number) FILTER (WHERE kind = 'deferred'), 0)::bigint AS deferred
                FROM bytes LEFT JOIN outcome_codes USING (code)
            ), overlapping AS (
                -- The id ranges of planning steps do not overlap, and a step plans each recipient once. Runs from before
                -- steps were recorded are compared by the batches of one environment.
                SELECT EXISTS (
                    SELECT FROM (
                        SELECT min(first_id)
                            <= lag(max(last_id)) OVER (PARTITION BY environment_group ORDER BY min(first_id)) AS is_overlapping
                        FROM (
                            SELECT first_id, last_id, coalesce(planned_after, first_id) AS step,
                                CASE WHEN planned_after IS NULL THEN environment END AS environment_group
                            FROM batches WHERE \(ofRun) AND deferred_from IS NULL
                        ) AS planned
                        GROUP BY environment_group, step
                    ) AS pairs WHERE is_overlapping
                ) AS found
            ), result AS (
                SELECT array_remove(
                    ARRAY[
                        CASE WHEN c <> s OR c.size <> c.accepted + c.rejected + c.suppressed + c.expired + c.cancelled
                            + c.unknown + c.deferred THEN \(Discrepancy.counters.rawValue) END,
                        CASE WHEN r.planned_total <> p.size THEN \(Discrepancy.planned.rawValue) END,
                        CASE WHEN m.found THEN \(Discrepancy.deferred.rawValue) END,
                        CASE WHEN o.found THEN \(Discrepancy.overlap.rawValue) END
                    ], NULL) AS discrepancies
                FROM runs r, recounted c, summed s, planned p, misplaced m, overlapping o
                WHERE r.app_id = \(run.app) AND r.id = \(run.id)
            )
            UPDATE runs r
            SET finished_at = now(),
                state = CASE r.state WHEN 'cancelled' THEN 'cancelled' ELSE 'finished' END,
                targeted = c.size - c.deferred, accepted = c.accepted, rejected = c.rejected, suppressed = c.suppressed,
                expired = c.expired, cancelled = c.cancelled, unknown = c.unknown, deferred = c.deferred, resent = e.number,
                verified_at = CASE WHEN t.discrepancies = '{}' THEN now() END
            FROM recounted c, resent e, result t
            WHERE r.app_id = \(run.app) AND r.id = \(run.id)
            RETURNING t.discrepancies
            """
    }
}
