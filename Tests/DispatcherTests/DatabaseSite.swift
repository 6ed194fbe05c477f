import EventLoop
import Foundation
import Logging
import Postgres
import PrivatePostgres
import TestSupport

/// A PostgreSQL server of its own with Belfry's schema, whose files can be put back, and a standby that follows it.
final class DatabaseSite: Sendable {
    private let folder: String
    private let primary: LocalCluster
    let configuration: PostgresConfiguration

    private static var options: LocalCluster.Options {
        var options = LocalCluster.Options()
        options.fsync = false
        options.settings = ["shared_buffers": "32MB"]
        return options
    }

    private static let logger = Logger(label: "site") { _ in SwiftLogNoOpLogHandler() }

    private init(folder: String) async throws {
        self.folder = folder
        var options = Self.options
        // For a recovery to a moment between two backups.
        options.settings["archive_mode"] = "on"
        options.settings["archive_command"] = "cp %p \(folder)/archive/%f"
        primary = try await LocalCluster.start(directory: "\(folder)/1", options: options, logger: Self.logger)
        let hosts = ["1", "2"].map { "\(folder)/\($0)" }.joined(separator: ",")
        configuration = try PostgresConfiguration("host=\(hosts) user=belfry dbname=belfry connect_timeout=5")
    }

    static func run(_ body: (DatabaseSite) async throws -> Void) async throws {
        let folder = "\(ScratchSpace.path)/belfry-site-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: "\(folder)/archive", withIntermediateDirectories: true)
        // The server has an account of its own.
        for path in [folder, "\(folder)/archive"] { chmod(path, 0o777) }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let site = try await DatabaseSite(folder: folder)
        do {
            try await TestDatabase.migrate(site.configuration)
            try await body(site)
        } catch {
            await site.primary.stopImmediately()
            throw error
        }
        await site.primary.stopImmediately()
    }

    // MARK: Restarts

    func restart() async throws { try await primary.restart() }

    /// The server is killed, and starts again by itself.
    func crash() { primary.killServer() }

    // MARK: Backups

    private var data: String { "\(folder)/1/data" }
    private var backup: String { "\(folder)/backup" }

    /// Copies the files while the server runs.
    func backUp() async throws {
        try await Shell.run(
            "pg_basebackup", "-D", backup, "-h", "\(folder)/1", "-p", "5432", "-U", "belfry", "-X", "stream",
            "--checkpoint=fast", "--no-sync")
        try await Shell.run("chown", "-R", "--reference=\(data)", backup)
    }

    /// Stops the server and starts it with the files of the backup.
    func putBack() async throws {
        await primary.stop()
        try await replaceData()
        try await primary.restart()
    }

    /// Recovers the backup to the restore point, which is after it.
    func recover(to point: String) async throws {
        await primary.stop()
        try await replaceData()
        let recovery = """
            restore_command = 'cp \(folder)/archive/%f %p'
            recovery_target_name = '\(point)'
            recovery_target_action = 'promote'

            """
        let settings = "\(data)/postgresql.auto.conf"
        let before = try String(contentsOfFile: settings, encoding: .utf8)
        try (before + recovery).write(toFile: settings, atomically: false, encoding: .utf8)
        try await Shell.run("touch", "\(data)/recovery.signal")
        try await Shell.run("chown", "--reference=\(data)", "\(data)/recovery.signal")
        try await primary.restart()
    }

    private func replaceData() async throws {
        try FileManager.default.removeItem(atPath: data)
        try await Shell.run("cp", "-a", backup, data)
    }

    // MARK: Failover

    /// Runs the body with a standby. It is stopped afterwards.
    func withStandby(_ body: (LocalCluster) async throws -> Void) async throws {
        let standby = try await primary.startStandby(directory: "\(folder)/2")
        do {
            try await body(standby)
        } catch {
            await standby.stopImmediately()
            throw error
        }
        await standby.stopImmediately()
    }

    /// The standby gets nothing more.
    func cutReplication(to standby: LocalCluster) async throws {
        try await Self.administer(standby, "ALTER SYSTEM SET primary_conninfo = ''")
        try await Self.administer(standby, "SELECT pg_reload_conf()")
        try await Self.wait(standby, "SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver)")
    }

    func makeSynchronous() async throws { try await primary.makeSynchronous() }

    private static func administer(_ cluster: LocalCluster, _ statement: PostgresQuery) async throws {
        try await TestLoop.run { loop in
            let connection = try await connect(to: cluster, on: loop)
            try await connection.execute(statement)
            await connection.close()
        }
    }

    /// Waits until the answer is true, on a new connection each time.
    private static func wait(_ cluster: LocalCluster, _ question: PostgresQuery) async throws {
        try await TestLoop.run { loop in
            while true {
                let connection = try await connect(to: cluster, on: loop)
                let isMet: Bool = try await connection.query(question)[0][0]
                await connection.close()
                if isMet { return }
                try await loop.sleep(for: .milliseconds(10))
            }
        }
    }

    private static func connect(to cluster: LocalCluster, on loop: EventLoop) async throws -> PostgresConnection {
        var configuration = cluster.configuration
        configuration.allowsReadOnly = true
        return try await PostgresConnection.connect(configuration, on: loop, logger: logger)
    }

    /// The primary is lost, and the standby takes over.
    func failOver(to standby: LocalCluster) async throws {
        await primary.stopImmediately()
        try await standby.promote()
    }
}
