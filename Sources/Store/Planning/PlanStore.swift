public import Campaigns
public import Postgres

/// The planner's steps: a keyset scan of an app's devices that evaluates each one once and assigns it to a batch of its
/// due time.
public struct PlanStore: Sendable {
    /// Devices scanned by one step at most. The cursor is committed even if no device matched.
    public static let stepSize = 50_000
    /// Ready batches of a run above which its planner waits: about ten seconds of sending. Batches that are not due yet
    /// do not count, since local times are planned completely in advance.
    public static let maximumReady = 300
    static let secondsAhead = 10
    /// In kB. A step's devices are sorted in memory; PostgreSQL's default of 4 MB is too small for them.
    private static let sortMemory: Int64 = 16_384

    private let pool: PostgresPool
    private let owner: ProcessID

    public init(pool: PostgresPool, owner: ProcessID) {
        self.pool = pool
        self.owner = owner
    }

    /// Runs that still have devices to plan and are not far enough ahead of the senders.
    public func runsToPlan() async throws -> [Run.Key] {
        let rows = try await pool.query(
            """
            SELECT r.app_id, r.id FROM runs r JOIN apps a ON a.id = r.app_id
            WHERE r.finished_at IS NULL AND r.planned_at IS NULL AND r.state = 'sending'
                AND \(DatabaseIdentity.matchesRun)
                AND (r.planner IS NULL OR r.planner = \(owner) OR r.plan_lease_until < now())
                AND \(Self.isNotFarAhead)
            ORDER BY r.id
            """)
        return try rows.map { Run.Key(app: try $0[0], id: try $0[1]) }
    }

    /// True for a run `r` of an app `a` if the senders will soon need more batches.
    static let isNotFarAhead: PostgresQuery = """
        (SELECT count(*) FROM batches b
            WHERE b.app_id = r.app_id AND b.run_id = r.id AND b.state = 'ready' AND b.due_at <= now())
            < least(\(maximumReady), 1 + \(secondsAhead) * least(r.pushes_per_second, a.pushes_per_second) / \(Batch.maximumSize))
        """

    public enum Step: Equatable, Sendable {
        /// A full step was scanned; there may be more devices.
        case planned(devicesScanned: Int, recipients: Int)
        /// The scan reached the device ceiling.
        case finished
        /// The run is paused or cancelled, another process plans it, or (with a frequency cap) plans another run of the
        /// app.
        case leaseLost

        /// Whether fewer than one in ten of the scanned devices are recipients, so that the next step looks up what it
        /// needs of each.
        public var isSparse: Bool {
            if case .planned(let scanned, let recipients) = self { recipients < scanned / 10 } else { false }
        }
    }

