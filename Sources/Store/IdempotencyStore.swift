public import Campaigns
public import Crypto
public import Postgres

/// Carries out a request once, however often it is repeated under its key.
public struct IdempotencyStore: Sendable {
    /// Hours that an answer is kept.
    public static let retentionHours: Int32 = 24
    /// Rows that one cleanup statement deletes.
    static let cleanupBatchSize = 1_000
    /// The time that a repeated request waits for the first.
    static let maximumWait = Duration.seconds(20)

    private let pool: PostgresPool
    private let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    /// The answer to a request, as it is sent again.
    public struct Answer: Equatable, Sendable {
        public let status: Int
        public let etag: String?
        public let location: String?
        public let body: [UInt8]
        /// The permissions that the sender of the first request had then.
        public let permissions: [String]

        public init(status: Int, etag: String?, location: String?, body: [UInt8], permissions: [String] = []) {
            self.status = status
            self.etag = etag
            self.location = location
            self.body = body
            self.permissions = permissions
        }
    }

    /// Runs `body` and stores the answer that it returns in the same transaction, or returns the answer that the key
    /// has. While another request with the key runs, it waits. If `body` throws, nothing is stored, and the key can be
    /// used again. Throws `idempotencyKeyInUse` if its owner used the key for another request.
    public func once(
        _ key: IdempotencyKey, app: App.ID?, body: () async throws -> Answer
    ) async throws -> Answer {
        let app = app?.rawValue ?? 0
        do {
            return try await pool.joiningTransaction {
                // The second of two equal keys waits here until the first transaction ends.
                let claimed = try await pool.query(
                    """
                    INSERT INTO idempotency_keys (app_id, owner, key, request_hash, status)
                    VALUES (\(app), \(key.owner.text), \(key.text), \(key.bodyHash), 200)
                    ON CONFLICT DO NOTHING RETURNING true
                    """, deadline: Self.maximumWait)
                guard claimed.isEmpty else { return try await store(try await body(), key, app) }
                return try await read(key, app)
            }
        } catch let error as PostgresError where error.kind == .deadline {
            throw Refusal.idempotentRequestInProgress
        }
    }

    private func store(_ answer: Answer, _ key: IdempotencyKey, _ app: Int64) async throws -> Answer {
        let sealed = try sealingKeys.seal(answer.body, at: .answer(in: app, to: key))
        try await pool.execute(
            """
            UPDATE idempotency_keys
            SET status = \(Int16(answer.status)), etag = \(answer.etag), location = \(answer.location),
                sealed_body = \(sealed), permissions = \(answer.permissions)
            WHERE app_id = \(app) AND owner = \(key.owner.text) AND key = \(key.text)
            """)
        return answer
    }

    private func read(_ key: IdempotencyKey, _ app: Int64) async throws -> Answer {
        let rows = try await pool.query(
            """
            SELECT request_hash, status, etag, location, sealed_body, permissions FROM idempotency_keys
            WHERE app_id = \(app) AND owner = \(key.owner.text) AND key = \(key.text)
            """)
        // Deleted meanwhile: the first request was a day ago.
        guard let row = rows.first else { throw Refusal.idempotentRequestInProgress }
        guard try row["request_hash", as: [UInt8].self] == key.bodyHash else { throw Refusal.idempotencyKeyInUse }
        let status: Int16 = try row["status"]
        let body = try sealingKeys.open(try row["sealed_body"], at: .answer(in: app, to: key))
        return Answer(
            status: Int(status), etag: try row["etag"], location: try row["location"], body: body,
            permissions: try row["permissions"])
    }

    /// Deletes a batch of keys past the retention time, the oldest first. False when there is no more to do.
    public func clean() async throws(PostgresError) -> Bool {
        let removed = try await pool.execute(
            """
            DELETE FROM idempotency_keys k
            USING (
                SELECT app_id, owner, key FROM idempotency_keys
                WHERE created_at < now() - make_interval(hours => \(Self.retentionHours))
                ORDER BY created_at LIMIT \(Self.cleanupBatchSize) FOR UPDATE SKIP LOCKED
            ) AS old
            WHERE k.app_id = old.app_id AND k.owner = old.owner AND k.key = old.key
            """)
        return removed == Self.cleanupBatchSize
    }
}
