public import Administration
public import Campaigns
public import Postgres

/// A person who can sign in, as it is stored: without the password's hash.
public struct UserRecord: Hashable, Sendable {
    /// Characters.
    public static let maximumNameLength = 100
    public static let maximumRoles = 200

    public let id: User.ID
    public let createdAt: Timestamp
    public let updatedAt: Timestamp
    /// The time from which the person can't sign in; nil: the person can.
    public let disabledAt: Timestamp?
    /// Raised by every edit.
    public let version: Int
    public let email: EmailAddress
    public let name: String
    /// False until the person has chosen a password.
    public let hasPassword: Bool
    public let roles: [RoleAssignment]

    public var grants: Grants { Grants(roles) }
}

extension UserRecord {
    /// With the table users as `u`. The roles are two arrays of the same length; the app 0 stands for all.
    static let columns: PostgresQuery = """
        u.id, u.created_at, u.updated_at, u.disabled_at, u.version, u.email, u.name,
        u.password_hash IS NOT NULL AS has_password,
        ARRAY(SELECT r.role FROM user_roles r WHERE r.user_id = u.id ORDER BY r.app_id NULLS FIRST, r.role) AS roles,
        ARRAY(SELECT coalesce(r.app_id, 0) FROM user_roles r WHERE r.user_id = u.id ORDER BY r.app_id NULLS FIRST, r.role)
            AS role_apps
        """

    init(_ row: PostgresRow) throws {
        id = try row["id"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"]
        disabledAt = try row["disabled_at"]
        version = try row["version"]
        email = try EmailAddress(row["email"])
        name = try row["name"]
        hasPassword = try row["has_password"]
        roles = try Self.roles(row)
    }

    static func roles(_ row: PostgresRow) throws -> [RoleAssignment] {
        let apps = try row["role_apps", as: [Int64].self]
        // Roles of a newer version of Belfry give nothing.
        return zip(try row["roles", as: [String].self], apps).compactMap { name, app in
            Role(rawValue: name).map { RoleAssignment($0, in: app == 0 ? nil : App.ID(rawValue: app)) }
        }
    }
}
