public import Campaigns
public import Postgres

/// The planner's steps: a keyset pass over an app's devices that meets each one once, judges it
/// once and puts it into the batch of its time.
public struct PlanStore: Sendable {
    /// Devices looked at in one step at most: the cursor is committed even if nobody matched.
    public static let stepSize = 50_000
    /// Ready batches of a run beyond which its planner rests: about ten seconds of sending. What is not due yet does not
    /// count: local times are planned whole.
    public static let maximumReady = 300
    static let secondsAhead = 10
    /// In kB. A step's devices are sorted in memory: PostgreSQL's 4 MB would not do for them.
    private static let sortMemory: Int64 = 16_384

    private let pool: PostgresPool
    private let owner: ProcessID

    public init(pool: PostgresPool, owner: ProcessID) {
        self.pool = pool
        self.owner = owner
    }

    /// Runs that still have devices to plan and are not well ahead of the senders.
    public func runsToPlan() async throws -> [Run.ID] {
        let rows = try await pool.query(
            """
            SELECT r.id FROM runs r JOIN apps a ON a.id = r.app_id
            WHERE r.finished_at IS NULL AND r.planned_at IS NULL AND r.state = 'sending'
                AND (r.planner IS NULL OR r.planner = \(owner) OR r.plan_lease_until < now())
                AND (SELECT count(*) FROM batches b WHERE b.run_id = r.id AND b.state = 0 AND b.due_at <= now())
                    < least(\(Self.maximumReady),
                        1 + \(Self.secondsAhead) * least(r.pushes_per_second, a.pushes_per_second) / \(Batch.maximumSize))
            ORDER BY r.id
            """)
        return try rows.map { try $0[0] }
    }

    public enum Step: Equatable, Sendable {
        /// As many devices were looked at as a step has; there may be more.
        case planned(looked: Int)
        /// The last device up to the ceiling was met.
        case finished
        /// Paused, cancelled, or another process plans it, or another run of an app with a frequency cap.
        case notOurs
    }

    /// One step of at most `size` devices, in one transaction. The run's row is locked at the end only, so that pause and
    /// cancel never wait for a planner. `destination` is this process's, and stays the run's word for where it went.
    public func step(
        _ run: Run.ID, by rules: PlanRules, size: Int = stepSize, lease: Duration, to destination: Run.Destination
    ) async throws -> Step {
        let leased = try await pool.query(
            """
            UPDATE runs SET planner = \(owner), plan_lease_until = now() + \(lease.interval),
                destination = coalesce(destination, \(destination))
            WHERE id = \(run) AND planned_at IS NULL AND state = 'sending'
                AND (planner IS NULL OR planner = \(owner) OR plan_lease_until < now())
            RETURNING plan_cursor, device_ceiling
            """)
        guard let row = leased.first else { return .notOurs }
        let cursor: Int64 = try row[0]
        let ceiling: Int64 = try row[1]
        do {
            return try await pool.transaction { connection in
                try await connection.execute(
                    """
                    SELECT set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')) / 1024, \(Self.sortMemory))
                        || 'kB', true)
                    """)
                // Two runs at once would not see whom the other plans.
                if rules.cap != nil {
                    let lock = try await connection.query(
                        "SELECT pg_try_advisory_xact_lock(hashtextextended('belfry frequency cap', \(rules.app)))")
                    guard try lock[0][0] else { throw TakenAway() }
                }
                let ids = IDRange(after: cursor, through: ceiling)
                let end = try await connection.query(PlanQuery(rules: rules, ids: ids, run: run).end(size: size))
                let last: Int64 = try end.first?[0] ?? ceiling
                try await connection.execute(plan(run, by: rules, after: cursor, through: last))
                // A statement of its own: PostgreSQL would else lock the run's row before it looks at anybody.
                let rows = try await connection.query(
                    """
                    UPDATE runs
                    SET plan_cursor = \(last), planned_at = CASE WHEN \(end.isEmpty) THEN now() END
                    WHERE id = \(run) AND planner = \(owner) AND plan_cursor = \(cursor) AND state = 'sending'
                    RETURNING planned_at IS NOT NULL
                    """)
                // Nothing of the step may stay when the run was taken from us meanwhile.
                guard let row = rows.first else { throw TakenAway() }
                return try row[0, as: Bool.self] ? .finished : .planned(looked: size)
            }
        } catch is TakenAway {
            return .notOurs
        }
    }

    struct TakenAway: Error {}

    private func plan(
        _ run: Run.ID, by rules: PlanRules, after cursor: Int64, through last: Int64
    ) -> PostgresQuery {
        """
        WITH \(PlanQuery(rules: rules, ids: IDRange(after: cursor, through: last), run: run).parts),
        groups AS MATERIALIZED (
            -- Aggregates meet their input in its order; sorting inside of them costs twice as much.
            SELECT environment, place, array_agg(id) AS ids, string_agg(set_byte('\\x00', 0, code), '') AS codes,
                count(*)::integer AS size, count(*) FILTER (WHERE code <> 0) AS away
            FROM (SELECT * FROM looked WHERE is_targeted ORDER BY environment, place, id) AS targeted
            GROUP BY environment, place
        )
        INSERT INTO batches (run_id, app_id, planned_after, due_at, not_after, environment, first_id, last_id, size,
            pending, suppressed, state, outcomes, recipients)
        SELECT \(run), \(rules.app), \(cursor), \(rules.times), g.environment, g.ids[s.start + 1], g.ids[s.stop],
            s.stop - s.start, s.stop - s.start - a.count, a.count, CASE WHEN s.stop - s.start = a.count THEN 2 ELSE 0 END,
            substring(g.codes FROM s.start + 1 FOR s.stop - s.start), g.ids[s.start + 1:s.stop]
        FROM groups g
        CROSS JOIN LATERAL (
            SELECT start, least(g.size, start + \(Int32(Batch.maximumSize))) AS stop
            FROM generate_series(0, g.size - 1, \(Int32(Batch.maximumSize))) AS start
        ) AS s
        CROSS JOIN LATERAL (
            SELECT CASE WHEN g.away = 0 THEN 0 ELSE (
                SELECT count(*) FROM generate_series(s.start, s.stop - 1) AS at WHERE get_byte(g.codes, at) <> 0
            ) END AS count
        ) AS a
        """
    }
}

extension PlanRules {
    /// due_at and not_after of the batches with a `place`.
    var times: PostgresQuery {
        guard let table else { return "now(), NULL::timestamptz" }
        return """
            to_timestamp((\(table.dues))[place + 1]),
                nullif(to_timestamp((\(table.latest))[place + 1]), 'infinity')
            """
    }
}
