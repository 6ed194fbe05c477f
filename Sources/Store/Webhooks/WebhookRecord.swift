public import Campaigns
public import Postgres

/// A webhook, without its secrets.
public struct WebhookRecord: Sendable {
    public let id: Webhook.ID
    public let app: App.ID
    public let version: Int
    public let url: String
    public let description: String
    public let kinds: [Webhook.EventKind]
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    public let disabledAt: Timestamp?
    /// Nil when it is not disabled, or when a person disabled it.
    public let disabledReason: Webhook.DisabledReason?
    /// When the first of the attempts that have failed since the last success did; nil while there are few of them.
    public let failingSince: Timestamp?
    /// Until when the secret before the newest one signs as well.
    public let rotationEndsAt: Timestamp?
    public let waiting: Int

    static let columns: PostgresQuery = """
        w.id, w.app_id, w.version, w.url, w.description, w.kinds, w.created_at, w.updated_at, w.disabled_at,
        w.disabled_reason, CASE WHEN w.failures >= \(Webhook.failingAfter) THEN w.failing_since END AS failing_since,
        (SELECT max(s.expires_at) FROM webhook_secrets s
            WHERE s.app_id = w.app_id AND s.webhook_id = w.id AND s.expires_at > now()) AS rotation_ends_at,
        (SELECT count(*) FROM webhook_deliveries d
            WHERE d.app_id = w.app_id AND d.webhook_id = w.id AND d.next_attempt_at IS NOT NULL) AS waiting
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        version = try row["version"]
        url = try row["url"]
        description = try row["description"]
        kinds = try row["kinds", as: [String].self].compactMap(Webhook.EventKind.init)
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        disabledAt = try row["disabled_at"]
        disabledReason = try row["disabled_reason", as: String?.self].flatMap(Webhook.DisabledReason.init)
        failingSince = try row["failing_since"]
        rotationEndsAt = try row["rotation_ends_at"]
        waiting = try row["waiting"]
    }
}

/// A message to a webhook, as the list of deliveries shows it.
public struct WebhookDeliveryRecord: Sendable {
    /// The raw value is the API's.
    public enum State: String, CaseIterable, Sendable {
        case waiting, delivered, failed
    }

    public let id: Webhook.Delivery.ID
    /// The header webhook-id.
    public let headerID: String
    public let kind: String
    public let body: String
    public let createdAt: Timestamp
    public let attemptedAt: Timestamp?
    public let deliveredAt: Timestamp?
    /// Nil when it was delivered or given up.
    public let nextAttemptAt: Timestamp?
    public let attempts: Int
    /// Of the last answer.
    public let status: Int?
    public let error: String?

    public var state: State { deliveredAt != nil ? .delivered : nextAttemptAt != nil ? .waiting : .failed }

    static let columns: PostgresQuery = """
        d.id, d.message_id::text, d.kind, d.body, d.created_at, d.attempted_at, d.delivered_at, d.next_attempt_at,
        d.attempts::bigint, d.status::bigint, d.error
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        headerID = try row["message_id"]
        kind = try row["kind"]
        body = try row["body"]
        createdAt = try row["created_at"]
        attemptedAt = try row["attempted_at"]
        deliveredAt = try row["delivered_at"]
        nextAttemptAt = try row["next_attempt_at"]
        attempts = try row["attempts"]
        status = try row["status"]
        error = try row["error"]
    }
}
