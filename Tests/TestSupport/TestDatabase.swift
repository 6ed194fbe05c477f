import EventLoop
import Glibc
import Logging
public import Postgres
import PrivatePostgres

/// A database of its own for each test: a copy of a template to which the repository's migrations
/// were applied once. The cluster is started by the first test that asks, and ends with the process.
public enum TestDatabase {
    /// Creates a database, runs the body with its configuration, and drops it.
    public static func withDatabase(_ body: (PostgresConfiguration) async throws -> Void) async throws {
        let cluster = try await TestCluster.shared.started()
        var configuration = cluster.configuration
        let name = "test_\(getpid())_\(counter.withLock { $0 += 1; return $0 })"
        configuration.database = name
        try await administer("CREATE DATABASE \(unescaped: name) TEMPLATE \(unescaped: template)", on: cluster)
        // Otherwise it would be a copy of the template, as after a restore.
        try await administer(
            """
            UPDATE database_identity
            SET written_by = pg_current_xact_id(), confirmed_at = pg_postmaster_start_time(), database_oid = (SELECT oid::bigint FROM pg_database WHERE datname = current_database())
            """, on: configuration)
        do {
            try await body(configuration)
        } catch {
            try await drop(name, on: cluster)
            throw error
        }
        try await drop(name, on: cluster)
    }

    /// Sets whether clients may connect to a test's database. If not, existing sessions are terminated.
    public static func setAcceptingConnections(_ isOpen: Bool, _ configuration: PostgresConfiguration) async throws {
        let cluster = try await TestCluster.shared.started()
        guard let name = configuration.database, mayDrop(name) else {
            preconditionFailure("\(configuration.database ?? "none") is not a test's database")
        }
        try await administer(
            "ALTER DATABASE \(unescaped: name) ALLOW_CONNECTIONS \(unescaped: "\(isOpen)")", on: cluster)
        if isOpen { return }
        try await administer(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = \(name)", on: cluster)
    }

    static let template = "test_template"
    private static let counter = Lock(0)

    /// Accepts only the names of test databases.
    static func mayDrop(_ name: String) -> Bool {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "test" && parts.dropFirst().allSatisfy { Int($0) != nil }
    }

    private static func drop(_ name: String, on cluster: LocalCluster) async throws {
        precondition(mayDrop(name), "\(name) is not a test's database")
        try await administer("DROP DATABASE IF EXISTS \(unescaped: name) WITH (FORCE)", on: cluster)
    }

    static func administer(_ statement: PostgresQuery, on cluster: LocalCluster) async throws {
        try await administer(statement, on: cluster.configuration)
    }

    private static func administer(
        _ statement: PostgresQuery, on configuration: PostgresConfiguration
    ) async throws {
        let loop = try EventLoop(name: "test-admin")
        defer { loop.stop() }
        try await withTaskExecutorPreference(loop) {
            let connection = try await PostgresConnection.connect(
                configuration, on: loop, logger: Logger(label: "test"))
            try await connection.execute(statement)
            await connection.close()
        }
    }
}
