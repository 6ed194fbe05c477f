public import Crypto
public import Postgres

/// Reads what the manifest of a backup records, and what a restore compares. All methods run on one connection, so that they
/// see the same snapshot in a transaction.
public struct BackupStore: Sendable {
    /// Keys of sealed secrets that are listed.
    private static let maximumKeys = 64

    private let connection: PostgresConnection

    public init(connection: PostgresConnection) {
        self.connection = connection
    }

    // MARK: Backup

    /// A snapshot that pg_dump and its parallel sessions use, as long as this transaction lasts.
    public func exportSnapshot() async throws(PostgresError) -> String {
        // The dump may take hours, in which this session says nothing.
        for limit in ["idle_in_transaction_session_timeout", "statement_timeout", "lock_timeout"] {
            try await connection.execute("SET LOCAL \(unescaped: limit) = 0")
        }
        return try await connection.query("SELECT pg_export_snapshot()")[0][0]
    }

    /// A database and its server.
    public struct Source: Sendable {
        /// Such as "2026-11-28T08:00:00Z".
        public let time: String
        public let database: String
        /// Bytes of the database, and of its tables without indexes.
        public let size, tableSize: Int64
        /// Such as "15.14 (Debian 15.14-0+deb12u1)".
        public let serverVersion: String
        public let majorVersion: Int
    }

    public func source() async throws(PostgresError) -> Source {
        let row = try await connection.query(
            """
            SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS time,
                current_database()::text AS database, pg_database_size(current_database()) AS size,
                (SELECT coalesce(sum(pg_table_size(oid)), 0)::int8 FROM pg_class WHERE relkind IN ('r', 'm')
                    AND relnamespace <> 'pg_catalog'::regnamespace) AS tables,
                current_setting('server_version') AS version,
                current_setting('server_version_num')::int8 / 10000 AS major
            """)[0]
        return Source(
            time: try row["time"], database: try row["database"], size: try row["size"], tableSize: try row["tables"],
            serverVersion: try row["version"], majorVersion: try row["major"])
    }

    /// A signing key of Apple's, which the database has as a sealed secret.
    public struct Credential: Equatable, Sendable {
        public let app, keyID, teamID: String

        public init(app: String, keyID: String, teamID: String) {
            (self.app, self.keyID, self.teamID) = (app, keyID, teamID)
        }
    }

    public func credentials() async throws(PostgresError) -> [Credential] {
        let rows = try await connection.query(
            """
            SELECT a.name, c.key_id, c.team_id FROM credentials c JOIN apps a ON a.id = c.app_id
            ORDER BY a.name, c.key_id
            """)
        var found: [Credential] = []
        for row in rows { found.append(Credential(app: try row[0], keyID: try row[1], teamID: try row[2])) }
        return found
    }

    /// The sealing keys that the database's secrets name, in the order of the text of their IDs.
    public func sealingKeys() async throws(PostgresError) -> [SealingKeyID] {
        var found: Set<SealingKeyID> = []
        let check: PostgresQuery = "SELECT sealing_check FROM instance"
        for query in [check] + SealedTable.all.map({ $0.headers(limit: Self.maximumKeys) }) {
            for row in try await connection.query(query) {
                if let id = SealingKeyID(in: try row[0, as: [UInt8].self]) { found.insert(id) }
            }
        }
        return found.sorted { $0.description < $1.description }
    }

    /// Roles of analysts: those that may read the schema `bi` and do not own it. The one of the local server is made at
    /// each start.
    public func analysts() async throws(PostgresError) -> [String] {
        let rows = try await connection.query(
            """
            SELECT DISTINCT r.rolname::text
            FROM pg_namespace n, aclexplode(n.nspacl) AS a JOIN pg_roles r ON r.oid = a.grantee
            WHERE n.nspname = 'bi' AND a.grantee <> n.nspowner AND r.rolname <> \(InstanceStore.readerRole)
            ORDER BY 1
            """)
        var names: [String] = []
        for row in rows { names.append(try row[0]) }
        return names
    }

    /// The number of runs that are not over.
    public func openRuns() async throws(PostgresError) -> Int {
        try await connection.query("SELECT count(*) FROM runs WHERE finished_at IS NULL")[0][0]
    }

    // MARK: Contents

    /// The rows of a table; of a partitioned one those of all partitions.
    public struct Count: Equatable, Sendable {
        public let table: String
        public let rows: Int

        public init(table: String, rows: Int) {
            (self.table, self.rows) = (table, rows)
        }
    }

    /// Counts the rows of all tables of Belfry, by name.
    public func counts() async throws(PostgresError) -> [Count] {
        let tables = try await connection.query(
            """
            SELECT relname::text, oid::regclass::text FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
            ORDER BY relname COLLATE "C"
            """)
        var counts: [Count] = []
        for table in tables {
            let rows = try await connection.query("SELECT count(*) FROM \(unescaped: try table[1])")
            counts.append(Count(table: try table[0], rows: try rows[0][0]))
        }
        return counts
    }

    public enum Contents: Equatable, Sendable {
        case empty
        /// A restore into it did not end: it puts back the table of migrations last.
        case halfRestored
        /// Names of tables and the like.
        case filled(objects: Int)
    }

    /// Whether the database has anything that a restore would meet.
    public func contents() async throws(PostgresError) -> Contents {
        let row = try await connection.query(
            """
            SELECT count(*), coalesce(bool_or(oid = to_regclass('public.schema_migrations')), false)
            FROM pg_class c
            WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'bi'))
                AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
                AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
            """)[0]
        let objects: Int = try row[0]
        guard objects > 0 else { return .empty }
        guard try row[1] else { return .filled(objects: objects) }
        let migrations = try await connection.query("SELECT FROM schema_migrations LIMIT 1")
        return migrations.isEmpty ? .halfRestored : .filled(objects: objects)
    }

    /// The names of Belfry's sessions on the database, other than this one.
    public func sessions() async throws(PostgresError) -> [String] {
        let rows = try await connection.query(
            """
            SELECT DISTINCT application_name FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name ~ '^belfry (serve|work|demo)'
            ORDER BY 1
            """)
        var names: [String] = []
        for row in rows { names.append(try row[0]) }
        return names
    }

    // MARK: Restore

    /// Deletes everything that Belfry has in the database. Needs the owner of the database, or of its schemas.
    public func clear() async throws {
        try await connection.transaction { connection in
            try await connection.execute("DROP SCHEMA IF EXISTS bi CASCADE")
            try await connection.execute("DROP SCHEMA public CASCADE")
            // As in a new database.
            try await connection.execute("CREATE SCHEMA public")
            try await connection.execute("ALTER SCHEMA public OWNER TO pg_database_owner")
            try await connection.execute("GRANT USAGE ON SCHEMA public TO PUBLIC")
        }
    }

    /// Revokes what the migrations revoke: a restore leaves privileges out. `AnalystRoleStore` grants those of analysts
    /// again.
    public func closeViews() async throws(PostgresError) {
        try await connection.execute("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA bi FROM PUBLIC")
    }

    /// A dump has no statistics, and without them PostgreSQL finds bad plans for large tables.
    public func analyze() async throws(PostgresError) { try await connection.execute("ANALYZE") }
}
