import EventLoop
import Logging
import Postgres
import TestSupport
import Testing

/// The pool's log while the database is away.
struct PoolOutageTests {
    private func warnings(_ log: CapturedLog) -> [Substring] {
        log.text.split(separator: "\n").filter { $0.hasPrefix("warning") && $0.contains("database connection failed") }
    }

    private func pool(on loop: EventLoop, _ log: CapturedLog, _ outage: SharedOutage = SharedOutage()) throws
        -> PostgresPool
    {
        var limits = PostgresPool.Limits(connections: 2)
        limits.wait = .milliseconds(800)
        return PostgresPool(
            try PostgresConfiguration("postgresql:///belfry?host=/nonexistent"), limits: limits, on: loop,
            logger: log.makeLogger(), outage: outage)
    }

    /// The pool tries to connect many times, and says so once.
    @Test func poolSaysOnceThatTheDatabaseIsAway() async throws {
        try await TestLoop.run { loop in
            let log = CapturedLog()
            let pool = try pool(on: loop, log)
            for _ in 0..<2 { await #expect(throws: PostgresError.self) { try await pool.execute("SELECT") } }
            #expect(warnings(log).count == 1)
            #expect(log.text.split(separator: "\n").count { $0.contains("database connection failed") } > 2)
            await pool.close()
        }
    }

    /// Each loop of a process has a pool.
    @Test func poolsThatShareAnOutageSayItOnceTogether() async throws {
        try await TestLoop.run { loop in
            let log = CapturedLog()
            let outage = SharedOutage()
            for _ in 0..<3 {
                let pool = try pool(on: loop, log, outage)
                await #expect(throws: PostgresError.self) { try await pool.execute("SELECT") }
                await pool.close()
            }
            #expect(warnings(log).count == 1 && outage.isOngoing)
        }
    }
}
