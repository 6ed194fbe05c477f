public import Campaigns
public import Crypto
import EventLoop
import JSON
public import Postgres

/// The queue of messages to webhooks, for the processes that send them: gathers events into deliveries, claims the ones
/// that are due, and records the answers.
///
/// A claim moves the time of the next attempt behind a lease. That time is also what fences the record of the answer: it
/// differs when another process has claimed the delivery, or a person has resent it, in the meantime.
public struct WebhookQueueStore: Sendable {
    /// Events that one statement gathers.
    public static let gatherStep = 10_000
    /// Deliveries of a webhook that one statement deletes.
    static let deleteStep = 1_000
    /// The time for which a process has a delivery; longer than an attempt.
    static let lease = Duration.seconds(60)
    static let maximumErrorLength = 500

    private let pool: PostgresPool
    private let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    // MARK: Gathering

    /// Turns events into deliveries to the webhooks that want them, and returns the number of events. Events of kinds
    /// with lists share a message, up to a number of items and bytes.
    public func gather() async throws -> Int {
        let lists = Webhook.EventKind.allCases.filter { $0.listName != nil }
        let rows = try await pool.query(
            """
            WITH taken AS MATERIALIZED (
                DELETE FROM webhook_events e
                USING (
                    SELECT app_id, id FROM webhook_events ORDER BY app_id, id LIMIT \(Self.gatherStep)
                    FOR UPDATE SKIP LOCKED
                ) AS o
                WHERE e.app_id = o.app_id AND e.id = o.id
                RETURNING e.app_id, e.id, e.happened_at, e.kind, e.data
            ), placed AS (
                SELECT t.*, l.name,
                    CASE WHEN l.name IS NULL THEN t.id
                        ELSE (row_number() OVER items - 1) / \(Webhook.Delivery.maximumItems)
                            + sum(octet_length(t.data::text)) OVER items / \(Webhook.Delivery.maximumBytes) END AS part
                FROM taken t
                LEFT JOIN unnest(\(lists.map(\.rawValue)), \(lists.compactMap(\.listName))) AS l (kind, name)
                    USING (kind)
                WINDOW items AS (PARTITION BY t.app_id, t.kind ORDER BY t.id)
            ), messages AS (
                SELECT app_id, kind, min(id) AS first,
                    jsonb_build_object(
                        'type', kind, 'timestamp', \(WebhookEvents.time("max(happened_at)")),
                        'data', CASE WHEN name IS NULL THEN jsonb_agg(data) -> 0
                            ELSE jsonb_build_object(name, jsonb_agg(data ORDER BY id)) END)::text AS body,
                    array_agg(DISTINCT (data ->> 'device_id')::bigint) FILTER (WHERE name IS NOT NULL) AS devices
                FROM placed GROUP BY app_id, kind, name, part
            ), queued AS (
                INSERT INTO webhook_deliveries (app_id, webhook_id, kind, body, device_ids)
                SELECT m.app_id, w.id, m.kind, m.body, m.devices
                FROM messages m
                JOIN webhooks w ON w.app_id = m.app_id AND w.disabled_at IS NULL AND m.kind = ANY (w.kinds)
                ORDER BY m.first
            )
            SELECT count(*) FROM taken
            """)
        return try rows[0][0]
    }

    /// A webhook that Belfry has disabled.
    public struct Disabled: Hashable, Sendable {
        public let app: App.ID
        public let webhook: Webhook.ID
        public let reason: String

        fileprivate init(_ row: PostgresRow) throws {
            (app, webhook, reason) = (try row[0], try row[1], try row[2])
        }
    }

    /// Disables webhooks for which too many deliveries wait.
    public func disableFull() async throws -> [Disabled] {
        try await pool.query(
            """
            UPDATE webhooks w
            SET disabled_at = now(), disabled_reason = \(Webhook.DisabledReason.full.rawValue),
                version = version + 1, updated_at = now()
            WHERE disabled_at IS NULL AND (
                SELECT count(*) FROM (
                    SELECT FROM webhook_deliveries d
                    WHERE d.app_id = w.app_id AND d.webhook_id = w.id AND d.next_attempt_at IS NOT NULL
                    LIMIT \(Webhook.maximumWaiting)
                ) AS waiting) >= \(Webhook.maximumWaiting)
            RETURNING w.app_id, w.id, w.disabled_reason
            """
        ).map { try Disabled($0) }
    }

    // MARK: Claiming

