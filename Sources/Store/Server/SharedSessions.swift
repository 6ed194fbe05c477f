public import EventLoop
public import Logging
public import Postgres

/// Finds out whether a pooler between Belfry and PostgreSQL lets clients share sessions of the server, as PgBouncer
/// does in transaction mode. LISTEN, prepared statements and settings of a session don't work there.
///
/// Docs/decisions/database.md explains how a pooler is recognised.
public enum SharedSessions {
    /// A pooler may pick sessions in turn, so one comparison is not enough.
    private static let attempts = 8

    public static func areUsed(
        by configuration: PostgresConfiguration, on loop: EventLoop, logger: Logger
    ) async throws(PostgresError) -> Bool {
        // The sessions may belong to other clients as well, so they are not changed.
        var configuration = configuration
        configuration.configuresSessions = false
        configuration.preparedStatements = 0
        let first = try await PostgresConnection.connect(configuration, on: loop, logger: logger)
        do throws(PostgresError) {
            let areShared = try await isShared(first, configuration, on: loop, logger: logger)
            await first.close()
            return areShared
        } catch {
            await first.close()
            throw error
        }
    }

    private static func isShared(
        _ first: PostgresConnection, _ configuration: PostgresConfiguration, on loop: EventLoop, logger: Logger
    ) async throws(PostgresError) -> Bool {
        let process = try await process(of: first)
        // PostgreSQL tells each client the process that serves it; a pooler makes up a number.
        guard await process != first.serverProcess else { return false }
        let second = try await PostgresConnection.connect(configuration, on: loop, logger: logger)
        do throws(PostgresError) {
            var areShared = false
            for _ in 0..<attempts where !areShared {
                // Both connections are open, so a process of its own serves each unless they share.
                let other = try await Self.process(of: second)
                areShared = try await Self.process(of: first) != process || other == process
            }
            await second.close()
            return areShared
        } catch {
            await second.close()
            throw error
        }
    }

    /// The process of the server that runs the statement.
    private static func process(of connection: PostgresConnection) async throws(PostgresError) -> Int32 {
        let rows = try await connection.query("SELECT pg_backend_pid()")
        guard let row = rows.first else { return 0 }
        return try row[0]
    }
}
