import APNSSimulator
import Campaigns
import JSON
import Postgres
import Store
import TestSupport
import Testing

extension DispatcherSuite {
    /// Faults of the database while a run is planned.
    @Suite struct DatabaseFaultTests {
        /// A library that can't be loaded, an internal error, memory, a statement that was cancelled, a failed disk.
        @Test(arguments: ["58P01", "XX000", "53200", "57014", "58030"])
        func faultOfTheDatabaseIsWaitedForAndPausesNothing(_ code: String) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                try await Self.fail(bench.pool, with: code)
                let campaign = try await bench.campaign()
                try await bench.withWorker {
                    // Several attempts at planning have failed.
                    try await bench.until { try await Self.attempts(bench.pool) >= 2 }
                    let run = try await bench.run(of: campaign)
                    #expect(run.state == .sending && run.reason == nil)
                    try await bench.pool.execute("DROP TRIGGER fault ON batches")
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                #expect(bench.record.counts.requests == 3)
            }
        }

        @Test func otherErrorsPauseTheRunWithoutTheTextOfTheDatabase() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                try await Self.fail(bench.pool, with: "42P01")
                _ = try await bench.campaign()
                let run = try await bench.startedRun()
                try await bench.withWorker {
                    try await bench.untilPaused(run)
                    let reason = try #require(try await bench.runs.find(run, app: bench.app).reason)
                    #expect(reason.description.hasPrefix("The audience could not be evaluated: "))
                    for text in ["SELECT", "INSERT", "PostgreSQL", "42P01", "library"] {
                        #expect(!reason.description.contains(text))
                    }
                }
            }
        }

        /// Each batch that is planned fails, and is counted outside the transaction.
        private static func fail(_ pool: PostgresPool, with code: String) async throws {
            try await pool.execute("CREATE SEQUENCE attempts")
            try await pool.execute(
                """
                CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    PERFORM nextval('attempts');
                    RAISE EXCEPTION 'could not use library' USING ERRCODE = '\(unescaped: code)';
                END $$
                """)
            try await pool.execute("CREATE TRIGGER fault BEFORE INSERT ON batches EXECUTE FUNCTION fault()")
        }

        private static func attempts(_ pool: PostgresPool) async throws -> Int {
            try await pool.query("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM attempts")[0][0]
        }
    }
}