    /// Plans one step of at most `size` devices, in one transaction. The run's row is locked only at the end, so that
    /// pause and cancel never wait for a planner. The first step records `destination` as the run's. `isSparse` is what
    /// the step before says; it changes only how long the step takes. Throws an error of the kind `deadline` when one
    /// of its two scans takes longer than `deadline`.
    public func step(
        _ run: Run.ID, by rules: PlanRules, size: Int = stepSize, isSparse: Bool = false, lease: Duration,
        deadline: Duration? = nil, to destination: Run.Destination
    ) async throws -> Step {
        let leased = try await pool.query(
            """
            UPDATE runs r SET planner = \(owner), plan_lease_until = now() + \(lease.interval),
                destination = coalesce(destination, \(destination))
            WHERE app_id = \(rules.app) AND id = \(run) AND \(DatabaseIdentity.matchesRun) AND planned_at IS NULL AND state = 'sending'
                AND (planner IS NULL OR planner = \(owner) OR plan_lease_until < now())
            RETURNING plan_cursor, device_ceiling
            """)
        guard let row = leased.first else { return .leaseLost }
        let cursor: Int64 = try row[0]
        let ceiling: Int64 = try row[1]
        do {
            return try await pool.transaction { connection in
                try await connection.execute(
                    """
                    SELECT set_config(
                        'work_mem',
                        greatest(pg_size_bytes(current_setting('work_mem')) / 1024, \(Self.sortMemory)) || 'kB', true)
                    """)
                // Two runs planned at the same time would not see each other's recipients.
                if rules.cap != nil {
                    let lock = try await connection.query(RowLock.OfApp.frequencyCap.attempt(of: rules.app.rawValue))
                    guard !lock.isEmpty else { throw LeaseLost() }
                }
                let ids = IDRange(after: cursor, through: ceiling)
                let end = try await connection.query(
                    PlanQuery(rules: rules, ids: ids, run: run).end(size: size), deadline: deadline)
                let last: Int64 = try end.first?[0] ?? ceiling
                let hours = try await BestHours(of: rules, in: IDRange(after: cursor, through: last), on: connection)
                let planned = try await connection.query(
                    plan(run, by: rules, hours, after: cursor, through: last, isSparse: isSparse), deadline: deadline)
                let recipients: Int64 = try planned[0][0]
                // A separate statement: otherwise PostgreSQL would lock the run's row before the scan.
                let rows = try await connection.query(
                    """
                    UPDATE runs
                    SET plan_cursor = \(last), planned_total = planned_total + \(recipients),
                        planned_at = CASE WHEN \(end.isEmpty) THEN now() END
                    WHERE app_id = \(rules.app) AND id = \(run) AND planner = \(owner) AND plan_cursor = \(cursor)
                        AND state = 'sending'
                    RETURNING planned_at IS NOT NULL
                    """)
                // The step is rolled back if the run changed or its lease was lost meanwhile.
                guard let row = rows.first else { throw LeaseLost() }
                return try row[0, as: Bool.self]
                    ? .finished
                    : .planned(devicesScanned: size, recipients: Int(recipients))
            }
        } catch is LeaseLost {
            return .leaseLost
        }
    }

    struct LeaseLost: Error {}

    /// What the recipients of a batch share, of a scanned device `s`.
    private static let group: PostgresQuery = """
        (((s.timing_index * 2 + s.environment) * 16 + s.variant) * 2 + s.is_rest::integer)::bigint
        """

    /// The bits of a key that tell devices of the same group apart: more than the ids of a step.
    private static let idBits: Int32 = 40

