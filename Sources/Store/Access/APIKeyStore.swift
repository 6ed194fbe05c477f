public import Campaigns
import Crypto
import EventLoop
public import Postgres

/// Stores API keys. A key is shown once, when it is created, and found by its hash.
public struct APIKeyStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Creates a key; its text is returned and stored nowhere. Without an app, it is an administrator's secret key.
    public func create(
        app: App.ID?, kind: APIKey.Kind, name: String, scopes: Set<Permission>, expiresAt: Timestamp? = nil
    ) async throws -> (key: APIKey, text: String) {
        let text = try APIKeyText.make(kind)
        let key = try await mappingConstraintErrors {
            try await pool.query(
                """
                INSERT INTO api_keys (app_id, kind, name, prefix, scopes, hash, expires_at)
                VALUES (\(app), \(kind), \(name), \(APIKeyText.shownPrefix(of: text)),
                    \(scopes.map(\.rawValue).sorted()), \(SHA256.hash(text.utf8)), \(expiresAt))
                RETURNING \(APIKey.columns)
                """)
        }
        guard let row = key.first else { throw Refusal.notFound(.app) }
        return (try APIKey(row), text)
    }

    /// The key with this hash, unless it was revoked or has expired.
    public func find(hash: [UInt8]) async throws -> APIKey? {
        let rows = try await pool.query(
            """
            SELECT \(APIKey.columns) FROM api_keys
            WHERE hash = \(hash) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
            """)
        return try rows.first.map { try APIKey($0) }
    }

    /// The keys of an app, or without one those of administrators, newest first; `before` is the last id of the page
    /// before.
    public func list(app: App.ID?, before: APIKey.ID?, limit: Int) async throws -> [APIKey] {
        let rows = try await pool.query(
            """
            SELECT \(APIKey.columns) FROM api_keys
            WHERE app_id IS NOT DISTINCT FROM \(app) AND id < \(keysetBound(before))
            ORDER BY id DESC LIMIT \(limit)
            """)
        return try rows.map { try APIKey($0) }
    }

    /// The keys of all apps and of administrators, newest first.
    public func all() async throws -> [APIKey] {
        try await pool.query("SELECT \(APIKey.columns) FROM api_keys ORDER BY id DESC").map { try APIKey($0) }
    }

    public func find(_ id: APIKey.ID, app: App.ID?) async throws -> APIKey {
        let rows = try await pool.query(
            "SELECT \(APIKey.columns) FROM api_keys WHERE app_id IS NOT DISTINCT FROM \(app) AND id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.key) }
        return try APIKey(row)
    }

    /// Revokes the key. Revoking it again does not change the time.
    public func revoke(_ id: APIKey.ID, app: App.ID?) async throws {
        let revoked = try await pool.execute(
            """
            UPDATE api_keys SET revoked_at = coalesce(revoked_at, now())
            WHERE app_id IS NOT DISTINCT FROM \(app) AND id = \(id)
            """)
        guard revoked == 1 else { throw Refusal.notFound(.key) }
    }

    /// Revokes any key, also an administrator's. Other processes notice within seconds.
    public func revoke(_ id: APIKey.ID) async throws -> APIKey {
        let rows = try await pool.query(
            """
            UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = \(id) RETURNING \(APIKey.columns)
            """)
        guard let row = rows.first else { throw Refusal.notFound(.key) }
        return try APIKey(row)
    }
}

extension APIKey {
    static let columns: PostgresQuery =
        "id, app_id, kind, name, scopes, prefix, created_at, revoked_at, expires_at"

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row["id"]
        app = try row["app_id"]
        kind = try row["kind"]
        name = try row["name"]
        // Scopes of a newer version of Belfry are ignored.
        scopes = Set(try row["scopes", as: [String].self].compactMap(Permission.init(rawValue:)))
        prefix = try row["prefix"]
        createdAt = try row["created_at"]
        revokedAt = try row["revoked_at"]
        expiresAt = try row["expires_at"]
    }
}

extension APIKey.Kind: PostgresEncodable, PostgresDecodable {}
