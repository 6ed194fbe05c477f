import Campaigns
public import Postgres

/// Batches that have come too late for their recipients' hours: who is still to be sent to is judged anew, and moves into
/// a batch of his new time, or is suppressed there.
public struct LateStore: Sendable {
    /// In one round at most.
    static let batchSize = 20

    private let pool: PostgresPool
    private let rules: PlanRuleStore

    public init(pool: PostgresPool, rules: PlanRuleStore) {
        self.pool = pool
        self.rules = rules
    }

    /// Returns how many batches were judged anew.
    public func judgeAnew() async throws -> Int {
        let rows = try await pool.query(
            """
            SELECT b.id, b.run_id FROM batches b JOIN runs r ON r.id = b.run_id
            WHERE b.state = 0 AND b.not_after <= now() AND r.state = 'sending' AND r.expires_at > now()
            ORDER BY b.not_after LIMIT \(Self.batchSize)
            """)
        var known: [Run.ID: PlanRules] = [:]
        var count = 0
        for row in rows {
            let run: Run.ID = try row[1]
            if known[run] == nil { known[run] = try await rules.rules(of: run, late: true) }
            guard let own = known[run] else { continue }
            if try await judgeAnew(try row[0], own) { count += 1 }
        }
        return count
    }

    /// False when somebody else was faster. One statement, so one transaction.
    private func judgeAnew(_ batch: Batch.ID, _ rules: PlanRules) async throws -> Bool {
        guard let table = rules.table else { return false }
        let rows = try await pool.query(
            """
            WITH late AS MATERIALIZED (
                SELECT id, run_id, app_id, environment, retries, is_trial, size, outcomes, recipients
                FROM batches WHERE id = \(batch) AND state = 0 AND not_after <= now() FOR UPDATE SKIP LOCKED
            ), bytes AS MATERIALIZED (
                SELECT u.id, u.place, get_byte(late.outcomes, u.place::integer - 1) AS byte
                FROM late CROSS JOIN LATERAL unnest(late.recipients) WITH ORDINALITY AS u (id, place)
            ), judged AS MATERIALIZED (
                -- Who may have been reached, and is sent to no more, stays unknown.
                SELECT s.id, s.byte, z.place, z.code <> 0 AS is_left_out,
                    CASE WHEN z.code <> 0 AND s.byte >= 128 THEN \(Int32(OutcomeCode.unknownWorkerLost))
                        ELSE z.code + s.byte / 128 * 128 END AS next
                FROM bytes s
                LEFT JOIN devices d ON d.app_id = \(rules.app) AND d.id = s.id
                LEFT JOIN unnest(\(table.zones), \(table.places)) AS p (zone, place) ON p.zone = d.time_zone
                CROSS JOIN LATERAL (
                    SELECT coalesce(p.place, 0) AS place, (\(table.codes))[coalesce(p.place, 0) + 1]::integer AS code
                ) AS z
                WHERE s.byte % 128 IN (\(Int32(OutcomeCode.pending)), \(Int32(OutcomeCode.putBack)))
            ), made AS (
                INSERT INTO batches (run_id, app_id, moved_from, due_at, not_after, environment, retries, is_trial, first_id,
                    last_id, size, pending, suppressed, unknown, resent, state, outcomes, recipients)
                SELECT late.run_id, late.app_id, late.id, \(rules.times), late.environment, late.retries, late.is_trial,
                    min(j.id), max(j.id), count(*), count(*) FILTER (WHERE NOT is_left_out),
                    count(*) FILTER (WHERE is_left_out AND byte < 128), count(*) FILTER (WHERE is_left_out AND byte >= 128),
                    count(*) FILTER (WHERE next >= 128), CASE WHEN bool_and(is_left_out) THEN 2 ELSE 0 END,
                    string_agg(set_byte('\\x00', 0, next), '' ORDER BY j.id), array_agg(j.id ORDER BY j.id)
                FROM judged j CROSS JOIN late
                GROUP BY late.id, late.run_id, late.app_id, late.environment, late.retries, late.is_trial, place
            )
            UPDATE batches b
            SET state = 2, flush_seq = b.flush_seq + 1, sent_through = b.size,
                moved = b.moved + b.pending, pending = 0,
                resent = b.resent - (SELECT count(*) FROM judged WHERE byte >= 128),
                outcomes = (
                    SELECT string_agg(
                        set_byte('\\x00', 0, CASE WHEN byte % 128 IN (\(Int32(OutcomeCode.pending)), \(Int32(OutcomeCode.putBack)))
                            THEN \(Int32(OutcomeCode.moved)) + byte / 128 * 128 ELSE byte END), '' ORDER BY place)
                    FROM bytes)
            FROM late WHERE b.id = late.id
            RETURNING b.id
            """)
        return !rows.isEmpty
    }
}
