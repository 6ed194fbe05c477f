import Logging
import Postgres
import TestSupport
import Testing

/// The pool's log while the database is away.
struct PoolOutageTests {
    /// The pool tries to connect many times, and says so once.
    @Test func poolSaysOnceThatTheDatabaseIsAway() async throws {
        try await TestLoop.run { loop in
            let log = CapturedLog()
            var limits = PostgresPool.Limits(connections: 2)
            limits.wait = .milliseconds(800)
            let pool = PostgresPool(
                try PostgresConfiguration("postgresql:///belfry?host=/nonexistent"), limits: limits, on: loop,
                logger: log.makeLogger())
            for _ in 0..<2 { await #expect(throws: PostgresError.self) { try await pool.execute("SELECT") } }
            let lines = log.text.split(separator: "\n").filter { $0.contains("database connection failed") }
            #expect(lines.count { $0.hasPrefix("warning") } == 1)
            #expect(lines.count > 2)
            await pool.close()
        }
    }
}
