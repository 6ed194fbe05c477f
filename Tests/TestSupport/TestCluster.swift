import Dispatch
import EventLoop
import FoundationEssentials
import Glibc
import Logging
public import Postgres
import PrivatePostgres

/// The PostgreSQL of this test process, and connections that create and drop the databases of tests.
struct TestCluster {
    /// Of the server.
    let configuration: PostgresConfiguration
    /// Kept: a thousand tests would connect twice each.
    let administrators: PostgresPool

    var loop: EventLoop { administrators.loop }

    /// The first test to ask starts it, the others wait for it.
    static func started() async throws -> TestCluster { try await Start.shared.value() }

    private actor Start {
        static let shared = Start()
        private var starting: Task<TestCluster, any Error>?

        func value() async throws -> TestCluster {
            let task = starting ?? Task { try await startTestCluster() }
            starting = task
            return try await task.value
        }
    }
}

private let directoryPrefix = "belfry-test-"
private let runningCluster = Lock<LocalCluster?>(nil)
private let logger = Logger(label: "test-cluster")

/// Options of CREATE DATABASE. With BELFRY_TEST_ICU_LOCALE, for example `und`, databases sort text as ICU does.
private let collation =
    getenv("BELFRY_TEST_ICU_LOCALE")
    .map { "LOCALE_PROVIDER icu ICU_LOCALE '\(String(cString: $0))' TEMPLATE template0" } ?? ""

private func startTestCluster() async throws -> TestCluster {
    removeLeftOvers()
    var options = LocalCluster.Options()
    options.fsync = false
    options.maxConnections = 200
    // The cluster may be in memory.
    options.settings = ["max_wal_size": "512MB"]
    let cluster = try await LocalCluster.start(
        directory: "\(ScratchSpace.path)/\(directoryPrefix)\(getpid())", options: options, logger: logger)
    runningCluster.withLock { $0 = cluster }
    atexit { stopAtExit() }
    let loop = try EventLoop(name: "test-admin")
    let administrators = PostgresPool(
        cluster.configuration, limits: .init(connections: 8), on: loop, logger: logger)
    try await administrators.execute("CREATE DATABASE \(unescaped: TestDatabase.template) \(unescaped: collation)")
    try await migrateTemplate(of: cluster)
    return TestCluster(configuration: cluster.configuration, administrators: administrators)
}

private func migrateTemplate(of cluster: LocalCluster) async throws {
    var configuration = cluster.configuration
    configuration.database = TestDatabase.template
    try await TestDatabase.migrate(configuration)
}

extension TestDatabase {
    /// Applies the repository's migrations.
    public static func migrate(_ configuration: PostgresConfiguration) async throws {
        let migrations = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Migrations")
        try await TestLoop.run { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, logger: logger)
            _ = try await Migrator(directory: migrations.standardized.path()).apply(on: connection)
            await connection.close()
        }
    }
}

private func stopAtExit() {
    guard let cluster = runningCluster.withLock({ $0 }) else { return }
    let stopped = DispatchSemaphore(value: 0)
    Task.detached {
        await cluster.stopImmediately()
        stopped.signal()
    }
    stopped.wait()
    removeCluster(cluster.directory)
}

/// Removes the directories of test processes that were killed; their servers have stopped already.
private func removeLeftOvers() {
    for folder in ScratchSpace.all {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(directoryPrefix) {
            guard let owner = pid_t(name.split(separator: "-").last ?? ""), kill(owner, 0) != 0 else { continue }
            removeCluster("\(folder)/\(name)")
        }
    }
}

private func removeCluster(_ path: String) {
    do {
        try FileManager.default.removeItem(atPath: path)
    } catch {
        logger.warning("test cluster not removed", metadata: ["path": "\(path)", "reason": "\(error)"])
    }
}
