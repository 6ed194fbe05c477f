import EventLoop
import FoundationEssentials
import Glibc
public import Logging
public import Postgres

/// A private PostgreSQL in a directory, on a unix socket, without TCP. The process that
/// starts it owns it, and it stops with that process; other processes attach to it.
///
/// It has its own loop, because the server gets a signal to stop (PDEATHSIG) when the thread that started it ends. The
/// server therefore shuts down when the cluster is released or the process is killed.
///
/// Docs/decisions/database.md explains who starts it again and where its log is.
public actor LocalCluster {
    static let user = "belfry"
    static let database = "belfry"
    static let port = 5432
    /// After this a fast shutdown becomes an immediate one.
    static let stopTimeout = Duration.seconds(30)
    /// The time between two checks of the server: whether it still runs, and how long its log is.
    static let watchInterval = Duration.seconds(1)
    static let pollInterval = Duration.milliseconds(20)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let loop: EventLoop
    /// An absolute path.
    public nonisolated let directory: String
    /// The configuration for connections to the database `belfry`.
    public nonisolated let configuration: PostgresConfiguration
    /// The same as a connection string.
    public nonisolated let url: String
    let options: Options
    let logger: Logger
    let account: ServerAccount
    let binaries: ServerBinaries
    let languageLibrary: String?
    let socketDirectory: String
    /// The descriptor of the lock file. The owner holds it with flock, which ends with the process.
    var ownerLock: Int32?
    var log: ServerLog?
    var watchTimer: EventLoop.Timer?
    /// When the server last became ready; nil while it doesn't run.
    var readySince: MonotonicTime?
    var programWatch: ProgramWatch?
    /// Set while the server is being stopped on purpose.
    var isStopping = false
    var pauses = RestartPauses()
    /// Starts the server again after it ended by itself.
    var revival: Task<Void, Never>?
    let process = Lock<ChildProcess?>(nil)

    /// Starts the cluster, after creating it if the directory has none, or attaches to the running one.
    public static func start(
        directory: String, options: Options = Options(), logger: Logger
    ) async throws -> LocalCluster {
        let cluster = try LocalCluster(directory: directory, options: options, logger: logger)
        try await withTaskExecutorPreference(cluster.loop) { try await cluster.startOrAttach() }
        return cluster
    }

    init(directory: String, options: Options, logger: Logger) throws {
        self.directory = Self.absolute(directory)
        self.options = options
        self.logger = logger
        account = try ServerAccount()
        let version = Self.majorVersion(of: "\(self.directory)/data")
        if let programs = options.programs {
            binaries = try ServerBinaries(preferring: version, named: programs)
        } else {
            binaries = try ServerBinaries(preferring: version)
        }
        languageLibrary = binaries.languageLibrary
        guard access("/usr/bin/setpriv", X_OK) == 0 else { throw LocalClusterError.setprivMissing }
        socketDirectory = Self.socketDirectory(for: self.directory)
        configuration = Self.configuration(of: directory)
        url = Self.url(hosts: [socketDirectory])
        loop = try EventLoop(name: "local-cluster")
    }

    deinit {
        // The end of the thread stops the server; closing the lock admits the next owner.
        loop.stop()
        if let ownerLock { Glibc.close(ownerLock) }
    }

    public var isOwner: Bool { ownerLock != nil }

    /// The process id of the server, if this process owns it.
    public nonisolated var serverProcess: Int32? { process.withLock { $0?.id } }

    /// Performs a fast shutdown, which rolls back open transactions. It has an effect only in the owner.
    public func stop() async {
        await end(by: SIGINT)
        if isOwner { releaseOwnerLock() }
    }

    /// Stops like `pg_ctl stop -m immediate`: the server recovers at the next start.
    public func stopImmediately() async {
        await end(by: SIGQUIT)
        if isOwner { releaseOwnerLock() }
    }

    /// Kills the server, which is then started again: for tests of a crash.
    public nonisolated func killServer() {
        process.withLock { $0?.send(SIGKILL) }
    }

    /// Restarts the server, or starts it if it was stopped.
    public func restart() async throws {
        // A stop removes the socket's directory.
        try makeDirectories()
        guard try isOwner || takeOwnerLock() else { throw LocalClusterError.notOwner }
        await end(by: SIGINT)
        isStopping = false
        try await startAsOwner()
    }

    func end(by signal: Int32) async {
        isStopping = true
        await endServer(by: signal)
        // It may have been about to start another one.
        await revival?.value
        await endServer(by: signal)
    }

    func endServer(by signal: Int32) async {
        readySince = nil
        guard let child = process.withLock({ $0 }) else { return }
        child.send(signal)
        if await child.waitForExit(on: loop, within: Self.stopTimeout) == nil {
            child.send(SIGQUIT)
            _ = await child.waitForExit(on: loop, within: Self.stopTimeout)
        }
        process.withLock { $0 = nil }
    }

    // MARK: Starting

    func startOrAttach() async throws {
        try makeDirectories()
        let end = MonotonicTime.now() + options.startTimeout
        while true {
            if try takeOwnerLock() { return try await startAsOwner() }
            // The owner may still be starting the server, or may be exiting.
            if await isAnswering(database: Self.database) {
                logger.info("PostgreSQL already running", metadata: ["directory": "\(directory)"])
                return
            }
            guard .now() < end else { throw LocalClusterError.timedOut(options.startTimeout, log: logTail()) }
            try await loop.sleep(for: Self.pollInterval)
        }
    }

    func makeDirectories() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: Self.parent(of: directory), withIntermediateDirectories: true)
        } catch {
            throw LocalClusterError.cannotPrepare(directory: directory, reason: "\(error)")
        }
        try account.checkAccess(to: directory)
        try account.makeDirectory(directory)
        if socketDirectory != directory { try account.makeDirectory(socketDirectory) }
    }

    private func initialize() async throws {
        guard access("\(data)/PG_VERSION", F_OK) != 0 else { return }
        try checkSpace(options.minimumSpaceForNew)
        // Created in a temporary directory and renamed when complete: an interrupted initdb leaves no partial cluster.
        let new = "\(data).new"
        let logPath = "\(directory)/initdb.log"
        unlink(logPath)
        let log = try ServerLog(logPath)
        // As the account: it may write there while the directories are removed.
        let removal = try ChildProcess.spawn(account.command(["rm", "-rf", "--", new]), output: log.descriptor)
        guard await removal.succeeds(on: loop, within: options.startTimeout) else {
            throw LocalClusterError.cannotPrepare(directory: new, reason: ServerLog.tail(of: logPath))
        }
        let command = [
            binaries.initdb, "-D", new, "-U", Self.user, "--auth-local=peer", "--auth-host=reject",
            "--encoding=UTF8", "--locale=C.UTF-8",
        ]
        let child = try ChildProcess.spawn(
            account.command(command + (options.fsync ? [] : ["--no-sync"])), output: log.descriptor)
        guard await child.succeeds(on: loop, within: options.startTimeout) else {
            throw LocalClusterError.initializationFailed(log: ServerLog.tail(of: logPath))
        }
        guard rename(new, data) == 0 else {
            throw LocalClusterError.cannotPrepare(directory: data, reason: SystemError.lastReason)
        }
    }

    private func startAsOwner() async throws {
        do {
            try await initialize()
            try await startServer()
        } catch {
            releaseOwnerLock()
            throw error
        }
    }

    func startServer() async throws {
        try await checkData()
        try await endLeftServer()
        try await writeAuthentication()
        let log = try ServerLog(logPath)
        self.log = log
        watch()
        let hasLZ4 = await accepts("wal_compression=lz4")
        guard !isStopping else { throw CancellationError() }
        // As they are before the start: what replaces them meanwhile is noticed.
        let program = programFiles
        let command =
            [binaries.postgres, "-D", data, "-k", socketDirectory, "-p", "\(Self.port)"] + authenticationArguments
        let child = try ChildProcess.spawn(
            account.command(command + options.arguments(hasLZ4: hasLZ4)), output: log.descriptor)
        process.withLock { $0 = child }
        let end = MonotonicTime.now() + options.startTimeout
        while await !isAnswering(database: "postgres") {
            if child.exitStatus() != nil {
                process.withLock { $0 = nil }
                throw LocalClusterError.serverFailed(log: logTail())
            }
            guard .now() < end else {
                await endServer(by: SIGQUIT)
                throw LocalClusterError.timedOut(options.startTimeout, log: logTail())
            }
            await loop.pause(Self.pollInterval)
        }
        do {
            try await createDatabase()
        } catch {
            await endServer(by: SIGINT)
            throw error
        }
        programWatch = ProgramWatch(started: program)
        readySince = .now()
        logger.info("PostgreSQL started", metadata: ["directory": "\(directory)", "postgres_pid": "\(child.id)"])
    }

    /// Whether the server accepts a setting's value.
    private func accepts(_ setting: String) async -> Bool {
        let command = [binaries.postgres, "-D", data, "-c", setting, "-C", "wal_compression"]
        guard let child = try? ChildProcess.spawn(account.command(command)) else { return false }
        return await child.succeeds(on: loop, within: Self.stopTimeout)
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
            logger.trace("PostgreSQL not ready", metadata: ["reason": "\(error)"])
            return false
        }
    }

    func connect(database: String) async throws(PostgresError) -> PostgresConnection {
        var configuration = configuration
        configuration.database = database
        // It may be a standby.
        configuration.allowsReadOnly = true
        return try await .connect(configuration, on: loop, logger: logger)
    }
}
