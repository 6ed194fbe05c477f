import APNSSimulator
import Campaigns
import JSON
import Postgres
import Store
import Testing

extension DispatcherSuite {
    /// Another PostgreSQL than the one where a run began.
    @Suite struct RestoreTests {
        @Test func runOfAnotherGenerationIsPausedUntilItIsResumed() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                let run = try await bench.plannedRun()
                try await bench.pool.execute("UPDATE runs SET generation = generation + 1")

                try await bench.withWorker {
                    await bench.log.wait(for: \.isHold)
                    let held = try await bench.runs.find(run, app: bench.app)
                    #expect(
                        held.state == .paused && held.reason?.description.contains("restored from a backup") == true)
                    #expect(bench.record.counts.requests == 0)
                    _ = try await bench.campaigns.resume(held.campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                #expect(bench.record.counts.accepted == 20)
            }
        }

        @Test func batchOfAnotherGenerationIsNotTakenOver() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                _ = try await bench.plannedRun()
                try await bench.pool.execute(
                    """
                    UPDATE batches SET state = 'leased', owner = \(ProcessID()), attempt = 1,
                        lease_until = now() - interval '1 hour'
                    """)
                let claims = bench.stores.claims(owner: ProcessID())
                try await bench.pool.execute("UPDATE runs SET generation = generation + 1")
                #expect(try await claims.takeOver(except: [], limit: 8, lease: .milliseconds(1)).isEmpty)
                #expect(try await claims.openRuns().isEmpty)
                try await bench.pool.execute("UPDATE runs SET generation = generation - 1")
                #expect(try await claims.takeOver(except: [], limit: 8, lease: .milliseconds(1)).count == 1)
            }
        }

        @Test(arguments: [nil, "Apple refuses the topic.", String(repeating: "long ", count: 2_000)])
        func runPausedBeforeTheRestoreNeedsConfirmationToo(_ earlier: String?) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                let run = try await bench.plannedRun()
                let campaign = try await bench.runs.find(run, app: bench.app).campaign
                _ = try await bench.campaigns.pause(campaign, app: bench.app)
                try await bench.pool.execute("UPDATE runs SET generation = generation + 1, reason = \(earlier)")
                let pauses = bench.stores.runPauses

                #expect(try await pauses.pauseRunsFromBeforeRestore() == 1)
                // Once is enough.
                #expect(try await pauses.pauseRunsFromBeforeRestore() == 0)

                let held = try await bench.runs.find(run, app: bench.app)
                let reason = try #require(held.reason)
                #expect(
                    held.state == .paused && reason.description.hasPrefix("The database was restored from a backup"))
                #expect(
                    reason.description.contains(
                        earlier.map { "It was paused before: \($0.prefix(900))" } ?? "It was paused before."))
                #expect(reason.description.count < 1_500)
                #expect(try await bench.campaigns.find(campaign, app: bench.app).reason == reason)
                _ = try await bench.campaigns.resume(campaign, app: bench.app)
                #expect(try await pauses.pauseRunsFromBeforeRestore() == 0)
                try await bench.work()
                #expect(bench.record.counts.accepted == 20)
            }
        }

        @Test func runResumedTooEarlyNeedsConfirmationAfterwards() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20)
                let run = try await bench.plannedRun()
                let campaign = try await bench.runs.find(run, app: bench.app).campaign
                _ = try await bench.campaigns.pause(campaign, app: bench.app)
                try await bench.pool.execute("UPDATE runs SET generation = generation + 1")
                _ = try await bench.campaigns.resume(campaign, app: bench.app)

                try await bench.withWorker {
                    await bench.log.wait { $0.contains { $0.isHold || $0.isFinish } }
                    let held = try await bench.runs.find(run, app: bench.app)
                    #expect(
                        held.state == .paused && held.reason?.description.contains("restored from a backup") == true)
                    #expect(bench.record.counts.requests == 0)
                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                #expect(bench.record.counts.accepted == 20)
            }
        }
    }
}
