import Crypto
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

    /// The number of the last migration that was applied.
    public func schemaVersion() async throws -> Int {
        let rows = try await pool.query("SELECT coalesce(max(number), 0) FROM schema_migrations")
        return try rows.first.map { row in try row[0] } ?? 0
    }
}
