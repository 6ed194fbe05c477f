public import Administration
public import Campaigns
public import Postgres

/// Stores people who can sign in, and their roles.
public struct UserStore: Sendable {
    /// A change of what a person is; nil leaves a value as it is.
    public struct Changes: Sendable {
        public var name: String?
        public var roles: [RoleAssignment]?
        public var isDisabled: Bool?

        public init(name: String? = nil, roles: [RoleAssignment]? = nil, isDisabled: Bool? = nil) {
            self.name = name
            self.roles = roles
            self.isDisabled = isDisabled
        }
    }

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    public func isEmpty() async throws -> Bool {
        try await pool.query("SELECT FROM users LIMIT 1").isEmpty
    }

    /// Adds a person; without `passwordHash`, they can't sign in before choosing a password.
    public func create(
        _ email: EmailAddress, name: String, roles: [RoleAssignment], passwordHash: String? = nil
    ) async throws -> UserRecord {
        try await mappingConstraintErrors {
            try await pool.joiningTransaction {
                let rows = try await pool.query(
                    """
                    INSERT INTO users (email, name, password_hash) VALUES (\(email.text), \(name), \(passwordHash))
                    RETURNING id
                    """)
                guard let row = rows.first else { throw Refusal.notFound(.user) }
                let id: User.ID = try row[0]
                try await setRoles(of: id, to: roles)
                return try await find(id)
            }
        }
    }

    /// Adds the first person, as the admin of everything. Throws `setUpIsDone` if there already is somebody.
    public func createFirst(_ email: EmailAddress, name: String, passwordHash: String) async throws -> UserRecord {
        try await pool.joiningTransaction {
            // Of two at the same time, one is the first.
            try await pool.execute("LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE")
            guard try await isEmpty() else { throw Refusal.setUpIsDone }
            return try await create(email, name: name, roles: [RoleAssignment(.admin)], passwordHash: passwordHash)
        }
    }

    public func find(_ id: User.ID) async throws -> UserRecord {
        let rows = try await pool.query("SELECT \(UserRecord.columns) FROM users u WHERE u.id = \(id)")
        guard let row = rows.first else { throw Refusal.notFound(.user) }
        return try UserRecord(row)
    }

    public func find(_ email: EmailAddress) async throws -> UserRecord? {
        let rows = try await pool.query("SELECT \(UserRecord.columns) FROM users u WHERE u.email = \(email.text)")
        return try rows.first.map { try UserRecord($0) }
    }

    /// Newest first; `before` is the last id of the page before.
    public func list(before: User.ID?, limit: Int) async throws -> [UserRecord] {
        let rows = try await pool.query(
            """
            SELECT \(UserRecord.columns) FROM users u WHERE u.id < \(keysetBound(before)) ORDER BY u.id DESC LIMIT \(limit)
            """)
        return try rows.map { try UserRecord($0) }
    }

    /// Throws `lastAdmin` when nobody would be left who can do everything. A disabled person's sessions and links end,
    /// and links also when the roles change: whoever got one for a smaller account must not have the larger one.
    public func update(_ id: User.ID, by changes: Changes, expectedVersion: Int?) async throws -> UserRecord {
        try await mappingConstraintErrors {
            try await pool.joiningTransaction {
                // Two admins could otherwise remove each other.
                try await pool.execute("LOCK TABLE user_roles IN SHARE ROW EXCLUSIVE MODE")
                try Refusal.checkVersion(try await find(id).version, expectedVersion)
                let hadAdmin = try await hasAdmin()
                try await pool.execute(
                    """
                    UPDATE users SET version = version + 1, updated_at = now(), name = coalesce(\(changes.name), name),
                        disabled_at = CASE \(changes.isDisabled)
                            WHEN true THEN coalesce(disabled_at, now()) WHEN false THEN NULL ELSE disabled_at END
                    WHERE id = \(id)
                    """)
                if let roles = changes.roles {
                    try await pool.execute("DELETE FROM user_roles WHERE user_id = \(id)")
                    try await setRoles(of: id, to: roles)
                }
                if changes.isDisabled == true { try await pool.execute(SessionStore.ending(of: id)) }
                // Links of a disabled person would work again as soon as the person is enabled.
                if changes.isDisabled == true || changes.roles != nil {
                    try await pool.execute("DELETE FROM sign_in_links WHERE user_id = \(id)")
                }
                if hadAdmin, try await !hasAdmin() { throw Refusal.lastAdmin }
                return try await find(id)
            }
        }
    }

    private func hasAdmin() async throws -> Bool {
        let rows = try await pool.query(
            """
            SELECT FROM user_roles r JOIN users u ON u.id = r.user_id
            WHERE r.app_id IS NULL AND r.role = \(Role.admin.rawValue) AND u.disabled_at IS NULL LIMIT 1
            """)
        return !rows.isEmpty
    }

    private func setRoles(of id: User.ID, to roles: [RoleAssignment]) async throws {
        try await pool.execute(
            """
            INSERT INTO user_roles (user_id, app_id, role)
            SELECT DISTINCT \(id), nullif(app, 0), role
            FROM unnest(\(roles.map { $0.app?.rawValue ?? 0 }), \(roles.map(\.role.rawValue))) AS given (app, role)
            """)
    }
}
