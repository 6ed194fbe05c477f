public import Postgres

/// A database on a running server: tells whether two addresses lead to the same one.
public struct ServerDatabase: Hashable, Sendable {
    /// As a quoted identifier.
    public let name: String
    private let number: Int64
    private let startedAt: Timestamp

    /// Runs in a transaction, as Belfry's work does; a pooler may not allow any. It refuses BEGIN after its success, a
    /// message that gets lost in a pipeline.
    public static func find(on connection: PostgresConnection) async throws(PostgresError) -> ServerDatabase {
        try await connection.queryScript("BEGIN")
        let rows = try await connection.query(
            """
            SELECT quote_ident(datname), oid::bigint, pg_postmaster_start_time()
            FROM pg_database WHERE datname = current_database()
            """)
        try await connection.queryScript("COMMIT")
        return ServerDatabase(name: try rows[0][0], number: try rows[0][1], startedAt: try rows[0][2])
    }
}
