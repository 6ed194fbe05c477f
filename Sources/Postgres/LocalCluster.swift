import EventLoop
import FoundationEssentials
import Glibc
public import Logging

/// A private PostgreSQL in a directory, on a unix socket, without TCP. The first process that
/// starts it owns it, and it stops with that process; others attach to it.
///
/// It keeps a loop of its own, because the server is told to stop (PDEATHSIG) when the thread that
/// started it ends: let go of the cluster, or be killed, and the server shuts down.
public actor LocalCluster {
    static let user = "belfry"
    static let database = "belfry"
    static let port = 5432
    /// After this a fast shutdown becomes an immediate one.
    static let stopTimeout = Duration.seconds(30)
    /// Bytes of the server's log that the next start keeps on writing to; a longer one is emptied.
    static let logLimit = 16_777_216
    static let pollInterval = Duration.milliseconds(20)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let loop: EventLoop
    /// Absolute.
    public nonisolated let directory: String
    /// How to connect, to the database `belfry`.
    public nonisolated let configuration: PostgresConfiguration
    /// The same as a connection string.
    public nonisolated let url: String
    let options: Options
    let logger: Logger
    let account: ServerAccount
    let binaries: ServerBinaries
    let socketDirectory: String
    /// The owner holds it by flock, which ends with the process.
    var ownerLock: Int32?
    private let process = Lock<ChildProcess?>(nil)

    /// Starts the cluster, making it first when the directory has none, or attaches to the one that runs.
    public static func start(
        directory: String, options: Options = Options(), logger: Logger
    ) async throws -> LocalCluster {
        let cluster = try LocalCluster(directory: directory, options: options, logger: logger)
        try await withTaskExecutorPreference(cluster.loop) { try await cluster.startOrAttach() }
        return cluster
    }

    private init(directory: String, options: Options, logger: Logger) throws {
        self.directory = Self.absolute(directory)
        self.options = options
        self.logger = logger
        account = try ServerAccount()
        binaries = try ServerBinaries()
        guard access("/usr/bin/setpriv", X_OK) == 0 else { throw LocalClusterError.setprivMissing }
        socketDirectory = Self.socketDirectory(for: self.directory)
        configuration = PostgresConfiguration(
            socketDirectory: socketDirectory, user: Self.user, database: Self.database)
        let host = socketDirectory.utf8.map { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        url = "postgresql:///\(Self.database)?host=\(host.joined())&user=\(Self.user)"
        loop = try EventLoop(name: "local-cluster")
    }

    deinit {
        // The thread's end stops the server; the lock lets the next owner in.
        loop.stop()
        if let ownerLock { Glibc.close(ownerLock) }
    }

    public var isOwner: Bool { ownerLock != nil }

    /// The server's process, if this process owns it.
    public nonisolated var serverProcess: Int32? { process.withLock { $0?.id } }

    /// A fast shutdown: transactions are rolled back, nothing is lost. Only the owner's has an effect.
    public func stop() async {
        await end(by: SIGINT)
        if isOwner { releaseOwnerLock() }
    }

    /// As `pg_ctl stop -m immediate`: the server drops everything, and recovers when it starts again.
    public func stopImmediately() async {
        await end(by: SIGQUIT)
        if isOwner { releaseOwnerLock() }
    }

    /// Starts again after a stop, or stops and starts.
    public func restart() async throws {
        // The socket's directory goes with a stop.
        try makeDirectories()
        guard isOwner || takeOwnerLock() else { throw LocalClusterError.notOwner }
        await end(by: SIGINT)
        try await startServer()
    }

    private func end(by signal: Int32) async {
        guard let child = process.withLock({ $0 }) else { return }
        child.send(signal)
        if await child.waitForExit(on: loop, within: Self.stopTimeout) == nil {
            child.send(SIGQUIT)
            _ = await child.waitForExit(on: loop, within: Self.stopTimeout)
        }
        process.withLock { $0 = nil }
    }

    // MARK: Starting

    private func startOrAttach() async throws {
        try makeDirectories()
        let end = MonotonicTime.now() + options.startTimeout
        while true {
            if takeOwnerLock() {
                try await initialize()
                return try await startServer()
            }
            // The owner may still be starting it, or may end just now.
            if await isAnswering(database: Self.database) {
                logger.info("attached to a running PostgreSQL", metadata: ["directory": "\(directory)"])
                return
            }
            guard .now() < end else { throw LocalClusterError.timedOut(options.startTimeout, log: logTail()) }
            try await loop.sleep(for: Self.pollInterval)
        }
    }

    private func makeDirectories() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: Self.parent(of: directory), withIntermediateDirectories: true)
        } catch {
            throw LocalClusterError.cannotPrepare(directory: directory, reason: "\(error)")
        }
        try account.checkEntry(to: directory)
        try account.makeDirectory(directory, mode: 0o755)
        if socketDirectory != directory { try account.makeDirectory(socketDirectory, mode: 0o755) }
    }

    private func initialize() async throws {
        guard access("\(data)/PG_VERSION", F_OK) != 0 else { return }
        // Made beside its place and moved there whole: one that was killed leaves nothing behind.
        let new = "\(data).new"
        let log = "\(directory)/initdb.log"
        do {
            for path in [new, log] where access(path, F_OK) == 0 { try FileManager.default.removeItem(atPath: path) }
        } catch {
            throw LocalClusterError.cannotPrepare(directory: directory, reason: "\(error)")
        }
        let words = [
            binaries.initdb, "-D", new, "-U", Self.user, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8",
        ]
        let child = try ChildProcess.spawn(
            account.command(words + (options.fsync ? [] : ["--no-sync"])), output: log)
        guard await child.waitForExit(on: loop, within: options.startTimeout) == 0 else {
            child.send(SIGKILL)
            throw LocalClusterError.initializationFailed(log: tail(of: log))
        }
        guard rename(new, data) == 0 else {
            throw LocalClusterError.cannotPrepare(directory: data, reason: systemReason())
        }
    }

    private func startServer() async throws {
        try await stopOrphan()
        if let size = try? FileManager.default.attributesOfItem(atPath: logPath)[.size] as? Int, size > Self.logLimit {
            truncate(logPath, 0)
        }
        let hasLZ4 = await accepts("wal_compression=lz4")
        let words = [binaries.postgres, "-D", data, "-k", socketDirectory, "-p", "\(Self.port)"]
        let child = try ChildProcess.spawn(
            account.command(words + options.arguments(hasLZ4: hasLZ4)), output: logPath)
        process.withLock { $0 = child }
        let end = MonotonicTime.now() + options.startTimeout
        while await !isAnswering(database: "postgres") {
            if child.exitStatus() != nil {
                process.withLock { $0 = nil }
                releaseOwnerLock()
                throw LocalClusterError.serverFailed(log: logTail())
            }
            guard .now() < end else {
                await stopImmediately()
                throw LocalClusterError.timedOut(options.startTimeout, log: logTail())
            }
            await loop.pause(Self.pollInterval)
        }
        try await createDatabase()
        logger.info("PostgreSQL runs", metadata: ["directory": "\(directory)", "process": "\(child.id)"])
    }

    /// A server whose owner was killed is shutting down, or never heard of it.
    private func stopOrphan() async throws {
        guard let file = try? String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8),
            let id = file.split(whereSeparator: \.isNewline).first.flatMap({ pid_t($0) })
        else { return }
        func runsHere() -> Bool {
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/\(id)/cwd", &path, path.count)
            return count > 0 && path.prefix(count).map { UInt8(bitPattern: $0) }.elementsEqual(data.utf8)
        }
        guard runsHere() else { return }
        kill(id, SIGINT)
        let end = MonotonicTime.now() + Self.stopTimeout
        while runsHere() {
            guard .now() < end else {
                throw LocalClusterError.cannotStart("PostgreSQL", reason: "process \(id) still runs in \(data)")
            }
            await loop.pause(ChildProcess.pollInterval)
        }
    }

    /// Whether this server's build knows a setting's value.
    private func accepts(_ setting: String) async -> Bool {
        let words = [binaries.postgres, "-D", data, "-c", setting, "-C", "wal_compression"]
        guard let child = try? ChildProcess.spawn(account.command(words), output: "/dev/null") else { return false }
        return await child.waitForExit(on: loop, within: Self.stopTimeout) == 0
    }

    private func createDatabase() async throws(PostgresError) {
        let connection = try await connect(database: "postgres")
        let found = try await connection.query("SELECT 1 FROM pg_database WHERE datname = \(Self.database)")
        if found.isEmpty { try await connection.execute("CREATE DATABASE \(unescaped: Self.database)") }
        await connection.close()
    }

    private func isAnswering(database: String) async -> Bool {
        do throws(PostgresError) {
            let connection = try await connect(database: database)
            await connection.close()
            return true
        } catch {
            logger.trace("not answering yet", metadata: ["reason": "\(error)"])
            return false
        }
    }

    private func connect(database: String) async throws(PostgresError) -> PostgresConnection {
        var configuration = configuration
        configuration.database = database
        return try await .connect(configuration, on: loop, logger: logger)
    }
}
