public import Campaigns
public import Postgres

/// The log of deliveries, test messages, and sending again by hand.
public struct WebhookDeliveryStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Newest first; `before` is the last id of the page before.
    public func list(
        of webhook: Webhook.ID, app: App.ID, state: WebhookDeliveryRecord.State? = nil,
        before: Webhook.Delivery.ID? = nil, limit: Int
    ) async throws -> [WebhookDeliveryRecord] {
        try await pool.query(
            """
            SELECT \(WebhookDeliveryRecord.columns) FROM webhook_deliveries d
            WHERE d.app_id = \(app) AND d.webhook_id = \(webhook) AND d.id < \(keysetBound(before))
                AND \(Self.condition(state))
            ORDER BY d.id DESC LIMIT \(limit)
            """
        ).map { try WebhookDeliveryRecord($0) }
    }

    private static func condition(_ state: WebhookDeliveryRecord.State?) -> PostgresQuery {
        switch state {
        case nil: "true"
        case .waiting: "d.next_attempt_at IS NOT NULL"
        case .delivered: "d.delivered_at IS NOT NULL"
        case .failed: "d.next_attempt_at IS NULL AND d.delivered_at IS NULL"
        }
    }

    /// Sends a test message, which is tried once.
    public func test(_ webhook: Webhook.ID, app: App.ID) async throws -> WebhookDeliveryRecord {
        try await pool.transaction { connection in
            try await checkEnabled(webhook, app, on: connection)
            let rows = try await connection.query(
                """
                INSERT INTO webhook_deliveries AS d (app_id, webhook_id, kind, body)
                VALUES (\(app), \(webhook), \(Webhook.testKind),
                    jsonb_build_object(
                        'type', \(Webhook.testKind), 'timestamp', \(WebhookEvents.time("now()")),
                        'data', jsonb_build_object('app_id', \(app.description)::text))::text)
                RETURNING \(WebhookDeliveryRecord.columns)
                """)
            return try WebhookDeliveryRecord(rows[0])
        }
    }

    /// Sends a message again, with the same id: now, and then after the pauses of a new one.
    public func resend(
        _ id: Webhook.Delivery.ID, of webhook: Webhook.ID, app: App.ID
    ) async throws -> WebhookDeliveryRecord {
        try await pool.transaction { connection in
            try await checkEnabled(webhook, app, on: connection)
            let rows = try await connection.query(
                """
                UPDATE webhook_deliveries d
                SET next_attempt_at = now(), attempts = 0, delivered_at = NULL, status = NULL, error = NULL
                WHERE d.app_id = \(app) AND d.webhook_id = \(webhook) AND d.id = \(id)
                RETURNING \(WebhookDeliveryRecord.columns)
                """)
            guard let row = rows.first else { throw Refusal.notFound(.delivery) }
            return try WebhookDeliveryRecord(row)
        }
    }

    /// Nothing is sent to a disabled webhook.
    private func checkEnabled(_ webhook: Webhook.ID, _ app: App.ID, on connection: PostgresConnection) async throws {
        let rows = try await connection.query(
            "SELECT disabled_at IS NULL FROM webhooks WHERE app_id = \(app) AND id = \(webhook) FOR KEY SHARE")
        guard let row = rows.first else { throw Refusal.notFound(.webhook) }
        guard try row[0, as: Bool.self] else { throw Refusal.webhookDisabled }
    }
}
