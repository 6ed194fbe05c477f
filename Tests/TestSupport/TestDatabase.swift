import EventLoop
import Glibc
import Logging
public import Postgres

/// A database of its own for each test: a copy of a template to which the repository's migrations
/// were applied once. The cluster is started by the first test that asks, and ends with the process.
public enum TestDatabase {
    /// Creates a database, runs the body with its configuration, and drops it.
    public static func withDatabase(_ body: (PostgresConfiguration) async throws -> Void) async throws {
        let server = try await TestCluster.started()
        var configuration = server.configuration
        let name = "test_\(getpid())_\(counter.withLock { $0 += 1; return $0 })"
        configuration.database = name
        try await server.administrators.execute("CREATE DATABASE \(unescaped: name) TEMPLATE \(unescaped: template)")
        try await identify(configuration, on: server.loop)
        do {
            try await body(configuration)
        } catch {
            try await drop(name, on: server)
            throw error
        }
        try await drop(name, on: server)
    }

    /// Sets whether clients may connect to a test's database. If not, existing sessions are terminated.
    public static func setAcceptingConnections(_ isOpen: Bool, _ configuration: PostgresConfiguration) async throws {
        let server = try await TestCluster.started()
        guard let name = configuration.database, mayDrop(name) else {
            preconditionFailure("\(configuration.database ?? "none") is not a test's database")
        }
        try await server.administrators.execute(
            "ALTER DATABASE \(unescaped: name) ALLOW_CONNECTIONS \(unescaped: "\(isOpen)")")
        if isOpen { return }
        try await server.administrators.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = \(name)")
    }

    static let template = "test_template"
    private static let counter = Lock(0)

    /// Accepts only the names of test databases.
    static func mayDrop(_ name: String) -> Bool {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "test" && parts.dropFirst().allSatisfy { Int($0) != nil }
    }

    /// Makes a copy of the template a database of its own; otherwise it looks like one after a restore.
    private static func identify(_ configuration: PostgresConfiguration, on loop: EventLoop) async throws {
        try await withTaskExecutorPreference(loop) {
            let connection = try await PostgresConnection.connect(
                configuration, on: loop, logger: Logger(label: "test"))
            try await connection.execute(
                """
                UPDATE database_identity
                SET written_by = pg_current_xact_id(), confirmed_at = pg_postmaster_start_time(), database_oid = (SELECT oid::bigint FROM pg_database WHERE datname = current_database())
                """)
            await connection.close()
        }
    }

    private static func drop(_ name: String, on server: TestCluster) async throws {
        precondition(mayDrop(name), "\(name) is not a test's database")
        try await server.administrators.execute("DROP DATABASE IF EXISTS \(unescaped: name) WITH (FORCE)")
    }
}
