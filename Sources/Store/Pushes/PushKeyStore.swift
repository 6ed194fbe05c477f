public import Campaigns
public import Postgres

/// Stores the receipts of transactional push requests by idempotency key.
public struct PushKeyStore: Sendable {
    /// The minimum retention of a key, in hours.
    public static let retentionHours: Int32 = 24
    /// Keys deleted by one cleanup step at most.
    static let cleanupBatchSize = 5_000
    /// Violated by a second insert of a key.
    public static let constraint = "push_keys_pkey"

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public struct Found: Sendable {
        public let app: App.ID
        public let key: IdempotencyKey.Name
        public let bodyHash: [UInt8]
        public let receipt: PushReceipt

        /// The response to a request that repeats the key.
        public func answer(to key: IdempotencyKey) -> PushSubmission {
            key.bodyHash == bodyHash ? .alreadyAccepted(receipt) : .keyInUse
        }
    }

    public func find(_ key: IdempotencyKey, app: App.ID) async throws(PostgresError) -> Found? {
        try await find([(app, key.name)]).first
    }

    public func find(_ keys: [(app: App.ID, key: IdempotencyKey.Name)]) async throws(PostgresError) -> [Found] {
        let rows = try await pool.query(
            """
            SELECT k.app_id, k.owner, k.key, k.body_hash, k.receipt
            FROM unnest(
                \(keys.map(\.app.rawValue)), \(keys.map(\.key.owner.text)), \(keys.map(\.key.text))
            ) AS n (app_id, owner, key)
            JOIN push_keys k ON k.app_id = n.app_id AND k.owner = n.owner AND k.key = n.key
            """)
        var found: [Found] = []
        for row in rows {
            guard let receipt = PushReceipt(bytes: try row[4]) else { continue }
            let name = IdempotencyKey.Name(owner: .init(text: try row[1]), text: try row[2])
            found.append(Found(app: try row[0], key: name, bodyHash: try row[3], receipt: receipt))
        }
        return found
    }

    /// Deletes a batch of keys past the retention time, the oldest first. False when there is no more to do.
    public func clean() async throws(PostgresError) -> Bool {
        let removed = try await pool.execute(
            """
            DELETE FROM push_keys k
            USING (
                SELECT app_id, owner, key FROM push_keys
                WHERE created_at < now() - make_interval(hours => \(Self.retentionHours))
                ORDER BY created_at LIMIT \(Self.cleanupBatchSize) FOR UPDATE SKIP LOCKED
            ) AS old
            WHERE k.app_id = old.app_id AND k.owner = old.owner AND k.key = old.key
            """)
        return removed == Self.cleanupBatchSize
    }
}
