import EventLoop
import FoundationEssentials
import Glibc
import Postgres
import TestSupport
import Testing

@Suite(.serialized) struct LocalClusterTests {
    func withDirectory(_ body: (String) async throws -> Void) async throws {
        let path = "\(ScratchSpace.path)/belfry-cluster-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        do {
            try await body(path)
        } catch {
            // A server that is shutting down may be removing files of its own.
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
        try FileManager.default.removeItem(atPath: path)
    }

    var options: LocalCluster.Options {
        var options = LocalCluster.Options()
        options.fsync = false
        return options
    }

    @Test func clusterKeepsItsDataOverStopsAndCrashes() async throws {
        try await withDirectory { path in
            let cluster = try await LocalCluster.start(directory: path, options: options, logger: quiet)
            try await TestLoop.run { loop in
                let pool = PostgresPool(try PostgresConfiguration(cluster.url), on: loop, logger: quiet)
                try await pool.execute("CREATE TABLE t (n int)")
                try await pool.execute("INSERT INTO t VALUES (1)")
                #expect(try await pool.query("SHOW wal_compression").value(0, String.self) == "lz4")
                #expect(try await pool.query("SHOW listen_addresses").value(0, String.self) == "")
                try await cluster.restart()
                #expect(try await pool.query("SELECT n FROM t").count == 1)
                await cluster.stopImmediately()
                #expect(cluster.serverProcess == nil)
                try await cluster.restart()
                #expect(try await pool.query("SELECT n FROM t").count == 1)
                await pool.close()
            }
            await cluster.stop()
        }
    }

    @Test func secondProcessAttachesAndDoesNotStopIt() async throws {
        try await withDirectory { path in
            // flock belongs to the open file, so two clusters in one process behave as two processes.
            async let one = LocalCluster.start(directory: path, options: options, logger: quiet)
            async let two = LocalCluster.start(directory: path, options: options, logger: quiet)
            let both = [try await one, try await two]
            var owners: [LocalCluster] = []
            for cluster in both { if await cluster.isOwner { owners.append(cluster) } }
            #expect(owners.count == 1)
            for cluster in both where await !cluster.isOwner {
                await cluster.stop()
                await #expect(throws: LocalClusterError.notOwner) { try await cluster.restart() }
            }
            try await TestLoop.run { loop in
                let connection = try await PostgresConnection.connect(owners[0].configuration, on: loop, logger: quiet)
                #expect(try await connection.query("SELECT 1").count == 1)
                await connection.close()
            }
            await owners[0].stop()
        }
    }

    @Test func poolComesBackAfterARestartUnderLoad() async throws {
        try await withDirectory { path in
            let cluster = try await LocalCluster.start(directory: path, options: options, logger: quiet)
            try await TestLoop.run { loop in
                var limits = PostgresPool.Limits(connections: 4)
                limits.wait = .seconds(30)
                let pool = PostgresPool(cluster.configuration, limits: limits, on: loop, logger: quiet)
                try await pool.execute("CREATE TABLE t (n bigint PRIMARY KEY)")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for worker in 0..<8 {
                        group.addTask {
                            for number in 0..<200 {
                                let id = worker * 1_000 + number
                                while true {
                                    do throws(PostgresError) {
                                        try await pool.execute("INSERT INTO t VALUES (\(id)) ON CONFLICT DO NOTHING")
                                        break
                                    } catch {
                                        guard error.isUnavailable else { throw error }
                                    }
                                }
                            }
                        }
                    }
                    group.addTask {
                        await cluster.stopImmediately()
                        try await cluster.restart()
                    }
                    try await group.waitForAll()
                }
                #expect(try await pool.query("SELECT count(*) FROM t").value(0, Int.self) == 1_600)
                await pool.close()
            }
            await cluster.stop()
        }
    }

    @Test func serverEndsWithItsOwner() async throws {
        try await withDirectory { path in
            var cluster: LocalCluster? = try await LocalCluster.start(directory: path, options: options, logger: quiet)
            let process = try #require(cluster?.serverProcess)
            cluster = nil
            var status: Int32 = 0
            #expect(waitpid(process, &status, 0) == process)
            #expect(status == 0)
            let again = try await LocalCluster.start(directory: path, options: options, logger: quiet)
            #expect(await again.isOwner)
            await again.stop()
        }
    }

    @Test func directoryThatCannotBeEnteredIsNamed() async throws {
        try await withDirectory { path in
            try #require(geteuid() == 0)
            mkdir(path, 0o700)
            let error = await #expect(throws: LocalClusterError.self) {
                _ = try await LocalCluster.start(directory: "\(path)/var/postgres", options: options, logger: quiet)
            }
            #expect(error == .accessDenied(path: path, directory: "\(path)/var/postgres"))
        }
    }

    @Test func longPathsGetAShortSocketDirectory() async throws {
        try await withDirectory { path in
            let name = String(repeating: "d", count: 120)
            let cluster = try await LocalCluster.start(directory: "\(path)/\(name)", options: options, logger: quiet)
            #expect(!cluster.url.contains(name))
            await cluster.stopImmediately()
            // That directory went with the stop.
            try await cluster.restart()
            await cluster.stop()
        }
    }
}
