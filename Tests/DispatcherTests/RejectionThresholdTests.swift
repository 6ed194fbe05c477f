import APNSSimulator
import Application
import Campaigns
import JSON
import Postgres
import Store
import Testing

extension DispatcherSuite {
    /// Too many rejections stop a run.
    @Suite struct RejectionThresholdTests {
        /// Asks until it is paused, or over.
        private static func waitUntilStopped(_ campaign: Campaign.ID, on bench: DispatcherFixture) async throws
            -> RunRecord
        {
            await bench.log.wait { $0.contains { $0.isRelease || $0.isFinish } }
            while true {
                let run = try await bench.run(of: campaign)
                if run.state != .sending { return run }
            }
        }

        @Test func tooManyRejectionsPauseTheRunAndResumeSendsTheRest() async throws {
            try await DispatcherFixture.run({ $0.streams.afterToken = 100 }) { bench in
                try await bench.addDevices(1...3_000)
                bench.production.faults = Faults([.init(.answer(.deviceTokenNotForTopic), .always)])
                let campaign = try await bench.campaign { $0.rejectionThresholdPercent = 20 }

                try await bench.withWorker {
                    await bench.log.wait(for: \.isRelease)
                    let paused = try await bench.campaigns.find(campaign, app: bench.app)
                    #expect(paused.state == .paused)
                    #expect(paused.reason?.description.contains("rejected 100 %") == true)
                    #expect(paused.reason?.description.contains("DeviceTokenNotForTopic") == true)
                    // Two windows were declared at most, before the first connection told how many streams it takes.
                    let run = try await bench.run(of: campaign)
                    #expect((100...2_000).contains(run.ledger[.rejected]) && run.ledger[.pending] >= 1_000)

                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait(for: \.isFinish)
                }
                #expect(try await bench.run(of: campaign).ledger[.rejected] == 3_000)
            }
        }

        @Test func probedRecipientsAreCountedOnce() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...400)
                // 15 in a hundred are nobody's, in neither environment.
                try await bench.pool.execute("UPDATE devices SET token = sha256(token) WHERE id % 20 IN (1, 2, 3)")
                let campaign = try await bench.campaign { $0.rejectionThresholdPercent = 20 }
                try await bench.work()
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 340 && run.ledger[.rejected] == 60 && run.isBalanced)
                #expect(bench.record.counts.requests == 460)
            }
        }

        @Test func unstoredPauseIsRetriedAndNothingIsSentMeanwhile() async throws {
            try await DispatcherFixture.run({ $0.streams.afterToken = 100 }) { bench in
                try await bench.addDevices(1...3_000)
                bench.production.faults = Faults([.init(.answer(.deviceTokenNotForTopic), .always)])
                let campaign = try await bench.campaign()
                try await bench.pool.withConnection { connection in
                    try await connection.queryScript(
                        """
                        CREATE SEQUENCE tries;
                        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                            IF nextval('tries') <= 12 THEN RAISE EXCEPTION 'not now'; END IF;
                            RETURN NEW;
                        END $$;
                        CREATE TRIGGER refuse BEFORE UPDATE ON runs FOR EACH ROW
                            WHEN (NEW.state = 'paused' AND OLD.state <> 'paused') EXECUTE FUNCTION refuse();
                        """)
                }

                try await bench.withWorker {
                    let paused = try await Self.waitUntilStopped(campaign, on: bench)
                    #expect(paused.state == .paused && paused.reason?.description.contains("rejected 100 %") == true)
                    // Two windows, or what had been declared before the first connection told how many streams it
                    // takes.
                    #expect((100...500).contains(bench.record.counts.requests))

                    bench.production.faults = .none
                    _ = try await bench.campaigns.resume(campaign, app: bench.app)
                    await bench.log.wait(for: \.isVerifiedFinish)
                }
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.rejected] + run.ledger[.accepted] == 3_000 && run.ledger[.accepted] >= 2_500)
            }
        }

        @Test func suddenFailureAfterALongSuccessIsDetected() async throws {
            try await DispatcherFixture.run({ $0.streams.afterToken = 100 }) { bench in
                try await bench.addDevices(1...13_000)
                // At the end it is not even half of all.
                bench.production.faults = Faults([
                    .init(.answer(.deviceTokenNotForTopic), .range(7_001...13_000))
                ])
                let campaign = try await bench.campaign()

                try await bench.withWorker {
                    let paused = try await Self.waitUntilStopped(campaign, on: bench)
                    #expect(paused.state == .paused)
                    #expect(paused.reason?.description.contains("DeviceTokenNotForTopic") == true)
                    #expect(paused.ledger[.accepted] >= 6_000 && paused.ledger[.rejected] <= 6_000)
                }
            }
        }
    }
}
