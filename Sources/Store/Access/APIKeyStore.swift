public import Administration
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
        app: App.ID?, kind: APIKey.Kind, name: String, scopes: Set<Permission>, expiresAt: Timestamp? = nil,
        allowedAddresses: AllowedAddresses = .everywhere, by creator: User.ID? = nil
    ) async throws -> (key: APIKey, text: String) {
        let text = try APIKeyText.make(kind)
        let key = try await mappingConstraintErrors {
            try await pool.query(
                """
                INSERT INTO api_keys (
                    app_id, kind, name, prefix, scopes, hash, expires_at, allowed_addresses, created_by)
                VALUES (\(app), \(kind), \(name), \(APIKeyText.shownPrefix(of: text)),
                    \(scopes.map(\.rawValue).sorted()), \(SHA256.hash(text.utf8)), \(expiresAt),
                    \(allowedAddresses.texts), \(creator))
                RETURNING \(APIKey.columns)
                """)
        }
        guard let row = key.first else { throw Refusal.notFound(.app) }
        return (try APIKey(row), text)
    }

    /// The key with this hash, unless it was revoked or has expired, or its person is disabled. Phones have publishable
    /// keys, which give no rights that a person could keep.
    public func find(hash: [UInt8]) async throws -> APIKey? {
        let rows = try await pool.query(
            """
            SELECT \(APIKey.columns) FROM api_keys
            WHERE hash = \(hash) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
                AND (kind = 'publishable' OR NOT EXISTS (
                    SELECT FROM users u WHERE u.id = created_by AND u.disabled_at IS NOT NULL))
            """)
        return try rows.first.map { try APIKey($0) }
    }

    /// The secret keys of a person, newest first: those that work as long as the person can sign in, and with what the
    /// person may do.
    public func keys(of person: User.ID) async throws -> [APIKey] {
        try await pool.query(
            """
            SELECT \(APIKey.columns) FROM api_keys
            WHERE created_by = \(person) AND kind = 'secret' AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > now())
            ORDER BY id DESC
            """
        ).map { try APIKey($0) }
    }

    /// Makes the key that of another person, or of none: it goes on when its former one is disabled.
    public func adopt(_ id: APIKey.ID, app: App.ID?, by person: User.ID?) async throws -> APIKey {
        let rows = try await pool.query(
            """
            UPDATE api_keys SET created_by = \(person)
            WHERE app_id IS NOT DISTINCT FROM \(app) AND id = \(id) AND revoked_at IS NULL
            RETURNING \(APIKey.columns)
            """)
        guard let row = rows.first else {
            _ = try await find(id, app: app)
            throw Refusal.keyHasEnded
        }
        return try APIKey(row)
    }

    /// Records that the key is in use, at most once a minute.
    public func touch(_ id: APIKey.ID) async throws {
        try await pool.execute(
            """
            UPDATE api_keys SET last_used_at = now()
            WHERE id = \(id) AND (last_used_at IS NULL OR last_used_at < now() - \(Self.touchInterval.interval))
            """)
    }

    public static let touchInterval = Duration.seconds(60)

    /// The keys of an app, or without one those of administrators, newest first; `before` is the last id of the page
    /// before, and `prefix` the beginning of the keys' texts.
    public func list(
        app: App.ID?, prefix: String = "", before: APIKey.ID?, limit: Int
    ) async throws -> [APIKey] {
        let rows = try await pool.query(
            """
            SELECT \(APIKey.columns) FROM api_keys
            WHERE app_id IS NOT DISTINCT FROM \(app) AND id < \(keysetBound(before)) AND starts_with(prefix, \(prefix))
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

    /// Makes a key that is like this one in everything but its text, and lets this one expire after `overlap`. Throws
    /// `keyHasEnded` for one that was revoked or has expired, and `keyIsStopped` if the new one would not work.
    public func rotate(
        _ key: APIKey, expiresAt: Timestamp?, overlap: Duration, by creator: User.ID? = nil
    ) async throws -> (key: APIKey, text: String) {
        guard creator != nil || !key.isStopped else { throw Refusal.keyIsStopped }
        return try await pool.joiningTransaction {
            let ended = try await pool.execute(
                """
                UPDATE api_keys SET expires_at = least(expires_at, now() + \(overlap.interval))
                WHERE id = \(key.id) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
                """)
            guard ended == 1 else { throw Refusal.keyHasEnded }
            return try await create(
                app: key.app, kind: key.kind, name: key.name, scopes: key.scopes, expiresAt: expiresAt,
                allowedAddresses: key.allowedAddresses, by: creator ?? key.createdBy)
        }
    }

    /// Any key, also an administrator's.
    public func find(_ id: APIKey.ID) async throws -> APIKey {
        let rows = try await pool.query("SELECT \(APIKey.columns) FROM api_keys WHERE id = \(id)")
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
        """
        id, app_id, kind, name, scopes, prefix, created_at, revoked_at, expires_at, last_used_at, allowed_addresses,
        created_by,
        kind = 'secret' AND EXISTS (
            SELECT FROM users u WHERE u.id = api_keys.created_by AND u.disabled_at IS NOT NULL) AS is_stopped,
        ARRAY(SELECT r.role FROM user_roles r WHERE r.user_id = api_keys.created_by
            ORDER BY r.app_id NULLS FIRST, r.role) AS roles,
        ARRAY(SELECT coalesce(r.app_id, 0) FROM user_roles r WHERE r.user_id = api_keys.created_by
            ORDER BY r.app_id NULLS FIRST, r.role) AS role_apps
        """

    init(_ row: PostgresRow) throws {
        // Scopes of a newer version of Belfry are ignored.
        let scopes = Set(try row["scopes", as: [String].self].compactMap(Permission.init(rawValue:)))
        let app = try row["app_id", as: App.ID?.self]
        let person = try row["created_by", as: User.ID?.self]
        let permissions = Grants(try UserRecord.roles(row)).permissions(in: app)
        id = try row["id"]
        self.app = app
        kind = try row["kind"]
        name = try row["name"]
        self.scopes = scopes
        withheldScopes = person == nil ? [] : scopes.subtracting(permissions)
        isStopped = try row["is_stopped"]
        prefix = try row["prefix"]
        createdAt = try row["created_at"]
        revokedAt = try row["revoked_at"]
        expiresAt = try row["expires_at"]
        lastUsedAt = try row["last_used_at"]
        allowedAddresses = try AllowedAddresses(row["allowed_addresses"])
        createdBy = person
    }
}

extension APIKey.Kind: PostgresEncodable, PostgresDecodable {}
