public import Postgres

/// Creates roles of PostgreSQL that can read the schema `bi`, and nothing else.
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

    public enum Result: Equatable, Sendable {
        /// `unlimited` are the limits that Belfry's role may not set.
        case created(unlimited: [String])
        /// The role existed, and can now read what this version has. A password was set if one was given.
        case updated(unlimited: [String])
        /// The role can do more than read, here or in another database of the server, so it is left alone.
        case privileged
    }

    /// Creates the role, or lets an existing one read what this version of Belfry has. A new role gets the password
    /// `first` unless `password` is given; that of an existing one changes only if it is. Needs a role of PostgreSQL
    /// that may create others.
    public func grant(to name: String, password: String?, first: String) async throws -> Result {
        try await pool.transaction { connection in
            let found = try await connection.query(
                """
                SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
                    OR rolname = current_user
                    OR EXISTS (SELECT FROM pg_auth_members WHERE member = r.oid)
                    OR EXISTS (
                        SELECT FROM pg_shdepend
                        WHERE refclassid = 'pg_authid'::regclass AND refobjid = r.oid AND deptype = 'o')
                    OR EXISTS (
                        SELECT FROM pg_class
                        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                            AND has_table_privilege(r.oid, oid, 'INSERT, UPDATE, DELETE, TRUNCATE'))
                FROM pg_roles r WHERE rolname = \(name)
                """)
            if let row = found.first, try row[0] { return .privileged }
            do {
                let unlimited = try await change(
                    name, password: password ?? (found.isEmpty ? first : nil), exists: !found.isEmpty, on: connection)
                return found.isEmpty ? .created(unlimited: unlimited) : .updated(unlimited: unlimited)
            } catch let error as PostgresError {
                if error.sqlState == "42501" { throw RolesAreForbidden() }
                // The text of the statement contains what is stored of the password.
                var error = error
                error.sql = nil
                throw error
            }
        }
    }

    /// The other databases of the server that the role may connect to, by name. No limit of Belfry's holds there.
    public func otherDatabases(of name: String) async throws -> [String] {
        try await pool.query(
            """
            SELECT datname::text
            FROM pg_database
            WHERE datallowconn AND datname <> current_database()
                AND has_database_privilege(\(name)::text::name, oid, 'CONNECT')
            ORDER BY datname
            """
        ).map { try $0[0] }
    }

    private func change(
        _ name: String, password: String?, exists: Bool, on connection: PostgresConnection
    ) async throws -> [String] {
        if let password {
            let verb = exists ? "ALTER" : "CREATE"
            let verifier = try await connection.verifier(of: password, for: name)
            let statement = try await connection.query(
                """
                SELECT format('\(unescaped: verb) ROLE %I LOGIN PASSWORD %L', \(name)::text, \(verifier)::text)
                """)
            try await connection.execute(PostgresQuery(unescaped: try statement[0][0]))
        }
        return try await Self.allowReading(name, on: connection)
    }

    /// Lets the role read, within limits. Returns the limits that Belfry's role may not set.
    @discardableResult
    static func allowReading(_ name: String, on connection: PostgresConnection) async throws -> [String] {
        _ = try await connection.query("SELECT grant_reading(\(name)::text::name)")
        return try await connection.query("SELECT limit_reading(\(name)::text::name)")[0][0]
    }

    /// A role can set its timeouts away; after this, its transaction ends in any case.
    public static let longestTransaction = Duration.seconds(3_600)

    /// Ends the sessions of roles that read whose transaction is too long: it keeps PostgreSQL from removing old rows,
    /// and tables from being changed. Returns their number; sessions that Belfry's role may not end are left.
    ///
    /// A session that listens and does not end its transaction lets PostgreSQL's queue of notifications grow, until
    /// nobody can notify any more. So when the queue is this full, all their transactions end.
    public func endLongTransactions(
        after limit: Duration = longestTransaction, orIfNotificationsFill share: Double = 0.05
    ) async throws -> Int {
        try await pool.query(
            """
            SELECT pg_terminate_backend(a.pid)
            FROM pg_stat_activity a
            WHERE a.datname = current_database() AND a.xact_start IS NOT NULL
                AND (a.xact_start < clock_timestamp() - \(limit.interval) OR pg_notification_queue_usage() > \(share))
                AND pg_has_role(current_user, a.usesysid, 'USAGE') AND a.usesysid <> current_user::regrole
                AND has_table_privilege(a.usesysid, 'bi.campaign_funnel', 'SELECT')
                AND NOT has_table_privilege(a.usesysid, 'locks', 'SELECT')
            """
        ).count
    }
}

/// Belfry's role in PostgreSQL lacks the right to create or change roles.
public struct RolesAreForbidden: Error, Equatable, CustomStringConvertible {
    public var description: String {
        """
        Belfry's role in PostgreSQL can't create or change other roles. Let a superuser run ALTER ROLE … CREATEROLE for \
        it, or set DATABASE_URL to a role that can, for this command only.
        """
    }
}
