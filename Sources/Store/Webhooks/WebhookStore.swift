public import Campaigns
public import Crypto
public import Postgres

/// The webhooks of apps, with their secrets.
public struct WebhookStore: Sendable {
    /// Bytes of a secret; Standard Webhooks asks for 24 to 64.
    static let secretLength = 32
    /// The time for which the secret before the newest one signs as well, for the receiver to change.
    public static let overlap = Duration.seconds(86_400)

    private let pool: PostgresPool
    private let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    /// What people set.
    public struct Settings: Hashable, Sendable {
        public var url: String
        public var description: String
        public var kinds: [Webhook.EventKind]
        public var isEnabled: Bool

        public init(url: String, description: String = "", kinds: [Webhook.EventKind], isEnabled: Bool = true) {
            self.url = url
            self.description = description
            self.kinds = kinds
            self.isEnabled = isEnabled
        }
    }

    /// Returns the secret too, as text. It can't be read again.
    public func create(_ settings: Settings, app: App.ID) async throws -> (webhook: WebhookRecord, secret: String) {
        try await pool.transaction { connection in
            // Of two requests at the same time, the second waits.
            let apps = try await connection.query("SELECT FROM apps WHERE id = \(app) FOR NO KEY UPDATE")
            guard !apps.isEmpty else { throw Refusal.notFound(.app) }
            let count: Int = try await connection.query("SELECT count(*) FROM webhooks WHERE app_id = \(app)")[0][0]
            guard count < Webhook.maximumCount else { throw Refusal.tooMany(.webhook, limit: Webhook.maximumCount) }
            let id: Webhook.ID = try await connection.query(
                """
                INSERT INTO webhooks (app_id, url, description, kinds, disabled_at)
                VALUES (\(app), \(settings.url), \(settings.description), \(settings.kinds.map(\.rawValue)),
                    CASE WHEN NOT \(settings.isEnabled) THEN now() END)
                RETURNING id
                """)[0][0]
            let secret = try await addSecret(to: id, app: app, version: 1, on: connection)
            return (try await find(id, app: app, on: connection), secret)
        }
    }

    /// Makes another secret. The one before signs as well for a day, and older ones are deleted.
    public func rotate(_ id: Webhook.ID, app: App.ID) async throws -> (webhook: WebhookRecord, secret: String) {
        try await pool.transaction { connection in
            let touched = try await connection.execute(
                "UPDATE webhooks SET version = version + 1, updated_at = now() WHERE app_id = \(app) AND id = \(id)")
            guard touched == 1 else { throw Refusal.notFound(.webhook) }
            let last: Int16 = try await connection.query(
                """
                SELECT max(version) FROM webhook_secrets WHERE app_id = \(app) AND webhook_id = \(id)
                """)[0][0]
            try await connection.execute(
                "DELETE FROM webhook_secrets WHERE app_id = \(app) AND webhook_id = \(id) AND version < \(last)")
            try await connection.execute(
                """
                UPDATE webhook_secrets SET expires_at = now() + \(Self.overlap.interval)
                WHERE app_id = \(app) AND webhook_id = \(id) AND version = \(last)
                """)
            let secret = try await addSecret(to: id, app: app, version: last + 1, on: connection)
            return (try await find(id, app: app, on: connection), secret)
        }
    }

    private func addSecret(
        to id: Webhook.ID, app: App.ID, version: Int16, on connection: PostgresConnection
    ) async throws -> String {
        let secret = try RandomBytes.make(count: Self.secretLength)
        let sealed = try sealingKeys.seal(secret, at: .webhookSecret(of: id, app: app, version: version))
        try await connection.execute(
            """
            INSERT INTO webhook_secrets (app_id, webhook_id, version, sealed)
            VALUES (\(app), \(id), \(version), \(sealed))
            """)
        return WebhookSecret(secret).text
    }

    /// Enabling a webhook that Belfry disabled lets it begin anew: what still waits is sent.
    public func update(
        _ id: Webhook.ID, app: App.ID, to settings: Settings, expectedVersion: Int? = nil
    ) async throws -> WebhookRecord {
        let changed = try await pool.execute(
            """
            UPDATE webhooks
            SET url = \(settings.url), description = \(settings.description),
                kinds = \(settings.kinds.map(\.rawValue)), version = version + 1, updated_at = now(),
                disabled_at = CASE WHEN NOT \(settings.isEnabled) THEN coalesce(disabled_at, now()) END,
                disabled_reason = CASE WHEN NOT \(settings.isEnabled) THEN disabled_reason END,
                failures = CASE WHEN disabled_at IS NULL AND url = \(settings.url) THEN failures ELSE 0 END,
                failing_since = CASE WHEN disabled_at IS NULL AND url = \(settings.url) THEN failing_since END
            WHERE app_id = \(app) AND id = \(id) AND \(isAt(expectedVersion))
            """)
        let webhook = try await find(id, app: app)
        if changed == 0 { try Refusal.checkVersion(webhook.version, expectedVersion) }
        return webhook
    }

    /// Newest first; `before` is the last id of the page before.
    public func list(app: App.ID, before: Webhook.ID? = nil, limit: Int) async throws -> [WebhookRecord] {
        try await pool.query(
            """
            SELECT \(WebhookRecord.columns) FROM webhooks w
            WHERE w.app_id = \(app) AND w.id < \(keysetBound(before))
            ORDER BY w.id DESC LIMIT \(limit)
            """
        ).map { try WebhookRecord($0) }
    }

    public func find(_ id: Webhook.ID, app: App.ID) async throws -> WebhookRecord {
        try await pool.withConnection { try await find(id, app: app, on: $0) }
    }

    private func find(_ id: Webhook.ID, app: App.ID, on connection: PostgresConnection) async throws -> WebhookRecord {
        let rows = try await connection.query(
            "SELECT \(WebhookRecord.columns) FROM webhooks w WHERE w.app_id = \(app) AND w.id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.webhook) }
        return try WebhookRecord(row)
    }

    /// Its deliveries go with it.
    public func delete(_ id: Webhook.ID, app: App.ID, expectedVersion: Int? = nil) async throws {
        let deleted = try await pool.execute(
            "DELETE FROM webhooks WHERE app_id = \(app) AND id = \(id) AND \(isAt(expectedVersion))")
        guard deleted == 0 else { return }
        try Refusal.checkVersion(try await find(id, app: app).version, expectedVersion)
    }
}
