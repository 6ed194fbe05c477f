public import Campaigns
public import Crypto
public import EventLoop
import Logging
import Notifications
public import Postgres
public import Store
import TestSupport

/// A separate database and its stores.
public struct StoreFixture: Sendable {
    public let configuration: PostgresConfiguration
    public let loop: EventLoop
    public let stores: Stores

    public var pool: PostgresPool { stores.pool }
    public var sealingKeys: SealingKeyRing { stores.sealingKeys }
    public var apps: AppStore { stores.apps }
    public var credentials: CredentialStore { stores.credentials }
    public var keys: APIKeyStore { stores.apiKeys }
    public var campaigns: CampaignStore { stores.campaigns }
    public var runs: RunStore { stores.runs }
    public var categories: CategoryStore { stores.categories }
    public var plans: LocalPlanStore { stores.localPlans }

    public static func run(_ body: (StoreFixture) async throws -> Void) async throws {
        try await TestDatabase.withDatabase { configuration in
            try await TestLoop.run { loop in
                let pool = PostgresPool(configuration, on: loop, logger: Logger(label: "test"))
                let sealingKeys = try SealingKeyRing(text: Hex.encode(RandomBytes.make(count: AESGCM.keyLength)))
                let stores = Stores(pool: pool, sealingKeys: sealingKeys)
                try await body(StoreFixture(configuration: configuration, loop: loop, stores: stores))
                await pool.close()
            }
        }
    }

    public func app(_ bundleID: String = "com.example.Shop") async throws -> AppRecord {
        try await apps.create(AppSettings(name: "Shop", bundleID: BundleID(bundleID)))
    }

    public func campaign(of app: AppRecord, state: CampaignState = .draft) async throws -> CampaignRecord {
        let campaign = try await campaigns.create(
            app: app.id, CampaignContent(name: "Sale", payload: #"{"aps":{"alert":"Hello"}}"#))
        guard state != .draft else { return campaign }
        try await pool.execute(
            """
            UPDATE campaigns
            SET state = \(state), next_check_at = now() + interval '1 day', handled_until = now(),
                schedule = '{"kind": "at", "at": "2099-01-01T00:00:00Z"}'
            WHERE id = \(campaign.id)
            """)
        return try await campaigns.find(campaign.id, app: app.id)
    }

    public func run(of campaign: CampaignRecord, state: RunRecord.State = .sending) async throws -> Run.ID {
        try await pool.withConnection { try await run(of: campaign, state: state, on: $0) }
    }

    public func run(
        of campaign: CampaignRecord, state: RunRecord.State = .sending, on connection: PostgresConnection
    ) async throws -> Run.ID {
        let rows = try await connection.query(
            """
            WITH run AS (
            INSERT INTO runs (app_id, campaign_id, expires_at, device_ceiling, estimated, expiration_seconds,
                message_key_version, priority, push_type, unknown_policy, audience,
                message_id_key, default_locale, default_time_zone, attachment_url_key, state, finished_at)
            VALUES (\(campaign.app), \(campaign.id), now() + interval '1 day', 1000, 10, 86400, 1, 10,
                'alert', 'resend', '{}', 'i', 'en', 'UTC', 'attachment-url', \(state),
                CASE WHEN \(state) = 'finished' THEN now() END)
            RETURNING app_id, id
            )
            INSERT INTO run_variants (app_id, run_id, variant, name, payload) SELECT app_id, id, 0, 'A', '{}' FROM run
            RETURNING run_id
            """)
        return try rows[0][0]
    }

    public func key(_ run: Run.ID) async throws -> Run.Key {
        Run.Key(app: try await pool.query("SELECT app_id FROM runs WHERE id = \(run)")[0][0], id: run)
    }

    /// Inserts a batch with recipients numbered from `first` and these outcome bytes. Unless they were deferred, they
    /// count as planned.
    @discardableResult
    public func batch(
        of run: Run.ID, app: App.ID, first: Int64 = 1, outcomes: [UInt8], deferredFrom: Int64? = nil
    ) async throws -> Int64 {
        let recipients = (0..<Int64(outcomes.count)).map { first + $0 }
        func count(_ codes: ClosedRange<UInt8>) -> Int { outcomes.filter { codes ~= $0 & 0x7f }.count }
        let rows = try await pool.query(
            """
            INSERT INTO batches (run_id, app_id, first_id, last_id, deferred_from, size, pending, accepted, deferred,
                expired, cancelled, unknown, suppressed, rejected, resent, environment, outcomes, recipients, state)
            VALUES (\(run), \(app), \(first), \(first + Int64(outcomes.count) - 1), \(deferredFrom), \(outcomes.count),
                \(count(0...0)), \(count(1...1)), \(count(2...2)), \(count(3...3)), \(count(4...4)), \(count(5...9)),
                \(count(10...19)), \(count(20...127)), \(outcomes.filter { $0 >= 128 }.count), 0,
                \(outcomes), \(recipients), CASE WHEN \(count(0...0)) = 0 THEN 'done' ELSE 'ready' END)
            RETURNING id
            """)
        if deferredFrom == nil {
            try await pool.execute(
                "UPDATE runs SET planned_total = planned_total + \(outcomes.count) WHERE id = \(run)")
        }
        return try rows[0][0]
    }

    /// For replies that a test has inserted into `events` itself.
    public func rememberReplies() async throws {
        try await pool.execute(
            """
            INSERT INTO device_replies (app_id, device_id, message_number)
            SELECT DISTINCT app_id, device_id, message_number FROM events WHERE text IS NOT NULL
            ON CONFLICT DO NOTHING
            """)
    }

    /// Waits until a transaction of this database waits for a row lock.
    public func untilSomeoneWaitsForALock() async throws {
        while true {
            let rows = try await pool.query(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)
            if try rows[0][0, as: Int.self] > 0 { return }
        }
    }
}
