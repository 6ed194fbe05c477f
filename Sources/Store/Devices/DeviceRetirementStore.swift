public import Campaigns
public import Postgres

/// Applies Apple's responses to devices: retires invalid tokens and corrects environments.
public struct DeviceRetirementStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Apple's report that a token is invalid. It counts only if the device registered and was last seen before `since`
    /// (milliseconds since 1970), since the app may have received the same token again.
    public struct InvalidatedToken: Sendable {
        public let device: Int64
        public let since: Int64
        public let reason: RetiredReason
        /// The occasion on which Apple rejected the token, if the token may still be good. Nil if it is certainly bad.
        public let occasion: Occasion?

        public init(device: Int64, since: Int64, reason: RetiredReason, suspectIn occasion: Occasion? = nil) {
            self.device = device
            self.since = since
            self.reason = reason
            self.occasion = occasion
        }
    }

    /// A run, or an hour, in which Apple rejected a token. A token that was rejected on two occasions is certainly bad.
    public enum Occasion: Hashable, Sendable {
        case run(Run.ID)
        /// The transactional pushes of an hour; hours since 1970.
        case hour(Int64)

        /// As it is stored; not 0.
        fileprivate var number: Int64 {
            switch self {
            case .run(let run): run.rawValue
            case .hour(let hour): -hour
            }
        }
    }

    /// Retires the devices, except suspects that were not reported on an earlier occasion: those are remembered.
    /// Returns the number of retired devices.
    public func retire(_ gone: [InvalidatedToken], app: App.ID, deadline: Duration? = nil) async throws -> Int {
        guard !gone.isEmpty else { return 0 }
        let rows = try await pool.query(
            """
            WITH gone AS MATERIALIZED (
                SELECT d.app_id, d.id, g.reason, g.run_id, d.token_registered_at
                FROM unnest(\(gone.map(\.device)), \(gone.map(\.since)), \(gone.map(\.reason.rawValue)),
                        \(gone.map { $0.occasion?.number ?? 0 }))
                    AS g (id, since, reason, run_id)
                JOIN devices d ON d.app_id = \(app) AND d.id = g.id
                LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id
                WHERE d.retired_at IS NULL
                    AND greatest(d.token_registered_at, a.last_seen_at) < to_timestamp(g.since / 1000.0)
                -- All writers lock devices in this order.
                ORDER BY d.id FOR UPDATE OF d
            ), certain AS MATERIALIZED (
                SELECT DISTINCT ON (g.id) g.* FROM gone g
                WHERE g.run_id = 0 OR EXISTS (SELECT FROM suspect_tokens s
                    WHERE s.app_id = g.app_id AND s.device_id = g.id AND s.run_id <> g.run_id
                        AND s.reported_at > g.token_registered_at)
            ), forgotten AS (
                DELETE FROM suspect_tokens s USING certain c WHERE s.app_id = c.app_id AND s.device_id = c.id
            ), remembered AS (
                INSERT INTO suspect_tokens (app_id, device_id, run_id)
                SELECT DISTINCT ON (g.id) g.app_id, g.id, g.run_id FROM gone g
                WHERE NOT EXISTS (SELECT FROM certain c WHERE c.id = g.id)
                ON CONFLICT (app_id, device_id) DO UPDATE SET run_id = excluded.run_id, reported_at = now()
            ), retired AS (
                UPDATE devices d SET retired_at = now(), retired_reason = c.reason
                FROM certain c WHERE d.app_id = c.app_id AND d.id = c.id
                RETURNING d.app_id, d.id, d.installation, d.user_id, d.retired_at, d.retired_reason
            ), counted AS (\(DeviceDays.count(.retired, in: "retired"))), told AS (\(Self.told(in: "retired s")))
            SELECT count(*) FROM retired
            """, deadline: deadline)
        return Int(try rows[0][0, as: Int64.self])
    }

    /// Applies the result of an environment probe. Devices whose tokens were accepted in the other environment belong
    /// to it. Devices that both environments rejected are retired, unless they registered after `batch` was created.
    public func resolveEnvironmentProbe(of batch: ClaimedBatch, accepted: [Int64], refused: [Int64]) async throws {
        try await pool.execute(
            """
            WITH known AS MATERIALIZED (
                SELECT d.app_id, d.id, t.is_accepted
                FROM (SELECT unnest(\(accepted)), true UNION ALL SELECT unnest(\(refused)), false)
                    AS t (id, is_accepted)
                JOIN devices d ON d.app_id = \(batch.app) AND d.id = t.id
                WHERE d.retired_at IS NULL
                    AND d.token_registered_at < (
                        SELECT due_at FROM batches WHERE app_id = \(batch.app) AND id = \(batch.id))
                -- All writers lock devices in this order.
                ORDER BY d.id FOR UPDATE OF d
            ), updated AS (
                UPDATE devices d
                SET environment = CASE WHEN k.is_accepted THEN \(batch.environment) ELSE d.environment END,
                    retired_at = CASE WHEN NOT k.is_accepted THEN now() END,
                    retired_reason = CASE WHEN NOT k.is_accepted THEN \(RetiredReason.badToken) END
                FROM known k WHERE d.app_id = k.app_id AND d.id = k.id
                RETURNING d.app_id, d.id, d.installation, d.user_id, d.retired_at, d.retired_reason
            ), told AS (\(Self.told(in: "updated s", where: "s.retired_at IS NOT NULL")))
            \(DeviceDays.count(.retired, in: "updated", where: "retired_at IS NOT NULL"))
            """)
    }

    private static func told(in rows: PostgresQuery, where condition: PostgresQuery = "true") -> PostgresQuery {
        let reasons = RetiredReason.allCases
        return WebhookEvents.insert(
            .devicesRetired, from: rows, where: condition,
            data: """
                jsonb_build_object(
                    \(WebhookEvents.device("s", id: "s.id")),
                    'reason', (\(reasons.map(\.name)))[array_position(\(reasons.map(\.rawValue)), s.retired_reason)],
                    'retired_at', \(WebhookEvents.time("s.retired_at")))
                """)
    }
}
