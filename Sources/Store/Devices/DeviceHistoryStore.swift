public import Campaigns
public import Postgres

/// A push to a device, and what became of it.
public struct DeviceDelivery: Sendable {
    /// The batch, whose ids grow with time.
    public let batch: Int64
    /// Nil for a transactional push.
    public let campaign: Campaign.ID?
    public let campaignName: String?
    public let run: Run.ID?
    public let outcome: OutcomeKind
    public let reason: String?
    public let wasDeferred: Bool
    public let dueAt: Timestamp
    /// When the phone says that it got the push, or showed it.
    public let deliveredAt: Timestamp?
    public let openedAt: Timestamp?
}

/// Reads the pushes of one device from the ledgers.
public struct DeviceHistoryStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Newest first; `before` is the batch of the last entry of the page before.
    public func deliveries(
        of device: Device.ID, app: App.ID, before batch: Int64?, limit: Int
    ) async throws -> [DeviceDelivery] {
        let rows = try await pool.query(
            """
            SELECT h.batch_id, h.campaign_id, c.name, h.run_id, h.outcome, h.reason, h.was_deferred, h.due_at,
                e.delivered_at, e.opened_at
            FROM device_history(\(app), \(device)) AS h
            LEFT JOIN campaigns c ON c.app_id = \(app) AND c.id = h.campaign_id
            CROSS JOIN LATERAL (
                SELECT min(happened_at) AS delivered_at,
                    min(happened_at) FILTER (WHERE kind = \(EventKind.opened)) AS opened_at
                FROM events WHERE app_id = \(app) AND message_number = h.message_number AND device_id = \(device)
            ) AS e
            WHERE h.batch_id < \(batch ?? .max) ORDER BY h.batch_id DESC LIMIT \(limit)
            """)
        return try rows.map { row in
            DeviceDelivery(
                batch: try row["batch_id"], campaign: try row["campaign_id"], campaignName: try row["name"],
                run: try row["run_id"], outcome: OutcomeKind(rawValue: try row["outcome"]) ?? .unknown,
                reason: try row["reason"], wasDeferred: try row["was_deferred"], dueAt: try row["due_at"],
                deliveredAt: try row["delivered_at"], openedAt: try row["opened_at"])
        }
    }
}
