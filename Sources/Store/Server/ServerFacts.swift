import EventLoop
public import Postgres

/// What a server and a database tell about themselves, for an operator's check. Reading it changes nothing, and needs
/// no schema and no right beyond the connection.
public struct ServerFacts: Equatable, Sendable {
    public var version: String
    public var database: String
    public var role: String
    public var maximumConnections: Int
    /// Those that are kept for superusers and the like.
    public var reservedConnections: Int
    public var openConnections: Int
    public var locksPerTransaction: Int
    /// Of the table of events, which has the most.
    public var partitions: Int
    /// "off", or the method.
    public var walCompression: String
    public var isAutovacuumOn: Bool
    /// Bytes of the database.
    public var size: Int64
    /// The directory of the data if the server is reached through a socket of this machine, and the role may know it.
    public var dataDirectory: String?

    public static func read(_ pool: PostgresPool) async throws(PostgresError) -> ServerFacts {
        let rows = try await pool.query(
            """
            SELECT current_setting('server_version') AS version, current_database()::text AS database,
                current_user::text AS role,
                current_setting('max_connections')::int8 AS maximum,
                current_setting('superuser_reserved_connections')::int8
                    + coalesce(current_setting('reserved_connections', true)::int8, 0) AS reserved,
                (SELECT coalesce(sum(numbackends), 0)::int8 FROM pg_stat_database) AS open,
                current_setting('max_locks_per_transaction')::int8 AS locks,
                (SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass('events')) AS partitions,
                current_setting('wal_compression') AS compression,
                current_setting('autovacuum') = 'on' AS autovacuum,
                pg_database_size(current_database()) AS size,
                (SELECT setting FROM pg_settings WHERE name = 'data_directory' AND inet_server_addr() IS NULL) AS data
            """)
        let row = rows[0]
        return ServerFacts(
            version: try row["version"], database: try row["database"], role: try row["role"],
            maximumConnections: try row["maximum"], reservedConnections: try row["reserved"],
            openConnections: try row["open"], locksPerTransaction: try row["locks"],
            partitions: try row["partitions"], walCompression: try row["compression"],
            isAutovacuumOn: try row["autovacuum"], size: try row["size"], dataDirectory: try row["data"])
    }
}

/// How far the server's clock is ahead of this machine's, in seconds.
public struct ClockDifference: Equatable, Sendable {
    public var ahead: Double
    /// Half of the time that the question took: the difference may be wrong by as much.
    public var uncertainty: Double

    public static func measure(_ pool: PostgresPool) async throws(PostgresError) -> ClockDifference {
        // A connection that is open already: opening one would take far longer than the question.
        _ = try await pool.query("SELECT 1")
        let (before, start) = (Timestamp.now, MonotonicTime.now())
        let rows = try await pool.query("SELECT extract(epoch FROM clock_timestamp())::float8")
        let half = (MonotonicTime.now() - start).seconds / 2
        return ClockDifference(
            ahead: try rows[0][0, as: Double.self] - before.secondsSince1970 - half, uncertainty: half)
    }
}