    /// A delivery that this process is to send.
    public struct Claim: Sendable {
        public let app: App.ID
        public let webhook: Webhook.ID
        public let id: Webhook.Delivery.ID
        /// The header webhook-id, the same for each attempt.
        public let headerID: String
        public let kind: String
        public let url: String
        public let body: String
        /// 1 for the first one.
        public let attempt: Int
        let leasedUntil: Timestamp
        /// Those that sign it, the newest first.
        public internal(set) var secrets: [WebhookSecret]
    }

    /// Claims due deliveries, at most `room`, and of a webhook at most `roomOfWebhook` with those that are `busy`
    /// already. A failing webhook gets one at a time.
    public func claim(busy: [Webhook.ID: Int], room: Int, roomOfWebhook: Int) async throws -> [Claim] {
        guard room > 0 else { return [] }
        let ids = busy.keys.map(\.rawValue)
        let rows = try await pool.query(
            """
            WITH due AS MATERIALIZED (
                SELECT d.*, w.url
                FROM webhooks w
                LEFT JOIN unnest(\(ids), \(busy.values.map { Int64($0) })) AS b (id, count) ON b.id = w.id
                CROSS JOIN LATERAL (
                    SELECT app_id, webhook_id, id FROM webhook_deliveries
                    WHERE app_id = w.app_id AND webhook_id = w.id AND next_attempt_at <= now()
                    ORDER BY next_attempt_at
                    LIMIT greatest(0, CASE WHEN w.failures >= \(Webhook.failingAfter) THEN 1
                        ELSE \(roomOfWebhook) END - coalesce(b.count, 0))
                    FOR UPDATE SKIP LOCKED
                ) AS d
                WHERE w.disabled_at IS NULL
                -- Those that work and have few now come first, so that no webhook waits for another.
                ORDER BY w.failures >= \(Webhook.failingAfter), coalesce(b.count, 0), random() LIMIT \(room)
            )
            UPDATE webhook_deliveries d
            SET attempts = attempts + 1, attempted_at = now(), next_attempt_at = now() + \(Self.lease.interval)
            FROM due
            WHERE d.app_id = due.app_id AND d.webhook_id = due.webhook_id AND d.id = due.id
            RETURNING d.app_id, d.webhook_id, d.id, d.message_id::text, d.kind, due.url, d.body, d.attempts::bigint,
                d.next_attempt_at
            """)
        guard !rows.isEmpty else { return [] }
        var claims = try rows.map { row in
            Claim(
                app: try row[0], webhook: try row[1], id: try row[2], headerID: try row[3], kind: try row[4],
                url: try row[5], body: try row[6], attempt: try row[7], leasedUntil: try row[8], secrets: [])
        }
        let secrets = try await secrets(of: Set(claims.map(\.webhook)))
        for index in claims.indices { claims[index].secrets = secrets[claims[index].webhook] ?? [] }
        return claims
    }

    private func secrets(of webhooks: Set<Webhook.ID>) async throws -> [Webhook.ID: [WebhookSecret]] {
        let rows = try await pool.query(
            """
            SELECT app_id, webhook_id, version, sealed FROM webhook_secrets
            WHERE webhook_id = ANY (\(webhooks.map(\.rawValue))) AND (expires_at IS NULL OR expires_at > now())
            ORDER BY version DESC
            """)
        var secrets: [Webhook.ID: [WebhookSecret]] = [:]
        for row in rows {
            let webhook: Webhook.ID = try row[1]
            let context = SealingContext.webhookSecret(of: webhook, app: try row[0], version: try row[2])
            secrets[webhook, default: []].append(WebhookSecret(try sealingKeys.open(try row[3], at: context)))
        }
        return secrets
    }

    // MARK: Answers

    /// What became of an attempt.
    public struct Attempt: Sendable {
        public enum Next: Hashable, Sendable {
            case delivered
            case retry(after: Duration)
            case givenUp
            /// Given up, and the receiver wants nothing more.
            case gone
        }

        let claim: Claim
        let status: Int?
        let error: String?
        public let next: Next

        public init(_ claim: Claim, status: Int?, error: String?, next: Next) {
            self.claim = claim
            self.status = status
            self.error = error.map { String($0.unicodeScalars.prefix(WebhookQueueStore.maximumErrorLength)) }
            self.next = next
        }

        fileprivate var pause: Double? { if case .retry(let pause) = next { pause.seconds } else { nil } }
    }

