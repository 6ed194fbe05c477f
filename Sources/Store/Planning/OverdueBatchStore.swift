import Campaigns
public import Postgres

/// Re-evaluates overdue batches, which are past their latest sending time. Pending recipients are deferred to a new
/// batch with their new time, or are suppressed in it.
public struct OverdueBatchStore: Sendable {
    /// Batches re-evaluated in one call at most.
    static let batchSize = 20

    private let pool: PostgresPool
    private let rules: PlanRuleStore

    public init(pool: PostgresPool, rules: PlanRuleStore) {
        self.pool = pool
        self.rules = rules
    }

    /// Returns the number of batches that were re-evaluated.
    public func reevaluate() async throws -> Int {
        let rows = try await pool.query(
            """
            SELECT b.id, b.run_id FROM batches b JOIN runs r ON r.id = b.run_id
            WHERE b.state = 0 AND b.not_after <= now() AND r.state = 'sending' AND r.expires_at > now()
            ORDER BY b.not_after LIMIT \(Self.batchSize)
            """)
        var rulesByRun: [Run.ID: PlanRules] = [:]
        var count = 0
        for row in rows {
            let run: Run.ID = try row[1]
            if rulesByRun[run] == nil { rulesByRun[run] = try await self.rules.rules(of: run, isOverdue: true) }
            guard let rules = rulesByRun[run] else { continue }
            if try await reevaluate(try row[0], rules) { count += 1 }
        }
        return count
    }

    /// Re-evaluates a batch in one statement. False when another process was faster.
    private func reevaluate(_ batch: Batch.ID, _ rules: PlanRules) async throws -> Bool {
        guard let table = rules.table else { return false }
        let rows = try await pool.query(
            """
            WITH overdue AS MATERIALIZED (
                SELECT id, run_id, app_id, environment, retries, is_trial, size, outcomes, recipients
                FROM batches WHERE id = \(batch) AND state = 0 AND not_after <= now() FOR UPDATE SKIP LOCKED
            ), bytes AS MATERIALIZED (
                SELECT u.id, u.position, get_byte(overdue.outcomes, u.position::integer - 1) AS byte
                FROM overdue CROSS JOIN LATERAL unnest(overdue.recipients) WITH ORDINALITY AS u (id, position)
            ), evaluated AS MATERIALIZED (
                -- Recipients who may have been reached, and are not sent to again, become unknown.
                SELECT s.id, s.byte, z.timing_index, z.code <> 0 AS is_left_out,
                    CASE WHEN z.code <> 0 AND s.byte >= 128 THEN \(Int32(OutcomeCode.unknownWorkerLost))
                        ELSE z.code + s.byte / 128 * 128 END AS next
                FROM bytes s
                LEFT JOIN devices d ON d.app_id = \(rules.app) AND d.id = s.id
                LEFT JOIN unnest(\(table.zones), \(table.places)) AS p (zone, timing_index) ON p.zone = d.time_zone
                CROSS JOIN LATERAL (
                    SELECT coalesce(p.timing_index, 0) AS timing_index,
                        (\(table.codes))[coalesce(p.timing_index, 0) + 1]::integer AS code
                ) AS z
                WHERE s.byte % 128 IN (\(Int32(OutcomeCode.pending)), \(Int32(OutcomeCode.requeued)))
            ), inserted AS (
                INSERT INTO batches (run_id, app_id, moved_from, due_at, not_after, environment, retries, is_trial,
                    first_id, last_id, size, pending, suppressed, unknown, resent, state, outcomes, recipients)
                SELECT o.run_id, o.app_id, o.id, \(rules.times), o.environment, o.retries, o.is_trial,
                    min(j.id), max(j.id), count(*), count(*) FILTER (WHERE NOT is_left_out),
                    count(*) FILTER (WHERE is_left_out AND byte < 128),
                    count(*) FILTER (WHERE is_left_out AND byte >= 128),
                    count(*) FILTER (WHERE next >= 128), CASE WHEN bool_and(is_left_out) THEN 2 ELSE 0 END,
                    string_agg(set_byte('\\x00', 0, next), '' ORDER BY j.id), array_agg(j.id ORDER BY j.id)
                FROM evaluated j CROSS JOIN overdue o
                GROUP BY o.id, o.run_id, o.app_id, o.environment, o.retries, o.is_trial, timing_index
            )
            UPDATE batches b
            SET state = 2, flush_seq = b.flush_seq + 1, sent_through = b.size,
                moved = b.moved + b.pending, pending = 0,
                resent = b.resent - (SELECT count(*) FROM evaluated WHERE byte >= 128),
                outcomes = (
                    SELECT string_agg(
                        set_byte('\\x00', 0, CASE
                            WHEN byte % 128 IN (\(Int32(OutcomeCode.pending)), \(Int32(OutcomeCode.requeued)))
                            THEN \(Int32(OutcomeCode.moved)) + byte / 128 * 128 ELSE byte END), '' ORDER BY position)
                    FROM bytes)
            FROM overdue WHERE b.id = overdue.id
            RETURNING b.id
            """)
        return !rows.isEmpty
    }
}
