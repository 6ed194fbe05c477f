import APNSSimulator
import Campaigns
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// Campaigns that share a worker. Progress is measured in pushes.
    @Suite struct FairnessTests {
        @Test func smallCampaignIsSentBesideALargeOne() async throws {
            let bundleID = "com.example.Small"
            try await DispatcherFixture.run({
                $0.streams.afterToken = 100
                $0.keys[0].bundleIDs.insert(bundleID)
            }) { bench in
                try await bench.addDevices(1...60_000)
                let app = try await bench.addApp(bundleID, devices: 60_001...60_100)
                // The large campaign cannot go faster than 1,000 pushes a second on a connection, however
                // long a busy machine takes to start the small one.
                bench.production.faults = Faults([.init(.delay(by: .milliseconds(100)))])
                let large = try await bench.campaign()
                try await bench.withWorker {
                    await bench.record.waitUntilAccepted(3_000)
                    let before = bench.record.counts.accepted
                    let small = try await bench.campaign(app: app)
                    await bench.log.wait { $0.contains { if case .runFinished = $0 { true } else { false } } }
                    // It did not wait for the 57,000 pushes that the large campaign still had.
                    let meanwhile = bench.record.counts.accepted - before
                    #expect(meanwhile < 30_000, "\(meanwhile)")
                    let run = try await bench.runs.list(campaign: small, app: app, before: nil, limit: 1)[0]
                    #expect(run.ledger[.accepted] == 100)
                    #expect(try await bench.run(of: large).ledger[.pending] > 0)
                    _ = try await bench.campaigns.cancel(large, app: bench.app)
                    await bench.log.wait { $0.count(where: \.isFinish) == 2 }
                }
            }
        }

        @Test func largeCampaignsShareAWorkerEqually() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...40_000)
                let both = [try await bench.campaign(), try await bench.campaign()]
                func sent() async throws -> [Int] {
                    [
                        try await bench.run(of: both[0]).ledger[.accepted],
                        try await bench.run(of: both[1]).ledger[.accepted],
                    ]
                }
                var options = DispatcherFixture.options
                options.maximumBatches = 2
                try await bench.withWorker(options) {
                    // Whichever was planned first has had all room.
                    await bench.record.waitUntilAccepted(15_000)
                    let before = try await sent()
                    await bench.record.waitUntilAccepted(45_000)
                    let after = try await sent()
                    let between = [after[0] - before[0], after[1] - before[1]]
                    // Within a batch of 5,000 each.
                    #expect(between.allSatisfy { $0 > 9_000 }, "\(between)")
                    for campaign in both { _ = try await bench.campaigns.cancel(campaign, app: bench.app) }
                    await bench.log.wait { $0.count(where: \.isVerifiedFinish) == 2 }
                }
            }
        }
    }
}
