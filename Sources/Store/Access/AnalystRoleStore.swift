public import Postgres

/// Creates roles of PostgreSQL that can read what analysts need: no keys, no credentials, no device tokens.
public struct AnalystRoleStore: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// A name that needs no quotes in SQL.
    public static func isRoleName(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
        return isPlain && (1...63).contains(name.utf8.count) && name.first?.isNumber == false && !name.hasPrefix("pg_")
    }

    public enum Result: Sendable {
        case created
        /// The role was there, and can now read what this version has. A password was set if one was given.
        case updated
        /// The role can do more than read, so it is left alone.
        case privileged
    }

    /// Creates the role, or lets an existing one read what this version of Belfry has. A new role gets the password
    /// `first` unless `password` is given; that of an existing one changes only if it is. Needs a role of PostgreSQL that may
    /// create others.
    public func grant(to name: String, password: String?, first: String) async throws -> Result {
        try await pool.transaction { connection in
            let found = try await connection.query(
                """
                SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolname = current_user
                    OR EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid)
                FROM pg_roles WHERE rolname = \(name)
                """)
            if let row = found.first, try row[0] { return .privileged }
            if let password = password ?? (found.isEmpty ? first : nil) {
                let verb = found.isEmpty ? "CREATE" : "ALTER"
                let statement = try await connection.query(
                    """
                    SELECT format('\(unescaped: verb) ROLE %I LOGIN PASSWORD %L', \(name)::text, \(password)::text)
                    """)
                try await connection.execute(PostgresQuery(unescaped: try statement[0][0]))
            }
            _ = try await connection.query("SELECT grant_reading(\(name)::text::name)")
            return found.isEmpty ? .created : .updated
        }
    }
}
