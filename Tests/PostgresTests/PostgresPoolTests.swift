import Postgres
import TestSupport
import Testing

@testable import EventLoop

@Suite struct PostgresPoolTests {
    func withPool(
        _ limits: PostgresPool.Limits, _ body: (PostgresPool, EventLoop) async throws -> Void
    ) async throws {
        try await TestDatabase.withDatabase { configuration in
            try await TestLoop.run { loop in
                let pool = PostgresPool(configuration, limits: limits, on: loop, logger: quiet)
                try await body(pool, loop)
                await pool.close()
            }
        }
    }

    @Test func noMoreConnectionsThanTheLimit() async throws {
        try await withPool(PostgresPool.Limits(connections: 3)) { pool, loop in
            let processes = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let value = try await pool.query("SELECT pg_backend_pid()")[0][0, as: Int.self]
                        #expect(loop.isCurrent)
                        return value
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(processes.count <= 3)
            #expect(await pool.idleConnections == processes.count)
            #expect(await pool.busyConnections == 0)
        }
    }

    /// As when an audience is counted within milliseconds, and the server does not even get to its savepoint.
    @Test func statementWhoseDeadlinePassesIsUndoneAlone() async throws {
        try await withPool(PostgresPool.Limits(connections: 1)) { pool, loop in
            let other = try await PostgresConnection.connect(pool.configuration, on: loop, logger: quiet)
            try await pool.joiningTransaction {
                try await pool.withConnection { connection in
                    async let busy: Void = connection.queryScript("SELECT pg_sleep(0.5)")
                    try await untilRunning("SELECT pg_sleep(0.5)", seenBy: other)
                    _ = await postgresError { _ = try await pool.query("SELECT 1", deadline: .milliseconds(10)) }
                    try await busy
                }
                #expect(try await pool.query("SELECT 2")[0][0, as: Int.self] == 2)
            }
            await other.close()
        }
    }

    @Test func tasksOfSeveralLoopsShareThePool() async throws {
        try await withPool(PostgresPool.Limits(connections: 3)) { pool, _ in
            let loops = try EventLoopGroup(count: 4, name: "caller")
            defer { loops.stop() }
            try await pool.execute("CREATE TABLE n (n int)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<80 {
                    let loop = loops.next()
                    group.addTask(executorPreference: loop) {
                        let sum = try await pool.transaction { connection in
                            try await connection.execute("INSERT INTO n VALUES (\(Int32(number)))")
                            return try await connection.query("SELECT sum(n) FROM n WHERE n = \(Int32(number))")[0][
                                0, as: Int.self]
                        }
                        #expect(sum == number && loop.isCurrent)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await pool.query("SELECT count(*) FROM n")[0][0] == 80)
        }
    }

    @Test func moreStatementsThanArePreparedDoNotCostTheConnection() async throws {
        try await TestDatabase.withDatabase { configuration in
            var configuration = configuration
            configuration.preparedStatements = 2
            try await TestLoop.run { [configuration] loop in
                let pool = PostgresPool(
                    configuration, limits: PostgresPool.Limits(connections: 1), on: loop, logger: quiet)
                var processes: Set<Int> = []
                for number in 0..<1_000 {
                    let rows = try await pool.query("SELECT pg_backend_pid() AS p\(unescaped: "\(number)")")
                    processes.insert(try rows[0][0])
                }
                #expect(processes.count == 1)
                await pool.close()
            }
        }
    }

    @Test func queriesNeverLeaveTheLoop() async throws {
        try await withPool(PostgresPool.Limits(connections: 2)) { pool, loop in
            try await pool.execute("CREATE TABLE t (n int)")
            let before = loop.crossings
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await pool.execute("INSERT INTO t VALUES (\(number))")
                        #expect(loop.isCurrent)
                    }
                }
                try await group.waitForAll()
            }
            #expect(loop.crossings == before)
        }
    }

    @Test func callersBeyondTheLimitsAreRefusedInTime() async throws {
        var limits = PostgresPool.Limits(connections: 1)
        limits.waiters = 1
        limits.wait = .seconds(5)
        try await withPool(limits) { pool, _ in
            try await pool.withConnection { _ in
                async let waiting = postgresError { _ = try await pool.query("SELECT 1") }
                while await pool.waiters == 0 { await Task.yield() }
                let refused = await postgresError { _ = try await pool.query("SELECT 1") }
                #expect(refused?.message == "too many callers are waiting for a connection (limit 1)")
                #expect(await waiting?.kind == .poolExhausted)
                #expect(await pool.waiters == 0)
            }
            #expect(try await pool.query("SELECT 1").count == 1)
        }
    }

    @Test func cancelledWaiterLeavesTheQueue() async throws {
        try await withPool(PostgresPool.Limits(connections: 1)) { pool, _ in
            try await pool.withConnection { _ in
                let error = await withTaskGroup(of: PostgresError?.self) { group in
                    group.addTask { await postgresError { _ = try await pool.query("SELECT 1") } }
                    while await pool.waiters == 0 { await Task.yield() }
                    group.cancelAll()
                    return await group.next() ?? nil
                }
                #expect(error?.kind == .cancelled)
            }
            #expect(try await pool.query("SELECT 1").count == 1)
        }
    }

    @Test func brokenAndUnfinishedConnectionsAreReplaced() async throws {
        try await withPool(PostgresPool.Limits(connections: 1)) { pool, _ in
            let first = try await pool.query("SELECT pg_backend_pid()")[0][0, as: Int32.self]
            try await pool.withConnection { try await $0.execute("BEGIN") }
            let second = try await pool.query("SELECT pg_backend_pid()")[0][0, as: Int32.self]
            #expect(first != second)
            #expect(
                await postgresError {
                    try await pool.execute("SELECT pg_terminate_backend(pg_backend_pid())")
                }?.isUnavailable == true)
            let third = try await pool.query("SELECT pg_backend_pid()")[0][0, as: Int32.self]
            #expect(second != third)
        }
    }

    @Test func longIdleConnectionIsCheckedFirst() async throws {
        var limits = PostgresPool.Limits(connections: 1)
        limits.idleBeforeCheck = .zero
        try await withPool(limits) { pool, _ in
            let first = try await pool.query("SELECT pg_backend_pid()")[0][0, as: Int32.self]
            let again = try await pool.query("SELECT pg_backend_pid()")[0][0, as: Int32.self]
            #expect(first == again)
        }
    }

    @Test func unavailableDatabaseIsReported() async throws {
        try await TestLoop.run { loop in
            let nowhere = PostgresConfiguration(socketDirectory: "/nonexistent", user: "u", database: "d")
            var limits = PostgresPool.Limits(connections: 1)
            limits.wait = .milliseconds(100)
            let pool = PostgresPool(nowhere, limits: limits, on: loop, logger: quiet)
            #expect(await postgresError { _ = try await pool.query("SELECT 1") }?.isUnavailable == true)
            await pool.close()
            #expect(await postgresError { _ = try await pool.query("SELECT 1") }?.kind == .poolExhausted)
        }
    }
}
