import EventLoop
import Glibc
public import Postgres

/// Replication between two private clusters on this machine, for tests of a failover.
extension LocalCluster {
    /// Copies this cluster into `directory` and starts the copy as a standby, which follows this one.
    public func startStandby(directory: String) async throws -> LocalCluster {
        let standby = try LocalCluster(directory: directory, options: options, logger: logger)
        try await withTaskExecutorPreference(standby.loop) { try await standby.follow(socketDirectory) }
        return standby
    }

    /// The connection string for this server and its standby: whichever accepts writes.
    public nonisolated func url(with standby: LocalCluster) -> String {
        Self.url(hosts: [socketDirectory, standby.socketDirectory])
    }

    /// From now on each commit is confirmed when the standby has it too.
    public func makeSynchronous() async throws(PostgresError) {
        let connection = try await connect(database: Self.database)
        do throws(PostgresError) {
            try await connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try await connection.execute("SELECT pg_reload_conf()")
            let isSynchronous: PostgresQuery = """
                SELECT current_setting('synchronous_standby_names') = '*'
                    AND EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')
                """
            while try await !connection.query(isSynchronous)[0][0, as: Bool.self] {
                do {
                    try await loop.sleep(for: Self.pollInterval)
                } catch {
                    break
                }
            }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }

    private func follow(_ primary: String) async throws {
        try makeDirectories()
        let logPath = "\(directory)/basebackup.log"
        let log = try ServerLog(logPath)
        let child = try ChildProcess.spawn(
            account.command([
                binaries.baseBackup, "-D", data, "-h", primary, "-p", "\(Self.port)", "-U", Self.user, "-X", "stream",
                "--checkpoint=fast", "--write-recovery-conf", "--no-sync",
            ]), output: log.descriptor)
        guard await child.succeeds(on: loop, within: options.startTimeout) else {
            throw LocalClusterError.cannotPrepare(directory: data, reason: ServerLog.tail(of: logPath))
        }
        try await startOrAttach()
    }

    /// Makes a standby accept writes, on a new timeline; returns when it does.
    public func promote() async throws(PostgresError) {
        let connection = try await connect(database: Self.database)
        do throws(PostgresError) {
            _ = try await connection.query("SELECT pg_promote()")
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}
