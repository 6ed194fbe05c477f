import Application
import Campaigns
import Experiments
import Foundation
import JSON
import Notifications
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// People who get nothing, so that the effect of a campaign can be seen.
    @Suite struct ControlGroupTests {
        private static func campaign(
            _ bench: DispatcherFixture, share: Int = 300, _ change: (inout CampaignContent) -> Void = { _ in }
        ) async throws -> Campaign.ID {
            try await bench.campaign {
                $0.goal = .event("purchase")
                $0.controlShare = share
                change(&$0)
            }
        }

        /// Numbers of devices that chance puts into the control group; the user of a device is `u` and its number.
        private static func drawn(_ bench: DispatcherFixture, _ numbers: ClosedRange<Int>, share: Int) async throws
            -> Set<
                Int
            >
        {
            let salt: Int64 = try await bench.pool.query("SELECT salt FROM campaigns ORDER BY id LIMIT 1")[0][0]
            return Set(numbers.filter { UnitPoint(unit: "uu\($0)", salt: salt)[.control] < share })
        }

        private static func held(_ bench: DispatcherFixture, _ run: Run.ID? = nil) async throws -> Set<Int> {
            Set(try await bench.deliveries(of: run).filter { $0.value.reason == "control group" }.keys)
        }

        private static func buy(_ bench: DispatcherFixture, _ numbers: some Sequence<Int>) async throws {
            let events = numbers.enumerated().map { index, number in
                CustomEvent(index: index, id: UUID(), sender: .user("u\(number)"), name: "purchase", time: .receipt)
            }
            _ = try await bench.stores.customEvents.store([CustomEventRequest(app: bench.app, events: events)])
        }

        private static func counts(_ bench: DispatcherFixture, _ campaign: Campaign.ID) async throws -> EffectCounts {
            try await bench.pool.execute("UPDATE effect_counts SET count_next_at = now()")
            _ = try await bench.stores.effectCounts.countStep()
            let record = try await bench.campaigns.find(campaign, app: bench.app)
            return try #require(try await bench.stores.effectCounts.counts(of: record))
        }

        @Test func chanceHoldsBackAShareOfThePeopleWhoWouldGetThePush() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...600, columns: ["user_id": "'u' || n"])
                try await bench.pool.execute(
                    "UPDATE devices SET authorization_status = 1 WHERE installation::bigint <= 100")
                let campaign = try await Self.campaign(bench)
                let record = try await bench.campaigns.find(campaign, app: bench.app)
                let forecast = try await bench.forecasts.forecast(record).forecast
                try await bench.work()

                // Whoever gets nothing for another reason is not held back.
                let expected = try await Self.drawn(bench, 101...600, share: 300)
                #expect(try await Self.held(bench) == expected)
                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.suppressed] == 100 + expected.count && run.verifiedAt != nil)
                #expect(expected.allSatisfy { bench.requests($0) == 0 })
                #expect(forecast.suppressed.contains(Forecast.Reason("control group", expected.count)))
            }
        }

        @Test func heldBackPushCountsTowardsTheFrequencyCap() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...200, columns: ["user_id": "'u' || n"])
                try await bench.pool.execute("UPDATE apps SET frequency_cap_count = 1, frequency_cap_days = 1")
                _ = try await Self.campaign(bench)
                try await bench.work()
                let second = try await bench.campaign()
                try await bench.work(runs: 2)
                let run = try await bench.run(of: second)
                #expect(run.ledger[.suppressed] == 200)
            }
        }

        @Test func effectIsCountedByPerson() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...400, columns: ["user_id": "'u' || n"])
                let campaign = try await Self.campaign(bench)
                try await bench.work()
                let control = try await Self.drawn(bench, 1...400, share: 300)
                let treated = Set(1...400).subtracting(control)
                try await Self.buy(bench, treated.sorted().prefix(30) + control.sorted().prefix(5))
                // Nobody of them was to get the campaign.
                try await Self.buy(bench, [1_000])

                let early = try await Self.counts(bench, campaign)
                #expect(early.treated == treated.count && early.control == control.count)
                #expect(early.treatedConverted == 30 && early.controlConverted == 5)
                #expect(!early.isFinal && EffectReport(early, share: 300).budget == .live)
                // Later purchases are of other causes, and the last count stays.
                try await bench.pool.execute("UPDATE batches SET due_at = due_at - interval '4 days'")
                let late = try await Self.counts(bench, campaign)
                #expect(late.isFinal && late.treatedConverted == 0)
                #expect(try await bench.stores.effectCounts.countStep() == 0)
            }
        }

        @Test func controlGroupComesBeforeTheVariants() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...400, columns: ["user_id": "'u' || n"])
                let campaign = try await Self.campaign(bench) {
                    $0.variants = ["A", "B"].map {
                        CampaignVariant(name: $0, body: .payload(#"{"aps":{"alert":"\#($0)"}}"#))
                    }
                    $0.weights = [500, 500]
                }
                try await bench.work()
                let control = try await Self.drawn(bench, 1...400, share: 300)
                #expect(try await Self.held(bench) == control)
                let record = try await bench.campaigns.find(campaign, app: bench.app)
                // The worker may have counted already, before everything was sent.
                try await bench.pool.execute("UPDATE test_counts SET count_next_at = now()")
                _ = try await bench.stores.testCounts.countStep()
                let counts = try #require(try await bench.stores.testCounts.counts(of: record))
                #expect(counts.variants.reduce(0) { $0 + $1.people } == 400 - control.count)
            }
        }

        @Test func controlGroupStaysOnceTheCampaignWasSent() async throws {
            try await DispatcherFixture.run { bench in
                var content = CampaignContent(name: "Sale", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.goal = .event("purchase")
                content.controlShare = 100
                let record = try await bench.campaigns.create(app: bench.app, content)
                try await bench.pool.execute("UPDATE campaigns SET runs_started = 1")
                content.controlShare = 200
                await #expect(throws: Refusal.controlWasSent) {
                    _ = try await bench.campaigns.update(
                        record.id, app: bench.app, version: record.version, to: content)
                }
                content.controlShare = 100
                content.goal = .event("visit")
                await #expect(throws: Refusal.goalWasSent) {
                    _ = try await bench.campaigns.update(
                        record.id, app: bench.app, version: record.version, to: content)
                }
            }
        }
    }
}
