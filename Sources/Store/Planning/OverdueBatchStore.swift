public import Campaigns
public import Postgres

/// Re-evaluates overdue batches, which are past their latest sending time. Pending recipients are deferred to a new
/// batch with their new time, or are suppressed in it: also those who are not in the audience on the day of that time,
/// if it is about days. Nobody is congratulated a day late.
public struct OverdueBatchStore: Sendable {
    /// Batches re-evaluated in one call at most, and runs that are listed.
    static let batchSize = 20
    static let runLimit = 100
    static let deadline = Duration.seconds(20)

    private let pool: PostgresPool
    private let rules: PlanRuleStore

    public init(pool: PostgresPool, rules: PlanRuleStore) {
        self.pool = pool
        self.rules = rules
    }

    /// Runs with overdue batches.
    public func overdueRuns() async throws -> [Run.Key] {
        let rows = try await pool.query(
            """
            SELECT b.app_id, b.run_id FROM \(Self.batchesOfRuns) WHERE \(Self.isOverdue)
            GROUP BY b.app_id, b.run_id ORDER BY min(b.not_after) LIMIT \(Self.runLimit)
            """)
        return try rows.map { Run.Key(app: try $0[0], id: try $0[1]) }
    }

    /// Re-evaluates batches of one run; returns their number. There may be more.
    public func reevaluate(_ run: Run.Key) async throws -> Int {
        let rows = try await pool.query(
            """
            SELECT b.id FROM \(Self.batchesOfRuns)
            WHERE b.app_id = \(run.app) AND b.run_id = \(run.id) AND \(Self.isOverdue)
            ORDER BY b.not_after LIMIT \(Self.batchSize)
            """)
        guard !rows.isEmpty, let rules = try await rules.rules(of: run, at: .overdue) else { return 0 }
        var count = 0
        for row in rows {
            if try await reevaluate(try row[0], rules) { count += 1 }
        }
        return count
    }

    /// Whether the day that the audience is about is over for device `d`, and what has to be joined for that. The audience
    /// of other runs stays as it was planned.
    private static func today(_ rules: PlanRules) -> (join: PostgresQuery, isOver: PostgresQuery) {
        guard rules.audience.dependsOnDay, let condition = rules.audience.audience.condition else {
            return ("", "false")
        }
        let isMet = AudienceCompiler(app: rules.app, events: .perDevice, days: rules.days).boolean(condition)
        return (
            """
            LEFT JOIN device_activity a ON a.app_id = \(rules.app) AND a.device_id = d.id
            \(DaySQL(rules.days, app: rules.app).join)
            """, "d.id IS NOT NULL AND NOT (\(isMet))"
        )
    }

    private static let batchesOfRuns: PostgresQuery =
        "batches b JOIN runs r ON r.app_id = b.app_id AND r.id = b.run_id"

    private static let isOverdue: PostgresQuery =
        "b.state = 'ready' AND b.not_after <= now() AND r.state = 'sending' AND r.expires_at > now()"

    /// Re-evaluates a batch in one statement. False when another process was faster.
    private func reevaluate(_ batch: Batch.ID, _ rules: PlanRules) async throws -> Bool {
        guard let table = rules.table else { return false }
        let timing = TimingSQL(table)
        let rows = try await pool.query(
            """
            WITH overdue AS MATERIALIZED (
                SELECT id, run_id, app_id, environment, retries, variant, is_rest, is_environment_probe, size, outcomes,
                    recipients, profiles
                FROM batches
                WHERE app_id = \(rules.app) AND id = \(batch) AND state = 'ready' AND not_after <= now()
                FOR UPDATE SKIP LOCKED
            ), bytes AS MATERIALIZED (
                SELECT u.id, u.position, o.byte, outcome_is_resent(o.byte) AS is_resent,
                    outcome_code(o.byte) IN (\(Int32(OutcomeCode.pending)), \(Int32(OutcomeCode.requeued))) AS is_open
                FROM overdue CROSS JOIN LATERAL unnest(overdue.recipients) WITH ORDINALITY AS u (id, position)
                CROSS JOIN LATERAL (SELECT get_byte(overdue.outcomes, u.position::integer - 1) AS byte) AS o
            ), evaluated AS MATERIALIZED (
                -- Recipients who may have been reached, and are not sent to again, become unknown.
                SELECT s.id, s.is_resent, t.timing_index, t.code <> 0 AS is_left_out,
                    CASE WHEN t.code <> 0 AND s.is_resent THEN \(Int32(OutcomeCode.unknownWorkerLost))
                        ELSE outcome_byte(t.code, s.is_resent) END AS next
                FROM bytes s
                LEFT JOIN devices d ON d.app_id = \(rules.app) AND d.id = s.id
                \(timing.join)
                \(Self.today(rules).join)
                CROSS JOIN LATERAL (
                    SELECT \(timing.index) AS timing_index,
                        (CASE WHEN \(Self.today(rules).isOver) THEN \(table.lateCodes) ELSE \(table.codes) END)
                            [\(timing.index) + 1]::integer AS code
                ) AS t
                WHERE s.is_open
            ), inserted AS (
                INSERT INTO batches (run_id, app_id, deferred_from, due_at, not_after, environment, retries,
                    variant, is_rest, is_environment_probe, first_id, last_id, size, pending, suppressed, unknown, resent, state,
                    outcomes, recipients, profiles)
                SELECT o.run_id, o.app_id, o.id, \(rules.times), o.environment, o.retries, o.variant, o.is_rest,
                    o.is_environment_probe, min(j.id), max(j.id), count(*), count(*) FILTER (WHERE NOT is_left_out),
                    count(*) FILTER (WHERE is_left_out AND NOT is_resent),
                    count(*) FILTER (WHERE is_left_out AND is_resent),
                    count(*) FILTER (WHERE outcome_is_resent(next)),
                    CASE WHEN bool_and(is_left_out) THEN 'done' ELSE 'ready' END,
                    string_agg(set_byte('\\x00', 0, next), '' ORDER BY j.id), array_agg(j.id ORDER BY j.id),
                    profiles_of(array_agg(j.id ORDER BY j.id), o.recipients, o.profiles)
                FROM evaluated j CROSS JOIN overdue o
                GROUP BY o.id, o.run_id, o.app_id, o.environment, o.retries, o.variant, o.is_rest,
                    o.is_environment_probe, timing_index, o.recipients, o.profiles
            )
            UPDATE batches b
            SET state = 'done', ended_at = now(), flush_seq = b.flush_seq + 1, sent_through = b.size,
                deferred = b.deferred + b.pending, pending = 0,
                resent = b.resent - (SELECT count(*) FROM evaluated WHERE is_resent),
                outcomes = (
                    SELECT string_agg(
                        set_byte('\\x00', 0, CASE
                            WHEN is_open THEN outcome_byte(\(Int32(OutcomeCode.deferred)), is_resent)
                            ELSE byte END), '' ORDER BY position)
                    FROM bytes)
            FROM overdue WHERE b.app_id = overdue.app_id AND b.id = overdue.id
            RETURNING b.id
            """, deadline: Self.deadline)
        return !rows.isEmpty
    }
}
