public import Crypto
public import Postgres

/// What this database is: the one row of `instance`, and how far its schema is.
public struct InstanceStore: Sendable {
    private static let knownText = Array("belfry".utf8)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Ties the database to the key when it is new, and throws `SealingKeyError.wrongKey` when it is tied to another:
    /// to be called once at every start, before anything is sealed.
    public func verify(_ key: SealingKey) async throws {
        let check = try key.seal(Self.knownText, at: .instance)
        try await pool.execute(
            """
            INSERT INTO instance (sealing_check, system_identifier, timeline, database_oid)
            SELECT \(check), \(DatabaseIdentity.columns) ON CONFLICT DO NOTHING
            """)
        guard let row = try await pool.query("SELECT sealing_check FROM instance").first else {
            throw SealingKeyError.wrongKey
        }
        let sealed: [UInt8] = try row[0]
        do throws(CryptoError) {
            _ = try key.open(sealed, at: .instance)
        } catch {
            throw SealingKeyError.wrongKey
        }
    }

    /// Throws `CommitsAreNotDurable` where a crash of PostgreSQL may undo what it has confirmed: a session of our own sees
    /// to that by itself, a pooler's cannot.
    public func verifyCommitsAreDurable() async throws {
        let rows = try await pool.query(
            """
            SELECT quote_ident(current_database()), quote_ident(current_user)
            WHERE current_setting('synchronous_commit') = 'off'
            """)
        if let row = rows.first { throw CommitsAreNotDurable(database: try row[0], role: try row[1]) }
    }

    /// The number of the last migration that was applied.
    public func schemaVersion() async throws -> Int {
        let rows = try await pool.query("SELECT coalesce(max(number), 0) FROM schema_migrations")
        return try rows.first.map { row in try row[0] } ?? 0
    }
}

/// `synchronous_commit` is off. Who is declared in a COMMIT that a crash undoes is sent to twice, and nobody knows.
public struct CommitsAreNotDurable: Error, Equatable, CustomStringConvertible {
    /// Names as they stand in SQL.
    let database: String
    let role: String

    public var description: String {
        """
        PostgreSQL's synchronous_commit is off here, so that a crash could undo what was sent, and people would get it \
        twice. Set it to on for this database: ALTER DATABASE \(database) SET synchronous_commit = on (or ALTER ROLE \
        \(role) SET synchronous_commit = on, if the role has it off), and let the pooler connect anew.
        """
    }
}
