import Crypto
public import Postgres

/// What this database is: the one row of `instance`.
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
        try await pool.execute("INSERT INTO instance (sealing_check) VALUES (\(check)) ON CONFLICT DO NOTHING")
        let rows = try await pool.query("SELECT sealing_check FROM instance")
        guard let row = rows.first else { throw SealingKeyError.wrongKey }
        do throws(CryptoError) {
            _ = try key.open(try row[0, as: [UInt8].self], at: .instance)
        } catch {
            throw SealingKeyError.wrongKey
        }
    }
}
