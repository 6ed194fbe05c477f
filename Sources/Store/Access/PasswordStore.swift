public import Administration
public import Campaigns
public import Postgres

/// The hashes of people's passwords, and the networks from which they have signed in.
public struct PasswordStore: Sendable {
    /// Networks that are remembered for one person.
    static let maximumKnownNetworks = 50

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The stored values that an attempt to sign in is checked against.
    public struct Entry: Sendable {
        public let user: User.ID
        /// scrypt, as a PHC string; nil until a password was chosen, and for a disabled person.
        public let hash: String?
        /// True if the person has signed in from the network before, or in the browser whose session was given.
        public let isKnown: Bool
    }

    /// Nil when there is no such person. `session` is the hash of a session's cookie, which may have ended.
    public func entry(_ email: EmailAddress, network: String, session: [UInt8]?) async throws -> Entry? {
        let rows = try await pool.query(
            """
            SELECT u.id, CASE WHEN u.disabled_at IS NULL THEN u.password_hash END AS hash,
                EXISTS (SELECT FROM known_networks a WHERE a.user_id = u.id AND a.network = \(network))
                OR EXISTS (SELECT FROM sessions s WHERE s.user_id = u.id AND s.hash = \(session)) AS known
            FROM users u WHERE u.email = \(email.text)
            """)
        guard let row = rows.first else { return nil }
        return Entry(user: try row["id"], hash: try row["hash"], isKnown: try row["known"])
    }

    public func hash(of user: User.ID) async throws -> String? {
        let rows = try await pool.query("SELECT password_hash FROM users WHERE id = \(user) AND disabled_at IS NULL")
        return try rows.first?[0]
    }

    /// Sets the password and ends all sessions of the person except one.
    public func set(_ hash: String, of user: User.ID, keeping session: Session.ID? = nil) async throws {
        try await pool.joiningTransaction {
            let changed = try await pool.execute(
                """
                UPDATE users SET password_hash = \(hash), updated_at = now(), version = version + 1 WHERE id = \(user)
                """)
            guard changed == 1 else { throw Refusal.notFound(.user) }
            try await pool.execute(SessionStore.ending(of: user, keeping: session))
            try await pool.execute("DELETE FROM sign_in_links WHERE user_id = \(user)")
        }
    }

    /// Remembers where the person signed in, so that wrong passwords from elsewhere don't keep them out.
    public func remember(_ network: String, of user: User.ID) async throws {
        try await pool.execute(
            """
            INSERT INTO known_networks (user_id, network) VALUES (\(user), \(network))
            ON CONFLICT (user_id, network) DO UPDATE SET last_used_at = now()
            """)
        try await pool.execute(
            """
            DELETE FROM known_networks WHERE user_id = \(user) AND network NOT IN (
                SELECT network FROM known_networks WHERE user_id = \(user)
                ORDER BY last_used_at DESC LIMIT \(Self.maximumKnownNetworks))
            """)
    }
}
