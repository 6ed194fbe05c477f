public import Postgres

/// Checks that Belfry can work with a server, a database and a role, before the schema is changed.
public enum ServerRequirements {
    /// The oldest major version of PostgreSQL that Belfry works with.
    static let oldestVersion: Int32 = 15

    /// Throws `UnsuitableServer` for the first requirement that is not met.
    public static func verify(on connection: PostgresConnection) async throws {
        try await verify(on: connection, oldest: oldestVersion)
    }

    static func verify(on connection: PostgresConnection, oldest: Int32) async throws {
        let server = try await connection.query(
            """
            SELECT current_setting('server_version_num')::int / 10000, current_setting('server_version'),
                current_setting('server_encoding'), quote_ident(current_database()), quote_ident(current_user)
            """)
        guard let row = server.first else { return }
        guard try row[0, as: Int32.self] >= oldest else { throw UnsuitableServer.tooOld(version: try row[1]) }
        let (database, role): (String, String) = (try row[3], try row[4])
        let encoding: String = try row[2]
        guard encoding == "UTF8" else {
            throw UnsuitableServer.encoding(encoding, database: database, role: role)
        }
        try await verifyRights(of: role, in: database, on: connection)
    }

    private static func verifyRights(
        of role: String, in database: String, on connection: PostgresConnection
    ) async throws {
        let rights = try await connection.query(
            """
            SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
                    AND (has_database_privilege(current_database(), 'CREATE') OR coalesce(
                        (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'bi'), false)),
                has_function_privilege('pg_postmaster_start_time()', 'EXECUTE'),
                (SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class
                    WHERE oid = to_regclass('schema_migrations') AND NOT pg_has_role(relowner, 'USAGE'))
            """)
        guard let row = rights.first else { return }
        if let owner = try row[2, as: String?.self] {
            throw UnsuitableServer.otherOwner(owner, role: role, database: database)
        }
        guard try row[0] else { throw UnsuitableServer.cannotCreateTables(role: role, database: database) }
        guard try row[1] else { throw UnsuitableServer.cannotReadStartTime(role: role, database: database) }
    }
}

/// A requirement that a PostgreSQL server, a database or a role does not meet. Names are quoted identifiers.
public enum UnsuitableServer: Error, Hashable, CustomStringConvertible {
    case tooOld(version: String)
    case encoding(String, database: String, role: String)
    case cannotCreateTables(role: String, database: String)
    /// Belfry's tables belong to `owner`.
    case otherOwner(String, role: String, database: String)
    case cannotReadStartTime(role: String, database: String)

    public var description: String {
        switch self {
        case .tooOld(let version):
            """
            PostgreSQL \(version) is too old; Belfry requires version \(ServerRequirements.oldestVersion) or newer. Upgrade \
            the server, or set DATABASE_URL to another one.
            """
        case .encoding(let encoding, let database, let role):
            """
            The database \(database) has the encoding \(encoding), and Belfry requires UTF8. Create another one and set \
            DATABASE_URL to it: CREATE DATABASE name OWNER \(role) ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0
            """
        case .cannotCreateTables(let role, let database):
            """
            The role \(role) can't create tables and schemas in the database \(database). Make it the owner: ALTER \
            DATABASE \(database) OWNER TO \(role)
            """
        case .otherOwner(let owner, let role, let database):
            """
            Belfry's tables in the database \(database) belong to the role \(owner), so the role \(role) can't change \
            them. Connect as \(owner), or make \(role) a member of it: GRANT \(owner) TO \(role)
            """
        case .cannotReadStartTime(let role, let database):
            """
            The role \(role) can't call pg_postmaster_start_time(), by which Belfry notices that PostgreSQL was started \
            again. Run in the database \(database): GRANT EXECUTE ON FUNCTION pg_postmaster_start_time() TO \(role)
            """
        }
    }
}
