import Administration
public import Campaigns
import Crypto
public import Postgres

/// Stores addresses that work once, found by the hash of their token.
public struct SignInLinkStore: Sendable {
    public enum Purpose: String, Sendable {
        /// Creates the first admin.
        case setUp = "set_up"
        /// Lets a person choose a password.
        case password
        /// Signs a person in, without a password: for the demo, from the console.
        case signIn = "sign_in"
    }

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The token of a new link; it is stored nowhere. It replaces an older one of the same person and purpose. A link
    /// to create the first admin belongs to nobody. Throws `personIsDisabled` for somebody who could not use it.
    public func create(_ purpose: Purpose, for user: User.ID?, lifetime: Duration) async throws -> String {
        let token = Base64URL.encode(try RandomBytes.make(count: 32))
        try await mappingConstraintErrors {
            try await pool.joiningTransaction {
                // Of two at the same time, the second replaces the first.
                let rows = try await pool.query(
                    "SELECT disabled_at IS NOT NULL FROM users WHERE id = \(user) FOR NO KEY UPDATE")
                if let row = rows.first, try row[0, as: Bool.self] { throw Refusal.personIsDisabled }
                try await pool.execute(
                    """
                    DELETE FROM sign_in_links
                    WHERE user_id IS NOT DISTINCT FROM \(user) AND purpose = \(purpose.rawValue)
                    """)
                try await pool.execute(
                    """
                    INSERT INTO sign_in_links (hash, user_id, expires_at, purpose)
                    VALUES (\(SHA256.hash(token.utf8)), \(user), now() + \(lifetime.interval), \(purpose.rawValue))
                    """)
            }
        }
        return token
    }

    /// True if the token can be redeemed. It remains valid.
    public func isValid(_ token: String, for purpose: Purpose) async throws -> Bool {
        try await !pool.query("SELECT FROM sign_in_links WHERE \(Self.matches(token, purpose))").isEmpty
    }

    /// Uses the link up; inside a transaction that fails, it remains. Returns its person, who is nil for a link that
    /// creates the first admin. Throws `linkIsInvalid` for an unknown, used or expired one, and for a disabled person.
    public func redeem(_ token: String, for purpose: Purpose) async throws -> User.ID? {
        let rows = try await pool.query(
            """
            DELETE FROM sign_in_links l WHERE \(Self.matches(token, purpose)) AND NOT EXISTS (
                SELECT FROM users u WHERE u.id = l.user_id AND u.disabled_at IS NOT NULL)
            RETURNING user_id
            """)
        guard let row = rows.first else { throw Refusal.linkIsInvalid }
        return try row[0]
    }

    /// Deletes expired links, and those that create the first admin once there is somebody.
    public func clean() async throws(PostgresError) {
        try await pool.execute(
            """
            DELETE FROM sign_in_links
            WHERE expires_at < now() OR (purpose = 'set_up' AND EXISTS (SELECT FROM users))
            """)
    }

    private static func matches(_ token: String, _ purpose: Purpose) -> PostgresQuery {
        "hash = \(SHA256.hash(token.utf8)) AND purpose = \(purpose.rawValue) AND expires_at > now()"
    }
}
