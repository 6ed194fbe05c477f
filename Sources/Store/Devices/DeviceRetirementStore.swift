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
        /// False for `Unregistered`.
        public let isExpiredToken: Bool

        public init(device: Int64, since: Int64, isExpiredToken: Bool) {
            self.device = device
            self.since = since
            self.isExpiredToken = isExpiredToken
        }
    }

    /// Retires the devices and returns their number.
    public func retire(_ gone: [InvalidatedToken], app: App.ID, deadline: Duration? = nil) async throws -> Int {
        guard !gone.isEmpty else { return 0 }
        return try await pool.execute(
            """
            WITH gone AS MATERIALIZED (
                SELECT d.app_id, d.id, g.is_expired
                FROM unnest(\(gone.map(\.device)), \(gone.map(\.since)), \(gone.map(\.isExpiredToken)))
                    AS g (id, since, is_expired)
                JOIN devices d ON d.app_id = \(app) AND d.id = g.id
                LEFT JOIN device_activity a ON a.app_id = d.app_id AND a.device_id = d.id
                WHERE d.retired_at IS NULL
                    AND greatest(d.token_registered_at, a.last_seen_at) < to_timestamp(g.since / 1000.0)
                -- All writers lock devices in this order.
                ORDER BY d.id FOR UPDATE OF d
            )
            UPDATE devices d
            SET retired_at = now(), retired_reason = CASE WHEN g.is_expired THEN 2 ELSE 1 END
            FROM gone g WHERE d.app_id = g.app_id AND d.id = g.id
            """, deadline: deadline)
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
                    AND d.token_registered_at < (SELECT due_at FROM batches WHERE id = \(batch.id))
                -- All writers lock devices in this order.
                ORDER BY d.id FOR UPDATE OF d
            )
            UPDATE devices d
            SET environment = CASE WHEN k.is_accepted THEN \(batch.environment) ELSE d.environment END,
                retired_at = CASE WHEN NOT k.is_accepted THEN now() END,
                retired_reason = CASE WHEN NOT k.is_accepted THEN \(RetiredReason.badToken) END
            FROM known k WHERE d.app_id = k.app_id AND d.id = k.id
            """)
    }
}
