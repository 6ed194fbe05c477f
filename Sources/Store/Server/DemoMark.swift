public import Postgres

/// The mark of a database that `belfry demo` has made: the comment on the database, which no schema changes.
public enum DemoMark {
    private static let text = "Made by belfry demo."

    public static func put(on connection: PostgresConnection) async throws(PostgresError) {
        let databases = try await connection.query("SELECT quote_ident(current_database())")
        for database in databases {
            try await connection.execute(
                "COMMENT ON DATABASE \(unescaped: try database[0]) IS '\(unescaped: text)'")
        }
    }

    /// Whether the database has the mark.
    public static func isPut(_ pool: PostgresPool) async throws(PostgresError) -> Bool {
        try await !pool.query(present).isEmpty
    }

    private static let present: PostgresQuery = """
        SELECT 1 FROM pg_database WHERE datname = current_database() AND shobj_description(oid, 'pg_database') = \(text)
        """

    /// Whether the database has the mark, and no app but the demo's. It may have the schema of any build: if that tells
    /// of no apps, the answer is no.
    public static func isOnlyContent(
        of connection: PostgresConnection, bundleID: String
    ) async throws(PostgresError) -> Bool {
        guard try await !connection.query(present).isEmpty else { return false }
        do throws(PostgresError) {
            return try await connection.query("SELECT 1 FROM apps WHERE bundle_id <> \(bundleID) LIMIT 1").isEmpty
        } catch {
            guard error.kind == .server else { throw error }
            return false
        }
    }
}
