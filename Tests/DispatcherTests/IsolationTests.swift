import APNSSimulator
import Campaigns
import JSON
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// A run or campaign that fails, or takes long, harms only itself.
    @Suite struct IsolationTests {
        @Test func brokenCampaignsDoNotKeepOthersFromStarting() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                for number in 1...25 {
                    let broken = try await bench.campaigns.create(
                        app: bench.app, CampaignContent(name: "\(number)", payload: #"{"aps":{"alert":"Ding"}}"#))
                    try await bench.pool.execute(
                        """
                        UPDATE campaigns SET state = 'scheduled', schedule = '{"kind": "unheard-of"}',
                            next_check_at = now() - interval '1 hour', handled_until = now() - interval '2 hours' WHERE id = \(broken.id)
                        """)
                }
                let good = try await bench.campaign()
                try await bench.withWorker {
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                #expect(try await bench.run(of: good).ledger[.accepted] == 3)
                let waiting = try await bench.pool.query("SELECT FROM campaigns WHERE state = 'scheduled'")
                #expect(waiting.count == 25)
            }
        }

        @Test func runWhosePlanningTakesTooLongIsPausedAndTheOthersGoOn() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...10)
                _ = try await bench.campaign()
                let slow = try await bench.startedRun()
                try await bench.trigger(
                    "BEFORE INSERT ON batches", "IF NEW.run_id = \(slow) THEN PERFORM pg_sleep(60); END IF;")
                let good = try await bench.campaign()
                var options = DispatcherFixture.options
                options.planDeadline = .milliseconds(500)
                try await bench.withWorker(options) {
                    await bench.log.wait(for: \.isVerifiedFinish)
                    #expect(try await bench.runs.find(slow, app: bench.app).state == .sending)
                    try await bench.untilPaused(slow)
                }
                let paused = try await bench.runs.find(slow, app: bench.app)
                #expect(paused.reason?.description.hasPrefix("Evaluating the audience takes too long") == true)
                #expect(paused.targeted == 0)
                #expect(try await bench.run(of: good).ledger[.accepted] == 10)
            }
        }

        @Test func campaignsStartWhileTablesAreMaintained() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...3)
                try await bench.pool.withConnection { connection in
                    try await connection.execute("BEGIN")
                    _ = try await connection.query(
                        "SELECT name FROM locks WHERE app_id = 0 AND name = 'event ranges' FOR UPDATE")
                    try await bench.withWorker {
                        try await bench.untilSomeoneWaitsForALock()
                        let campaign = try await bench.campaign()
                        await bench.log.wait(for: \.isVerifiedFinish)
                        #expect(try await bench.run(of: campaign).ledger[.accepted] == 3)
                        try await connection.execute("COMMIT")
                    }
                }
            }
        }

        @Test func runThatCannotFinishKeepsNoOtherFromFinishing() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...10)
                let stuck = try await bench.plannedRun()
                try await bench.trigger(
                    "BEFORE UPDATE ON runs",
                    "IF NEW.id = \(stuck) AND NEW.finished_at IS NOT NULL THEN RAISE EXCEPTION 'not now'; END IF;")
                try await bench.withWorker {
                    await bench.log.wait { $0.contains(where: \.isDone) }
                    let other = try await bench.campaign()
                    await bench.log.wait(for: \.isVerifiedFinish)
                    #expect(try await bench.run(of: other).finishedAt != nil)
                    #expect(try await bench.runs.find(stuck, app: bench.app).finishedAt == nil)
                    // It is tried again.
                    try await bench.pool.execute("DROP TRIGGER isolated ON runs")
                    await bench.log.wait { $0.count(where: \.isVerifiedFinish) == 2 }
                }
            }
        }

        @Test func runThatCannotBeReevaluatedKeepsNoOtherFromStarting() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...10)
                let stuck = try await bench.plannedRun()
                try await bench.pool.execute("UPDATE batches SET not_after = now() - interval '1 minute'")
                try await bench.trigger(
                    "BEFORE UPDATE ON batches",
                    "IF NEW.run_id = \(stuck) THEN RAISE EXCEPTION 'not now'; END IF;")
                let good = try await bench.campaign()
                try await bench.withWorker { await bench.log.wait(for: \.isVerifiedFinish) }
                #expect(try await bench.run(of: good).ledger[.accepted] == 10)
                #expect(try await bench.runs.find(stuck, app: bench.app).state == .sending)
            }
        }
    }
}

extension DispatcherFixture {
    /// Adds a trigger, `isolated`, for each row.
    fileprivate func trigger(_ event: String, _ body: String) async throws {
        try await pool.execute(
            """
            CREATE FUNCTION isolated() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN \(unescaped: body) RETURN NEW; END $$
            """)
        try await pool.execute("CREATE TRIGGER isolated \(unescaped: event) FOR EACH ROW EXECUTE FUNCTION isolated()")
    }
}
