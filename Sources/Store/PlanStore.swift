public import Campaigns
public import Postgres

/// The planner's steps: a keyset pass over an app's devices that meets each one once, judges it
/// once and puts it into a batch.
public struct PlanStore: Sendable {
    /// Devices looked at in one step at most: the cursor is committed even if nobody matched.
    public static let stepSize = 50_000
    /// Ready batches of a run beyond which its planner rests: about ten seconds of sending.
    public static let maximumReady = 300

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
            SELECT r.id FROM runs r
            WHERE r.finished_at IS NULL AND r.planned_at IS NULL AND r.state = 'sending'
                AND (r.plan_owner IS NULL OR r.plan_owner = \(owner) OR r.plan_lease_until < now())
                AND (SELECT count(*) FROM batches b WHERE b.run_id = r.id AND b.state = 0) < \(Self.maximumReady)
            ORDER BY r.id
            """)
        return try rows.map { try $0[0] }
    }

    public enum Step: Equatable, Sendable {
        /// So many devices were looked at; there may be more.
        case planned(looked: Int)
        /// The last device up to the ceiling was met.
        case finished
        /// Paused, cancelled, or another process plans it.
        case notOurs
    }

    /// One step, in one transaction. The run's row is locked at the end only, so that pause and
    /// cancel never wait for a planner.
    public func step(_ run: Run.ID, lease: Duration) async throws -> Step {
        let leased = try await pool.query(
            """
            UPDATE runs SET plan_owner = \(owner), plan_lease_until = now() + \(lease.interval)
            WHERE id = \(run) AND planned_at IS NULL AND state = 'sending'
                AND (plan_owner IS NULL OR plan_owner = \(owner) OR plan_lease_until < now())
            RETURNING app_id, plan_cursor, device_ceiling, topic
            """)
        guard let row = leased.first else { return .notOurs }
        let app: App.ID = try row[0]
        let cursor: Int64 = try row[1]
        let ceiling: Int64 = try row[2]
        let topic: String? = try row[3]
        do {
            return try await pool.transaction { connection in
                let rows = try await connection.query(
                    plan(run, app: app, topic: topic, cursor: cursor, ceiling: ceiling))
                // Nothing of the step may stay when the run was taken from us meanwhile.
                guard let row = rows.first else { throw TakenAway() }
                let looked: Int = try row[0]
                return try row[1, as: Bool.self] ? .finished : .planned(looked: looked)
            }
        } catch is TakenAway {
            return .notOurs
        }
    }

    private struct TakenAway: Error {}

    private func plan(
        _ run: Run.ID, app: App.ID, topic: String?, cursor: Int64, ceiling: Int64
    ) -> PostgresQuery {
        // Without a topic nobody's opt-outs are looked at.
        let optedOut: PostgresQuery =
            if let topic {
                "WHEN \(topic) = ANY (opt_outs) THEN \(Int16(OutcomeCode.suppressedOptedOut))"
            } else {
                ""
            }
        return """
            WITH looked AS MATERIALIZED (
                SELECT id, environment, retired_at IS NULL AND kind = \(DeviceKind.alert) AS is_targeted,
                    CASE
                        WHEN authorization_status = 1 THEN \(Int16(OutcomeCode.suppressedDenied))
                        \(optedOut)
                        ELSE 0
                    END AS code
                FROM devices
                WHERE app_id = \(app) AND id > \(cursor) AND id <= \(ceiling)
                ORDER BY id LIMIT \(Self.stepSize)
            ), seen AS (
                SELECT count(*) AS number, max(id) AS last FROM looked
            ), numbered AS (
                SELECT id, environment, code,
                    (row_number() OVER (PARTITION BY environment ORDER BY id) - 1) / \(Batch.maximumSize) AS bucket
                FROM looked WHERE is_targeted
            ), made AS (
                INSERT INTO batches (run_id, app_id, planned_after, environment, first_id, last_id, size, pending,
                    suppressed, state, outcomes, recipients)
                SELECT \(run), \(app), \(cursor), environment, min(id), max(id), count(*),
                    count(*) FILTER (WHERE code = 0), count(*) FILTER (WHERE code <> 0),
                    CASE WHEN count(*) FILTER (WHERE code = 0) = 0 THEN 2 ELSE 0 END,
                    string_agg(set_byte('\\x00', 0, code), '' ORDER BY id), array_agg(id ORDER BY id)
                FROM numbered GROUP BY environment, bucket
            )
            UPDATE runs
            SET plan_cursor = coalesce(seen.last, \(ceiling)),
                planned_at = CASE WHEN seen.number < \(Self.stepSize) THEN now() END
            FROM seen
            WHERE id = \(run) AND plan_owner = \(owner) AND plan_cursor = \(cursor) AND state = 'sending'
            RETURNING seen.number, planned_at IS NOT NULL
            """
    }
}
