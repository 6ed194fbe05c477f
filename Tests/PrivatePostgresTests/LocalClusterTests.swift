import EventLoop
import FoundationEssentials
import Glibc
import Postgres
import TestSupport
import Testing

@testable import PrivatePostgres

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
                let lz4 = try await pool.query(
                    "SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'wal_compression'")
                let compression = try lz4.value(0, Bool.self) ? "lz4" : "off"
                #expect(try await pool.query("SHOW wal_compression").value(0, String.self) == compression)
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

    /// Whoever can open the folder is Belfry's role only as one of its accounts; others need a password.
    @Test func rolesOfOthersNeedTheirPassword() async throws {
        try await withDirectory { path in
            let cluster = try await LocalCluster.start(directory: path, options: options, logger: quiet)
            try await TestLoop.run { loop in
                let owner = try await PostgresConnection.connect(
                    PostgresConfiguration(cluster.url), on: loop, logger: quiet)
                try await owner.execute("CREATE ROLE ada LOGIN PASSWORD 'a bell'")
                try await owner.execute("CREATE ROLE bob LOGIN")
                let rules = try await owner.query("SELECT DISTINCT auth_method FROM pg_hba_file_rules ORDER BY 1")
                #expect(try rules.map { try $0[0, as: String.self] } == ["peer", "reject", "scram-sha-256"])
                await owner.close()
                // Elsewhere, nothing takes from a role what PostgreSQL allows everybody.
                for name in ["postgres", "template1"] {
                    var other = try PostgresConfiguration("\(cluster.configuration) user=ada password='a bell'")
                    other.database = name
                    await #expect(throws: PostgresError.self) {
                        _ = try await PostgresConnection.connect(other, on: loop, logger: quiet)
                    }
                }
                for (user, password, isAllowed) in [
                    ("ada", "a bell", true), ("ada", "wrong", false), ("ada", "", false), ("bob", "", false),
                ] {
                    let text =
                        "\(cluster.configuration) user=\(user)" + (password.isEmpty ? "" : " password='\(password)'")
                    do {
                        let connection = try await PostgresConnection.connect(
                            PostgresConfiguration(text), on: loop, logger: quiet)
                        await connection.close()
                        #expect(isAllowed, "\(user) \(password)")
                    } catch {
                        #expect(!isAllowed, "\(user) \(password): \(error)")
                    }
                }
            }
            await cluster.stop()
        }
    }

    /// A statement that reads a table with partitions holds locks of each, and of its indexes.
    @Test func manyStatementsCanReadTenYearsOfPartitionsAtTheSameTime() async throws {
        try await withDirectory { path in
            let cluster = try await LocalCluster.start(directory: path, options: options, logger: quiet)
            try await TestLoop.run { loop in
                let pool = PostgresPool(cluster.configuration, on: loop, logger: quiet)
                try await pool.execute(
                    "CREATE TABLE events (n bigint PRIMARY KEY, at bigint NOT NULL) PARTITION BY RANGE (n)")
                try await pool.execute("CREATE INDEX ON events (at)")
                for year in 0..<10 {
                    try await pool.execute(
                        """
                        DO $$ BEGIN
                            FOR week IN \(unescaped: "\(year * 52)")..\(unescaped: "\(year * 52 + 51)") LOOP
                                EXECUTE format('CREATE TABLE events_%s PARTITION OF events FOR VALUES FROM (%s) TO (%s)',
                                    week, week, week + 1);
                            END LOOP;
                        END $$
                        """)
                }
                await pool.close()
                var readers: [PostgresConnection] = []
                for _ in 0..<32 {
                    let reader = try await PostgresConnection.connect(cluster.configuration, on: loop, logger: quiet)
                    try await reader.execute("BEGIN")
                    #expect(try await reader.query("SELECT count(*) FROM events").value(0, Int64.self) == 0)
                    readers.append(reader)
                }
                let locks = try await readers[0].query("SELECT count(*) FROM pg_locks WHERE relation IS NOT NULL")
                #expect(try locks.value(0, Int64.self) > 32 * 3 * 520)
                for reader in readers { await reader.close() }
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

    /// Also while a process of the killed server is busy, which keeps the next one from starting.
    @Test func killedServerIsStartedAgain() async throws {
        try await withDirectory { path in
            let log = CapturedLog()
            let cluster = try await LocalCluster.start(directory: path, options: options, logger: log.makeLogger())
            try await TestLoop.run { loop in
                let pool = PostgresPool(cluster.configuration, on: loop, logger: quiet)
                try await pool.execute("CREATE TABLE t AS SELECT 1 AS n")
                let busy = try await PostgresConnection.connect(cluster.configuration, on: loop, logger: quiet)
                let endless = Task { try await busy.query("SELECT count(*) FROM generate_series(1, 1000000000000)") }
                let isBusy: PostgresQuery =
                    "SELECT FROM pg_stat_activity WHERE query LIKE '%1000000000000)' AND state = 'active'"
                while try await pool.query(isBusy).isEmpty {}
                let killed = try #require(cluster.serverProcess)
                cluster.killServer()
                let began = MonotonicTime.now()
                await #expect(throws: PostgresError.self) { _ = try await endless.value }
                while true {
                    do throws(PostgresError) {
                        _ = try await pool.query("SELECT n FROM t")
                        break
                    } catch {
                        try #require(error.isUnavailable && .now() < began + .seconds(5))
                        try await loop.sleep(for: .milliseconds(50))
                    }
                }
                await busy.close()
                await pool.close()
                #expect(cluster.serverProcess != killed)
            }
            #expect(log.text.split(separator: "\n").count { $0.contains("ended by itself") } == 1)
            await cluster.stop()
            #expect(cluster.serverProcess == nil)
        }
    }

    @Test func dataOfAnotherVersionOrUserIsNamedInOneLine() async throws {
        try await withDirectory { path in
            let cluster = try await LocalCluster.start(directory: path, options: options, logger: quiet)
            await cluster.stop()
            func startError() async throws -> LocalClusterError? {
                await #expect(throws: LocalClusterError.self) {
                    _ = try await LocalCluster.start(directory: path, options: options, logger: quiet)
                }
            }
            let data = "\(path)/data"
            let version = try String(contentsOfFile: "\(data)/PG_VERSION", encoding: .utf8)
            try "9\n".write(toFile: "\(data)/PG_VERSION", atomically: false, encoding: .utf8)
            let other = try #require(try await startError())
            #expect("\(other)".contains("\(data) was written by PostgreSQL 9"))
            try version.write(toFile: "\(data)/PG_VERSION", atomically: false, encoding: .utf8)

            try #require(geteuid() == 0)
            var information = stat()
            try #require(stat(data, &information) == 0 && chown(data, 0, 0) == 0)
            #expect(try await startError() == .foreignData(data, account: "postgres"))
            try #require(chown(data, information.st_uid, information.st_gid) == 0)
            // A start that failed does not keep the next one away.
            let again = try await LocalCluster.start(directory: path, options: options, logger: quiet)
            #expect(await again.isOwner)
            await again.stop()
        }
    }

    @Test func fullDiskIsNamedInOneLine() async throws {
        try await withDirectory { path in
            func startError(_ options: LocalCluster.Options) async throws -> String {
                let error = await #expect(throws: LocalClusterError.self) {
                    _ = try await LocalCluster.start(directory: path, options: options, logger: quiet)
                }
                return "\(try #require(error))"
            }
            var full = options
            full.minimumSpaceForNew = 1 << 60
            #expect(try await startError(full).hasSuffix("needs at least 1099511627776 MB; free some space"))
            #expect(!FileManager.default.fileExists(atPath: "\(path)/data"))
            let cluster = try await LocalCluster.start(directory: path, options: options, logger: quiet)
            await cluster.stop()
            full.minimumSpace = 1 << 60
            #expect(try await startError(full).hasPrefix("the disk of \(path) has "))
        }
    }

    @Test func pausesGrowUntilAServerWasHealthy() {
        var pauses = RestartPauses()
        #expect(pauses.ended(after: .seconds(5)) == .zero)
        #expect(
            (0..<8).map { _ in pauses.ended(after: .seconds(5)) } == [0.5, 1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        #expect(pauses.ended(after: .seconds(61)) == .zero)
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
