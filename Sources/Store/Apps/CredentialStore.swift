public import Campaigns
public import Crypto
public import Notifications
public import Postgres

/// One of Apple's token signing keys, without the key.
public struct Credential: Hashable, Sendable {
    public typealias ID = Identifier<Credential>

    public let id: ID
    public let app: App.ID
    public let keyID: KeyID
    public let teamID: TeamID
    /// The environments of Apple that it is valid for; not empty.
    public let environments: Set<PushEnvironment>
    public let createdAt: Timestamp
}

/// Stores the .p8 signing keys of apps, sealed.
public struct CredentialStore: Sendable {
    private let pool: PostgresPool
    private let sealingKeys: SealingKeyRing

    public init(pool: PostgresPool, sealingKeys: SealingKeyRing) {
        self.pool = pool
        self.sealingKeys = sealingKeys
    }

    /// Stores a key, sealed. Throws `Refusal.keyIDTaken` if the app has one with this key id.
    public func create(
        app: App.ID, keyID: KeyID, teamID: TeamID, key: SigningKey, environments: Set<PushEnvironment>
    ) async throws -> Credential {
        let sealed = try sealingKeys.seal(Array(key.pem.utf8), at: .credential(of: app, key: keyID))
        let rows = try await mappingConstraintErrors {
            try await pool.query(
                """
                INSERT INTO credentials (app_id, production, development, key_id, team_id, sealed_key)
                VALUES (\(app), \(environments.contains(.production)), \(environments.contains(.development)),
                    \(keyID.text), \(teamID.text), \(sealed))
                RETURNING \(Credential.columns)
                """)
        }
        guard let row = rows.first else { throw Refusal.notFound(.app) }
        return try Credential(row)
    }

    /// Newest first; `before` is the last id of the page before.
    public func list(app: App.ID, before: Credential.ID?, limit: Int) async throws -> [Credential] {
        let rows = try await pool.query(
            """
            SELECT \(Credential.columns) FROM credentials
            WHERE app_id = \(app) AND id < \(keysetBound(before))
            ORDER BY id DESC LIMIT \(limit)
            """)
        return try rows.map { try Credential($0) }
    }

    public func find(_ id: Credential.ID, app: App.ID) async throws -> Credential {
        let rows = try await pool.query(
            "SELECT \(Credential.columns) FROM credentials WHERE app_id = \(app) AND id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.credential) }
        return try Credential(row)
    }

    public func delete(_ id: Credential.ID, app: App.ID) async throws {
        // Nobody uses the provider tokens of the last one any more.
        let deleted = try await pool.execute(
            """
            WITH deleted AS (
                DELETE FROM credentials WHERE app_id = \(app) AND id = \(id) RETURNING team_id, key_id
            ), token AS (
                DELETE FROM provider_tokens t USING deleted g
                WHERE t.team_id = g.team_id AND t.key_id = g.key_id
                    AND NOT EXISTS (SELECT FROM credentials c
                        WHERE c.team_id = g.team_id AND c.key_id = g.key_id AND c.id <> \(id))
            )
            SELECT FROM deleted
            """)
        guard deleted == 1 else { throw Refusal.notFound(.credential) }
    }

    /// The environments that the app has a key for.
    public func environments(of app: App.ID) async throws -> Set<PushEnvironment> {
        let rows = try await pool.query(
            "SELECT bool_or(production), bool_or(development) FROM credentials WHERE app_id = \(app)")
        guard let row = rows.first else { return [] }
        var environments: Set<PushEnvironment> = []
        if try row[0, as: Bool?.self] ?? false { environments.insert(.production) }
        if try row[1, as: Bool?.self] ?? false { environments.insert(.development) }
        return environments
    }

    /// A key as it is stored, with the app that it is for.
    public struct Stored: Sendable {
        public let credential: Credential
        public let bundleID: BundleID
        /// Nil if the sealing keys don't open it.
        public let key: SigningKey?
    }

    /// The keys of all apps, newest first.
    public func stored(limit: Int) async throws -> [Stored] {
        let rows = try await pool.query(
            """
            SELECT c.*, a.bundle_id FROM credentials c JOIN apps a ON a.id = c.app_id ORDER BY c.id DESC LIMIT \(limit)
            """)
        return try rows.map { row in
            let credential = try Credential(row)
            let sealed: [UInt8] = try row["sealed_key"]
            let pem = try? sealingKeys.open(sealed, at: .credential(of: credential.app, key: credential.keyID))
            return Stored(
                credential: credential, bundleID: try BundleID(row["bundle_id"]),
                key: try pem.map { try SigningKey(pem: String(decoding: $0, as: UTF8.self)) })
        }
    }

    /// The newest key of the app for an environment, unsealed; nil when there is none.
    public func signingKey(
        app: App.ID, environment: PushEnvironment
    ) async throws -> (credential: Credential, key: SigningKey)? {
        let rows = try await pool.query(
            """
            SELECT \(Credential.columns), sealed_key FROM credentials
            WHERE app_id = \(app)
                AND CASE WHEN \(environment == .production) THEN production ELSE development END
            ORDER BY id DESC LIMIT 1
            """)
        guard let row = rows.first else { return nil }
        let credential = try Credential(row)
        let sealed: [UInt8] = try row["sealed_key"]
        let pem = try sealingKeys.open(sealed, at: .credential(of: app, key: credential.keyID))
        return (credential, try SigningKey(pem: String(decoding: pem, as: UTF8.self)))
    }
}

extension Credential {
    static let columns: PostgresQuery = "id, app_id, key_id, team_id, production, development, created_at"

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        app = try row["app_id"]
        keyID = try KeyID(row["key_id"])
        teamID = try TeamID(row["team_id"])
        var environments: Set<PushEnvironment> = []
        if try row["production"] { environments.insert(.production) }
        if try row["development"] { environments.insert(.development) }
        self.environments = environments
        createdAt = try row["created_at"]
    }
}
