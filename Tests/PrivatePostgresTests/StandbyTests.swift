import EventLoop
import FoundationEssentials
import Glibc
import Postgres
import PrivatePostgres
import TestSupport
import Testing

/// Several hosts, one of which accepts writes.
@Suite(.serialized) struct StandbyTests {
    private func withPair(_ body: (LocalCluster, LocalCluster) async throws -> Void) async throws {
        let folder = "\(ScratchSpace.path)/belfry-pair-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = LocalCluster.Options()
        options.fsync = false
        let primary = try await LocalCluster.start(directory: "\(folder)/1", options: options, logger: quiet)
        let standby = try await primary.startStandby(directory: "\(folder)/2")
        do {
            try await body(primary, standby)
        } catch {
            await standby.stopImmediately()
            await primary.stopImmediately()
            throw error
        }
        await standby.stopImmediately()
        await primary.stopImmediately()
    }

    /// Both servers, the standby first.
    private func both(_ primary: LocalCluster, _ standby: LocalCluster) throws -> PostgresConfiguration {
        let hosts = [standby, primary].map { $0.directory }.joined(separator: ",")
        return try PostgresConfiguration("host=\(hosts) user=belfry dbname=belfry")
    }

    @Test func connectionGoesToTheHostThatAcceptsWrites() async throws {
        try await withPair { primary, standby in
            try await TestLoop.run { loop in
                let configuration = try both(primary, standby)
                let first = try await PostgresConnection.connect(configuration, on: loop, logger: quiet)
                // The standby has the table when the primary is gone.
                try await primary.makeSynchronous()
                try await first.execute("CREATE TABLE t (n int)")
                await first.close()
                await primary.stopImmediately()

                let refusal = await postgresError {
                    _ = try await PostgresConnection.connect(configuration, on: loop, logger: quiet)
                }
                #expect(refusal?.kind == .connectFailed && refusal?.isUnavailable == true)
                #expect(refusal?.message.contains("session is read-only") == true)

                try await standby.promote()
                let second = try await PostgresConnection.connect(configuration, on: loop, logger: quiet)
                try await second.execute("INSERT INTO t VALUES (1)")
                await second.close()
            }
        }
    }

    @Test func sessionThatTurnsOutReadOnlyIsNotUsedAgain() async throws {
        try await withPair { primary, standby in
            try await TestLoop.run { loop in
                var configuration = try PostgresConfiguration(standby.url)
                configuration.allowsReadOnly = true
                let connection = try await PostgresConnection.connect(configuration, on: loop, logger: quiet)
                let refusal = await postgresError { try await connection.execute("CREATE TABLE t (n int)") }
                #expect(refusal?.sqlState == "25006")
                #expect(refusal?.kind == .connectionLost(duringCommit: false))
                #expect(await !connection.isOpen)
            }
        }
    }
}
