public import Campaigns
public import Postgres

/// Stores sessions. A session's token is in the browser's cookie only; it is found by its hash.
public struct SessionStore: Sendable {
    /// Characters.
    public static let maximumUserAgentLength = 300
    /// Open sessions of one person; a further sign-in ends the one that was not used for the longest time.
    static let maximumPerUser = 50
    /// Rows that one cleanup statement deletes.
    static let cleanupBatchSize = 1_000

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func create(
        _ hash: [UInt8], of user: User.ID, address: String, userAgent: String, lifetime: Duration
    ) async throws -> SignedInUser {
        try await pool.joiningTransaction {
            try await pool.execute(
                """
                INSERT INTO sessions (user_id, expires_at, address, user_agent, hash)
                VALUES (\(user), now() + \(lifetime.interval), \(address),
                    \(String(userAgent.prefix(Self.maximumUserAgentLength))), \(hash))
                """)
            try await pool.execute(
                """
                UPDATE sessions SET ended_at = now() WHERE user_id = \(user) AND ended_at IS NULL AND id IN (
                    SELECT id FROM sessions WHERE user_id = \(user) AND ended_at IS NULL
                    ORDER BY last_used_at DESC, id DESC OFFSET \(Self.maximumPerUser))
                """)
            guard let signedIn = try await find(hash: hash, idleLimit: lifetime) else { throw Refusal.notFound(.user) }
            return signedIn
        }
    }

    /// The session with this hash and its person; nil if it was ended, has expired, or was not used for `idleLimit`,
    /// and if the person is disabled.
    public func find(hash: [UInt8], idleLimit: Duration) async throws -> SignedInUser? {
        let rows = try await pool.query(
            """
            SELECT \(SessionRecord.columns), \(UserRecord.columns)
            FROM sessions s JOIN users u ON u.id = s.user_id
            WHERE s.hash = \(hash) AND \(Self.isOpen(idleLimit)) AND u.disabled_at IS NULL
            """)
        return try rows.first.map { SignedInUser(session: try SessionRecord($0), user: try UserRecord($0)) }
    }

    /// Notes that the session is in use.
    public func touch(_ id: Session.ID) async throws {
        try await pool.execute("UPDATE sessions SET last_used_at = now() WHERE id = \(id) AND ended_at IS NULL")
    }

    /// A person's open sessions, newest first; `before` is the last id of the page before.
    public func list(
        of user: User.ID, idleLimit: Duration, before: Session.ID?, limit: Int
    ) async throws -> [SessionRecord] {
        let rows = try await pool.query(
            """
            SELECT \(SessionRecord.columns) FROM sessions s
            WHERE s.user_id = \(user) AND \(Self.isOpen(idleLimit)) AND s.id < \(keysetBound(before))
            ORDER BY s.id DESC LIMIT \(limit)
            """)
        return try rows.map { try SessionRecord($0) }
    }

    /// Ends a session of the person. Ending it again changes nothing.
    public func end(_ id: Session.ID, of user: User.ID) async throws {
        let ended = try await pool.execute(
            """
            UPDATE sessions SET ended_at = coalesce(ended_at, now()) WHERE id = \(id) AND user_id = \(user)
            """)
        guard ended == 1 else { throw Refusal.notFound(.session) }
    }

    public func endAll(of user: User.ID, keeping session: Session.ID?) async throws {
        try await pool.execute(Self.ending(of: user, keeping: session))
    }

    static func ending(of user: User.ID, keeping session: Session.ID? = nil) -> PostgresQuery {
        """
        UPDATE sessions SET ended_at = now()
        WHERE user_id = \(user) AND ended_at IS NULL AND id IS DISTINCT FROM \(session)
        """
    }

    /// Deletes a batch of sessions that ended a month ago. False when there is no more to do.
    public func clean() async throws(PostgresError) -> Bool {
        let removed = try await pool.execute(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE expires_at < now() - interval '30 days'
                ORDER BY expires_at LIMIT \(Self.cleanupBatchSize) FOR UPDATE SKIP LOCKED)
            """)
        return removed == Self.cleanupBatchSize
    }

    private static func isOpen(_ idleLimit: Duration) -> PostgresQuery {
        "s.ended_at IS NULL AND s.expires_at > now() AND s.last_used_at > now() - \(idleLimit.interval)"
    }
}
