import EventLoop
public import Postgres

/// Whether requests can be served: does what they do, in a session of its own, because sessions that are open already
/// may work although no new one does.
public struct ReadinessStore: Sendable {
    /// For the connection, and for each statement.
    static let limit = Duration.seconds(2)

    private let pool: PostgresPool

    public init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Throws a `PostgresError` when a new session can't be opened, can't run functions, or can't commit.
    public func check() async throws {
        var configuration = pool.configuration
        configuration.connectTimeout = Self.limit
        configuration.statementDeadline = Self.limit
        try await pool.loop.preferred {
            let connection: PostgresConnection
            do throws(PostgresError) {
                connection = try await PostgresConnection.connect(configuration, on: pool.loop, logger: pool.logger)
            } catch  where error.sqlState == "53300" {
                // All connections are in use: requests go on with those that the pool has.
                return
            }
            do {
                try await Self.commit(on: connection)
            } catch {
                await connection.close()
                throw error
            }
            await connection.close()
        }
    }

    /// Loads PL/pgSQL, which triggers need, and takes a transaction ID, which only a server that accepts writes has.
    private static func commit(on connection: PostgresConnection) async throws {
        try await connection.transaction { connection in
            try await connection.execute("DO $$ BEGIN PERFORM pg_current_xact_id(); END $$")
        }
    }
}