    /// Inserts the batches of a step; returns the number of their recipients.
    private func plan(
        _ run: Run.ID, by rules: PlanRules, _ hours: BestHours, after cursor: Int64, through last: Int64,
        isSparse: Bool
    ) -> PostgresQuery {
        let ids = IDRange(after: cursor, through: last)
        let query = PlanQuery(rules: rules, ids: ids, run: run, hours: hours)
        return """
            WITH RECURSIVE \(query.parts),
            start AS MATERIALIZED (
                SELECT started_at,
                    CASE WHEN last_profile > 65535 THEN 3 WHEN last_profile > 255 THEN 2 ELSE 1 END AS width
                FROM runs, (SELECT max(code) AS last_profile FROM profiles WHERE app_id = \(rules.app)) AS p
                WHERE app_id = \(rules.app) AND id = \(run)
            ),
            targeted AS (
                -- One number to sort by, which no two have in common.
                SELECT s.id, s.code, \(Self.group) << \(Self.idBits) | (s.id - \(cursor)) AS key,
                    CASE WHEN a.profile_since <= (SELECT started_at FROM start) THEN a.profile
                        ELSE profile_at(\(rules.app), s.id, (SELECT started_at FROM start)) END AS profile
                FROM scanned s \(activity(of: rules.app, ids, isSparse: isSparse || query.isRestricted))
                WHERE coalesce(s.is_targeted, false)
            ),
            ordered AS MATERIALIZED (
                -- Aggregates read their sorted input in order; sorting inside them costs twice as much.
                SELECT array_agg(key) AS keys, array_agg(id) AS ids, string_agg(set_byte('\\x00', 0, code), '') AS codes,
                    string_agg(profile_bytes(profile, (SELECT width FROM start)), '') AS profiles,
                    count(*)::integer AS size
                FROM (SELECT * FROM targeted ORDER BY key) AS targeted
            ),
            -- The groups lie one behind the other: each ends where a key of the next one would be.
            bounds (group_key, first, last) AS (
                SELECT keys[1] >> \(Self.idBits), 1, width_bucket(((keys[1] >> \(Self.idBits)) + 1) << \(Self.idBits), keys)
                FROM ordered WHERE size > 0
                UNION ALL
                SELECT o.keys[b.last + 1] >> \(Self.idBits), b.last + 1,
                    width_bucket(((o.keys[b.last + 1] >> \(Self.idBits)) + 1) << \(Self.idBits), o.keys)
                FROM bounds b CROSS JOIN ordered o WHERE b.last < o.size
            ),
            groups AS (
                SELECT (b.group_key >> 5 & 1)::smallint AS environment, (b.group_key >> 6)::integer AS timing_index,
                    (b.group_key >> 1 & 15)::smallint AS variant, b.group_key & 1 = 1 AS is_rest,
                    b.first, b.last, o.ids, o.codes, o.profiles
                FROM bounds b CROSS JOIN ordered o
            ), inserted AS (
                INSERT INTO batches (run_id, app_id, planned_after, due_at, not_after, environment, variant, is_rest, first_id,
                    last_id,
                    size, pending, suppressed, state, outcomes, profiles, recipients)
                SELECT \(run), \(rules.app), \(cursor), \(rules.times), g.environment, g.variant, g.is_rest, g.ids[s.start + 1],
                    g.ids[s.stop],
                    s.stop - s.start, s.stop - s.start - a.count, a.count,
                    CASE WHEN s.stop - s.start = a.count THEN 'done' WHEN g.is_rest THEN 'waiting' ELSE 'ready' END,
                    c.codes,
                    substring(g.profiles FROM s.start * start.width + 1 FOR (s.stop - s.start) * start.width),
                    g.ids[s.start + 1:s.stop]
                FROM groups g CROSS JOIN start
                CROSS JOIN LATERAL (
                    SELECT start, least(g.last, start + \(Int32(Batch.maximumSize))) AS stop
                    FROM generate_series(g.first - 1, g.last - 1, \(Int32(Batch.maximumSize))) AS start
                ) AS s
                CROSS JOIN LATERAL (
                    SELECT substring(g.codes FROM s.start + 1 FOR s.stop - s.start) AS codes OFFSET 0
                ) AS c
                -- Counts the codes that are not 0 by the length of what is written: 0 as four characters, these codes as one.
                CROSS JOIN LATERAL (
                    SELECT s.stop - s.start - (octet_length(encode(c.codes, 'escape')) - (s.stop - s.start)) / 3 AS count
                    OFFSET 0
                ) AS a
                RETURNING size
            )
            SELECT coalesce(sum(size), 0)::bigint FROM inserted
            """
    }

    /// Joins each device's row of device_activity as `a`. PostgreSQL must not choose how: it takes an app for a small
    /// one as long as most devices of the table belong to others, or before it has statistics, and would read the whole
    /// range for each device. A full join reads the range once, because it can't loop; the condition on the device,
    /// which is true for no row without one, keeps it from becoming a left join. Few devices are looked up one by one.
    private func activity(of app: App.ID, _ ids: IDRange, isSparse: Bool) -> PostgresQuery {
        if isSparse {
            return """
                LEFT JOIN LATERAL (
                    SELECT profile, profile_since FROM device_activity WHERE app_id = \(app) AND device_id = s.id LIMIT 1
                ) AS a ON true
                """
        }
        return """
            FULL JOIN (
                SELECT device_id, profile, profile_since FROM device_activity
                WHERE app_id = \(app) AND \(ids.contains("device_id"))
            ) AS a ON a.device_id = s.id
            """
    }
}

extension PlanRules {
    /// Expressions for due_at and not_after of batches, by the column `timing_index`.
    var times: PostgresQuery {
        guard let table else { return "now(), NULL::timestamptz" }
        return """
            to_timestamp((\(table.dues))[timing_index + 1]),
                nullif(to_timestamp((\(table.latest))[timing_index + 1]), 'infinity')
            """
    }
}
