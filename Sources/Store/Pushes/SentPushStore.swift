public import Campaigns
public import Postgres

/// A transactional push and its outcome.
public struct SentPush: Hashable, Sendable {
    public let messageNumber: Int64
    public let messageKeyVersion: Int16
    public let device: Device.ID
    public let environment: PushEnvironment
    /// Nil once the device's row is gone.
    public let installation: String?
    public let userID: String?
    public let outcome: OutcomeReason
    public let createdAt: Timestamp
    /// When the outcomes of its batch were stored; nil while a recipient of the batch is pending.
    public let endedAt: Timestamp?
    /// The time of the first event that the device reported: each one proves that the push was delivered.
    public let deliveredAt: Timestamp?
    public let openedAt: Timestamp?
}

/// Finds transactional pushes by the ids that the API returned.
public struct SentPushStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// In the order of the request's batches; empty when there is no such request.
    public func pushes(of request: PushRequestID, app: App.ID) async throws -> [SentPush] {
        let parts = request.parts
        return try await read(
            """
            SELECT b.*, r.device_id, n.first + r.index::integer - 1 AS index
            FROM unnest(
                \(parts.map(\.messageNumber)), \(parts.map { Int32($0.first) }), \(parts.map { Int32($0.count) })
            ) AS n (number, first, count)
            JOIN batches b ON b.app_id = \(app) AND b.message_number = n.number
            CROSS JOIN LATERAL unnest(b.recipients[n.first + 1:n.first + n.count]) WITH ORDINALITY
                AS r (device_id, index)
            WHERE n.first + n.count <= b.size
            """)
    }

    /// Finds the push of a message id whose tag was verified.
    public func push(_ id: MessageID, app: App.ID) async throws -> SentPush? {
        try await read(
            """
            SELECT b.*, \(id.device) AS device_id, array_position(b.recipients, \(id.device)) - 1 AS index
            FROM batches b
            WHERE b.app_id = \(app) AND b.message_number = \(id.messageNumber) AND \(id.device) = ANY (b.recipients)
            """
        ).first
    }

    private func read(_ pushes: PostgresQuery) async throws -> [SentPush] {
        let rows = try await pool.query(
            """
            SELECT p.message_number, p.message_key_version, p.device_id, p.environment, d.installation, d.user_id,
                c.kind, c.reason, p.due_at, p.ended_at,
                e.delivered_at, e.opened_at
            FROM (\(pushes)) AS p
            JOIN outcome_codes c ON c.code = outcome_code(get_byte(p.outcomes, p.index))
            LEFT JOIN devices d ON d.app_id = p.app_id AND d.id = p.device_id
            CROSS JOIN LATERAL (
                SELECT min(happened_at) AS delivered_at,
                    min(happened_at) FILTER (WHERE kind = \(EventKind.opened)) AS opened_at
                FROM events
                WHERE app_id = p.app_id AND message_number = p.message_number AND device_id = p.device_id
            ) AS e
            ORDER BY p.message_number, p.index
            """)
        return try rows.map { row in
            SentPush(
                messageNumber: try row["message_number"], messageKeyVersion: try row["message_key_version"],
                device: try row["device_id"], environment: try row["environment"],
                installation: try row["installation"], userID: try row["user_id"],
                outcome: OutcomeReason(kind: try row["kind"], reason: try row["reason"]), createdAt: try row["due_at"],
                endedAt: try row["ended_at"], deliveredAt: try row["delivered_at"], openedAt: try row["opened_at"])
        }
    }
}
