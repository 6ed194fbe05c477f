public import Campaigns
public import Crypto
public import Postgres

/// The secrets with which an app's server signs the IDs of its users.
public struct IdentityKeyStore: Sendable {
    /// Bytes.
    static let secretLength = 32
    /// Keys of an app that are valid at a time: with two, the server can change from one to the other.
    static let validKeys: Int16 = 2

    private let pool: PostgresPool
    private let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    public struct NewKey: Sendable {
        public let version: Int16
        public let createdAt: Timestamp
        /// The key of the HMAC is this text as it is. It can't be read again.
        public let secret: String
    }

    /// Makes a key. The one before remains valid, and older ones are deleted.
    public func create(app: App.ID) async throws -> NewKey {
        let secret = Base64URL.encode(try RandomBytes.make(count: Self.secretLength))
        return try await pool.transaction { connection in
            // Of two requests at the same time, the second waits.
            let apps = try await connection.query("SELECT FROM apps WHERE id = \(app) FOR NO KEY UPDATE")
            guard !apps.isEmpty else { throw Refusal.notFound(.app) }
            let last: Int16 = try await connection.query(
                "SELECT coalesce(max(version), 0)::smallint FROM identity_keys WHERE app_id = \(app)")[0][0]
            let version = last + 1
            let sealed = try sealingKeys.seal(Array(secret.utf8), at: .identityKey(of: app, version: version))
            try await connection.execute(
                "DELETE FROM identity_keys WHERE app_id = \(app) AND version <= \(version - Self.validKeys)")
            let rows = try await connection.query(
                """
                INSERT INTO identity_keys (app_id, version, sealed) VALUES (\(app), \(version), \(sealed))
                RETURNING created_at
                """)
            return NewKey(version: version, createdAt: try rows[0][0], secret: secret)
        }
    }

    /// The app's requirements for registrations; nil when there is no such app.
    public func rules(of app: App.ID) async throws -> RegistrationRules? {
        let rows = try await pool.query(
            """
            SELECT a.identity_verification, k.version, k.sealed, a.new_installations_per_minute
            FROM apps a LEFT JOIN identity_keys k ON k.app_id = a.id
            WHERE a.id = \(app)
            """)
        guard let first = rows.first else { return nil }
        var keys: [HMACKey] = []
        for row in rows {
            guard let version: Int16 = try row[1] else { continue }
            keys.append(HMACKey(try sealingKeys.open(try row[2], at: .identityKey(of: app, version: version))))
        }
        return RegistrationRules(
            verifiesIdentity: try first[0], identityKeys: keys, newInstallationsPerMinute: try first[3])
    }
}
