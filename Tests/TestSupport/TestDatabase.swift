import EventLoop
import FoundationEssentials
import Glibc
import Logging
public import Postgres

/// A database of its own for each test: a copy of a template to which the repository's migrations
/// were applied once. The cluster is started by the first test that asks, and ends with the process.
public enum TestDatabase {
    /// Makes a database, runs the body with the way to it, and drops it.
    public static func withDatabase(_ body: (PostgresConfiguration) async throws -> Void) async throws {
        let cluster = try await shared.cluster()
        var configuration = cluster.configuration
        let name = "test_\(getpid())_\(counter.withLock { $0 += 1; return $0 })"
        configuration.database = name
        try await administer("CREATE DATABASE \(unescaped: name) TEMPLATE \(unescaped: template)", on: cluster)
        do {
            try await body(configuration)
        } catch {
            try await drop(name, on: cluster)
            throw error
        }
        try await drop(name, on: cluster)
    }

    static let template = "test_template"
    private static let counter = Lock(0)
    private static let shared = SharedCluster()

    /// The names above and no others.
    static func mayDrop(_ name: String) -> Bool {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "test" && parts.dropFirst().allSatisfy { Int($0) != nil }
    }

    private static func drop(_ name: String, on cluster: LocalCluster) async throws {
        precondition(mayDrop(name), "\(name) is not a test's database")
        try await administer("DROP DATABASE IF EXISTS \(unescaped: name) WITH (FORCE)", on: cluster)
    }

    static func administer(_ statement: PostgresQuery, on cluster: LocalCluster) async throws {
        let loop = try EventLoop(name: "test-admin")
        defer { loop.stop() }
        try await withTaskExecutorPreference(loop) {
            let connection = try await PostgresConnection.connect(
                cluster.configuration, on: loop, logger: Logger(label: "test"))
            try await connection.execute(statement)
            await connection.close()
        }
    }
}

/// The first to ask starts it; the others wait for him.
private actor SharedCluster {
    private var start: Task<LocalCluster, any Error>?

    func cluster() async throws -> LocalCluster {
        if let start { return try await start.value }
        let start = Task { try await Self.make() }
        self.start = start
        return try await start.value
    }

    private static func make() async throws -> LocalCluster {
        removeLeftOvers()
        var options = LocalCluster.Options()
        options.fsync = false
        options.maxConnections = 200
        let cluster = try await LocalCluster.start(
            directory: "\(prefix)\(getpid())", options: options, logger: Logger(label: "test"))
        try await TestDatabase.administer("CREATE DATABASE \(unescaped: TestDatabase.template)", on: cluster)
        try await migrate(cluster)
        running.withLock { $0 = cluster }
        atexit { SharedCluster.stopRunning() }
        return cluster
    }

    private static func migrate(_ cluster: LocalCluster) async throws {
        let migrations = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Migrations")
        var configuration = cluster.configuration
        configuration.database = TestDatabase.template
        try await TestLoop.run { [configuration] loop in
            let connection = try await PostgresConnection.connect(
                configuration, on: loop, logger: Logger(label: "test"))
            _ = try await Migrator(directory: migrations.standardized.path()).apply(on: connection)
            await connection.close()
        }
    }

    private static let prefix = "/tmp/belfry-test-"
    private static let running = Lock<LocalCluster?>(nil)

    fileprivate static func stopRunning() {
        guard let cluster = running.withLock({ $0 }), let process = cluster.serverProcess else { return }
        kill(process, SIGQUIT)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        remove(cluster.directory)
    }

    /// Of test processes that were killed.
    private static func removeLeftOvers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
        for name in names where "/tmp/\(name)".hasPrefix(prefix) {
            guard let owner = pid_t(name.split(separator: "-").last ?? ""), kill(owner, 0) != 0 else { continue }
            remove("/tmp/\(name)")
        }
    }

    private static func remove(_ path: String) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            Logger(label: "test").warning("left behind", metadata: ["path": "\(path)", "reason": "\(error)"])
        }
    }
}
