import EventLoop
import Logging
import Postgres
import TestSupport
import Testing

struct OutageTests {
    private static let error = PostgresError(.poolExhausted, "gone")

    @Test func anOutageIsLoggedWhenItBeginsAndWhenItEnds() {
        let log = CapturedLog()
        let logger = log.makeLogger()
        let start = MonotonicTime.now()
        var outage = Outage()
        outage.succeeded("works again", at: start, in: logger)
        #expect(log.text.isEmpty)
        for second in 0..<100 {
            outage.failed("fails", because: Self.error, at: start + .seconds(second), in: logger)
        }
        outage.succeeded("works again", at: start + .seconds(100), in: logger)
        outage.succeeded("works again", at: start + .seconds(101), in: logger)
        let lines = log.text.split(separator: "\n").filter { !$0.hasPrefix("debug") }
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("warning fails") == true)
        #expect(lines.last?.hasPrefix("info works again") == true && lines.last?.contains("100 s") == true)
    }

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