    /// Records attempts, and which webhooks fail. Returns the webhooks that are disabled because of them.
    public func record(_ attempts: [Attempt]) async throws -> [Disabled] {
        guard !attempts.isEmpty else { return [] }
        return try await pool.query(
            """
            WITH answers AS MATERIALIZED (
                SELECT * FROM unnest(
                    \(attempts.map(\.claim.app.rawValue)), \(attempts.map(\.claim.webhook.rawValue)),
                    \(attempts.map(\.claim.id.rawValue)), \(attempts.map(\.claim.leasedUntil)),
                    \(attempts.map { $0.status.map { Int16($0) } }), \(attempts.map(\.error)),
                    \(attempts.map { $0.next == .delivered }), \(attempts.map { $0.next == .gone }),
                    \(attempts.map(\.pause))
                ) AS a (app_id, webhook_id, id, leased_until, status, error, is_delivered, is_gone, pause)
            ), held AS MATERIALIZED (
                SELECT a.* FROM answers a
                JOIN webhook_deliveries d ON d.app_id = a.app_id AND d.webhook_id = a.webhook_id AND d.id = a.id
                    AND d.next_attempt_at = a.leased_until
                -- In the order of an erasure, which would deadlock with this.
                ORDER BY d.webhook_id, d.id FOR NO KEY UPDATE OF d
            ), recorded AS (
                UPDATE webhook_deliveries d
                SET status = h.status, error = h.error, delivered_at = CASE WHEN h.is_delivered THEN now() END,
                    next_attempt_at = now() + make_interval(secs => h.pause)
                FROM held h
                WHERE d.app_id = h.app_id AND d.webhook_id = h.webhook_id AND d.id = h.id
            ), summed AS (
                SELECT app_id, webhook_id, bool_or(is_delivered) AS has_succeeded, bool_or(is_gone) AS is_gone,
                    count(*)::integer AS count
                FROM answers GROUP BY app_id, webhook_id
            ), judged AS (
                SELECT w.app_id, w.id, s.has_succeeded, s.count,
                    CASE WHEN s.is_gone THEN \(Webhook.DisabledReason.gone.rawValue)
                        WHEN NOT s.has_succeeded AND w.failures >= \(Webhook.failingAfter)
                            AND w.failing_since < now() - \(Webhook.disabledAfter.interval)
                        THEN \(Webhook.DisabledReason.failing.rawValue) END AS reason
                FROM summed s JOIN webhooks w ON w.app_id = s.app_id AND w.id = s.webhook_id
                -- A receiver that works costs no write.
                WHERE w.disabled_at IS NULL AND (w.failures > 0 OR NOT s.has_succeeded OR s.is_gone)
                -- In order, because processes that record answers of the same webhooks would deadlock.
                ORDER BY w.app_id, w.id FOR NO KEY UPDATE OF w
            ), changed AS (
                UPDATE webhooks w
                SET failures = CASE WHEN j.has_succeeded THEN 0 ELSE w.failures + j.count END,
                    failing_since = CASE WHEN NOT j.has_succeeded THEN coalesce(w.failing_since, now()) END,
                    disabled_at = CASE WHEN j.reason IS NOT NULL THEN now() END, disabled_reason = j.reason,
                    version = w.version + CASE WHEN j.reason IS NULL THEN 0 ELSE 1 END,
                    updated_at = CASE WHEN j.reason IS NULL THEN w.updated_at ELSE now() END
                FROM judged j WHERE w.app_id = j.app_id AND w.id = j.id
                RETURNING w.app_id, w.id, w.disabled_reason
            )
            SELECT app_id, id, disabled_reason FROM changed WHERE disabled_reason IS NOT NULL
            """
        ).map { try Disabled($0) }
    }

    // MARK: Retention

    /// Deletes deliveries that are old or too many for the log, a step for each webhook. Returns their number. Texts of
    /// replies are kept no longer here than the app keeps them.
    public func deleteOld() async throws -> Int {
        try await pool.execute(
            """
            DELETE FROM webhook_deliveries d
            USING (
                SELECT o.* FROM webhooks w JOIN apps a ON a.id = w.app_id
                CROSS JOIN LATERAL (
                    SELECT app_id, webhook_id, id FROM webhook_deliveries
                    WHERE app_id = w.app_id AND webhook_id = w.id
                        AND (created_at < now() - make_interval(days => least(
                                \(Int32(Webhook.Delivery.days)),
                                CASE WHEN kind = \(Webhook.EventKind.repliesReceived) THEN a.reply_days::integer END))
                            OR next_attempt_at IS NULL AND id <= (
                                SELECT id FROM webhook_deliveries
                                WHERE app_id = w.app_id AND webhook_id = w.id AND next_attempt_at IS NULL
                                ORDER BY id DESC OFFSET \(Webhook.Delivery.maximumKept) LIMIT 1))
                    ORDER BY id LIMIT \(Self.deleteStep) FOR UPDATE SKIP LOCKED
                ) AS o
            ) AS o
            WHERE d.app_id = o.app_id AND d.webhook_id = o.webhook_id AND d.id = o.id
            """)
    }
}
