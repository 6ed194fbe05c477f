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
    /// The people of an A/B test: each is counted once, in time, and in the variant that they got.
    @Suite struct TestCountTests {
        private static let payloads = ["A", "B"].map {
            CampaignVariant(name: $0, body: .payload(#"{"aps":{"alert":"\#($0)"}}"#))
        }

        private static func test(
            _ bench: DispatcherFixture, goal: CampaignGoal = .engaged, weights: [Int] = [500, 500]
        ) async throws -> Campaign.ID {
            try await bench.campaign {
                $0.variants = payloads
                $0.weights = weights
                $0.goal = goal
            }
        }

        private static func counts(_ bench: DispatcherFixture, _ campaign: Campaign.ID) async throws -> TestCounts {
            // The workers may have counted already, before everything was sent.
            try await bench.pool.execute("UPDATE test_counts SET count_next_at = now()")
            _ = try await bench.stores.testCounts.countStep()
            let record = try await bench.campaigns.find(campaign, app: bench.app)
            return try #require(try await bench.stores.testCounts.counts(of: record))
        }

        /// Recipients of a variant with their messages, in the order of the devices.
        private static func recipients(_ bench: DispatcherFixture, _ variant: Int) async throws -> [(Int64, Device.ID)]
        {
            try await bench.pool.query(
                "SELECT message_number, device_id FROM bi.deliveries WHERE variant = \(variant) ORDER BY device_id"
            ).map { (try $0[0], try $0[1]) }
        }

        private static func report(
            _ kind: EventKind, of recipients: some Sequence<(Int64, Device.ID)>, _ bench: DispatcherFixture
        ) async throws {
            let events = recipients.map {
                Acknowledgement(
                    index: 0, messageNumber: $0, device: $1, kind: kind, time: .receipt, details: nil)
            }
            _ = try await AcknowledgementStore(pool: bench.pool).store([
                AcknowledgementRequest(app: bench.app, events: events)
            ])
        }

        @Test func personWithTwoDevicesIsCountedOnce() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...400, columns: ["user_id": "'u' || n / 2"])
                let campaign = try await Self.test(bench)
                try await bench.work()
                let b = try await Self.recipients(bench, 1)
                try await Self.report(.opened, of: b, bench)
                let people = Set(
                    try await bench.pool.query("SELECT user_id FROM devices").map { try $0[0, as: String.self] })

                let counts = try await Self.counts(bench, campaign)
                #expect(counts.variants.map(\.name) == ["A", "B"])
                #expect(counts.variants.reduce(0) { $0 + $1.people } == people.count)
                #expect(counts.variants.map(\.planned) == counts.variants.map(\.people))
                #expect(counts.variants[1].opened == counts.variants[1].people)
                #expect(counts.variants[1].engaged == counts.variants[1].people)
                #expect(counts.variants[0].engaged == 0 && counts.variants[0].mixed == 0)
                #expect(counts.variants.map(\.weight) == [500, 500])
            }
        }

        @Test func whoOpensAfterADayIsNotCounted() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...100)
                let campaign = try await Self.test(bench, goal: .opened)
                try await bench.work()
                let b = try await Self.recipients(bench, 1)
                try await Self.report(.opened, of: b, bench)
                try await bench.pool.execute(
                    "UPDATE events SET happened_at = now() + interval '25 hours' WHERE device_id = \(b[0].1)")

                let counts = try await Self.counts(bench, campaign)
                #expect(counts.variants[1].opened == b.count - 1)
            }
        }

        @Test func rejectedPeopleArePlannedAndNotCompared() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...100)
                try await bench.pool.execute(
                    "UPDATE devices SET authorization_status = 1 WHERE id <= (SELECT min(id) + 9 FROM devices)")
                let campaign = try await Self.test(bench)
                try await bench.work()

                let counts = try await Self.counts(bench, campaign)
                #expect(counts.variants.reduce(0) { $0 + $1.planned } == 100)
                #expect(counts.variants.reduce(0) { $0 + $1.people } == 90)
            }
        }

        @Test func whoSignedInMeanwhileAndGotBothIsCountedInNeither() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...100)
                let campaign = try await Self.test(bench)
                try await bench.work()
                let (a, b) = (try await Self.recipients(bench, 0), try await Self.recipients(bench, 1))
                try await bench.pool.execute("UPDATE devices SET user_id = 'ada' WHERE id IN (\(a[0].1), \(b[0].1))")

                let counts = try await Self.counts(bench, campaign)
                #expect(counts.variants.map(\.people) == [a.count - 1, b.count - 1])
                #expect(counts.variants.reduce(0) { $0 + $1.mixed } == 1)
            }
        }

        @Test func goalIsTheCustomEventWithinThreeDays() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...100, columns: ["user_id": "'u' || n"])
                let campaign = try await Self.test(bench, goal: .event("purchase"))
                try await bench.work()
                let b = try await Self.recipients(bench, 1)
                let users = try await bench.pool.query(
                    "SELECT user_id FROM devices WHERE id = ANY (\(b.prefix(10).map(\.1.rawValue))) ORDER BY id"
                ).map { try $0[0, as: String.self] }
                let events = users.enumerated().map { index, user in
                    CustomEvent(
                        index: index, id: UUID(), sender: .user(user), name: index == 9 ? "visit" : "purchase",
                        time: .receipt)
                }
                _ = try await bench.stores.customEvents.store([CustomEventRequest(app: bench.app, events: events)])

                let counts = try await Self.counts(bench, campaign)
                #expect(counts.variants.map(\.converted) == [0, 9])
                #expect(counts.variants[1].reached(counts.goal) == 9)
            }
        }

        /// Reports a purchase of these users, each of this value.
        private static func buy(_ bench: DispatcherFixture, _ users: some Sequence<String>, _ value: Int) async throws {
            let events = users.enumerated().map { index, user in
                CustomEvent(
                    index: index, id: UUID(), sender: .user(user), name: "purchase", time: .receipt,
                    valueMillionths: Int64(value) * 1_000_000)
            }
            _ = try await bench.stores.customEvents.store([CustomEventRequest(app: bench.app, events: events)])
        }

        /// The users of a variant, in the order of the devices.
        private static func users(_ bench: DispatcherFixture, of variant: Int) async throws -> [String] {
            let devices = try await recipients(bench, variant).map(\.1.rawValue)
            return try await bench.pool.query("SELECT user_id FROM devices WHERE id = ANY (\(devices)) ORDER BY id").map
            {
                try $0[0]
            }
        }

        @Test func amountsOfAPersonAreAddedUpAndALargeOneCountsAsTheCap() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...500, columns: ["user_id": "'u' || n"])
                let campaign = try await Self.test(bench, goal: .value("purchase"))
                try await bench.work()
                let (a, b) = (try await Self.users(bench, of: 0), try await Self.users(bench, of: 1))
                try await Self.buy(bench, a.prefix(60), 10)
                try await Self.buy(bench, b.prefix(60), 10)
                try await Self.buy(bench, b.prefix(60), 20)
                // Of a return, the rest counts; of somebody else nothing.
                try await Self.buy(bench, b.prefix(1), -5)
                try await Self.buy(bench, ["a stranger"], 99)
                try await Self.buy(bench, a.prefix(1), 9_000)

                let counts = try await Self.counts(bench, campaign)
                // The 99th percentile of 120 amounts is the second largest.
                #expect(counts.cap == 30)
                let (first, second) = (counts.variants[0], counts.variants[1])
                #expect(first.converted == 60 && second.converted == 60)
                #expect(second.amounts == Amounts(sum: 1_795, squares: 59 * 900 + 625, uncapped: 1_795, capped: 0))
                #expect(first.amounts == Amounts(sum: 620, squares: 5_900 + 900, uncapped: 9_600, capped: 1))

                // It is fixed: later amounts do not change what the earlier count as.
                try await Self.buy(bench, b.prefix(60), 500)
                #expect(try await Self.counts(bench, campaign).cap == 30)
                let record = try await bench.campaigns.find(campaign, app: bench.app)
                let plan = try await bench.stores.testBases.basis(for: record.content.goal, app: bench.app)
                #expect(plan.amounts == nil && plan.hasEvent)
            }
        }

        @Test func capComesFromThePastOfTheApp() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...100, columns: ["user_id": "'u' || n"])
                try await Self.buy(bench, (1...400).map { "p\($0)" }, 10)
                try await Self.buy(bench, ["p1", "p2"], 1_000)
                let basis = try await bench.stores.testBases.basis(for: .value("purchase"), app: bench.app)
                let amounts = try #require(basis.amounts)
                #expect(amounts.mean == 10 && amounts.meanSquare == 100)
                let campaign = try await Self.test(bench, goal: .value("purchase"))
                try await bench.work()
                try await Self.buy(bench, try await Self.users(bench, of: 1).prefix(1), 70)

                let counts = try await Self.counts(bench, campaign)
                #expect(counts.cap == 10 && counts.variants[1].amounts.sum == 10)
                #expect(counts.variants[1].amounts.uncapped == 70)
            }
        }

        @Test func decisionIsTakenOnceWhenTheTimeOfAllHasPassed() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...100)
                let campaign = try await Self.test(bench)
                try await bench.work()
                let early = try await Self.counts(bench, campaign)
                let due: Timestamp = try await bench.pool.query("SELECT max(due_at) FROM batches")[0][0]
                #expect(early.decidesAt == due + .seconds(86_400) && !early.isFinal)
                #expect(TestReport(early).budget == .live)

                // Not due yet: nothing is counted.
                #expect(try await bench.stores.testCounts.countStep() == 0)
                try await bench.pool.execute("UPDATE batches SET due_at = due_at - interval '2 days'")
                let late = try await Self.counts(bench, campaign)
                #expect(late.isFinal && TestReport(late).budget == .decision)
                #expect(try await bench.stores.testCounts.countStep() == 0)
            }
        }

        @Test func changedBucketsAreLeftOutOfTheComparison() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...500)
                let campaign = try await Self.test(bench)
                try await bench.work()
                try await bench.pool.execute(
                    """
                    UPDATE campaigns SET variant_weights = '[[500, 500], [800, 200]]', schedule = '{"kind": "triggered"}'
                    """)

                let counts = try await Self.counts(bench, campaign)
                #expect(counts.variants.map(\.weight) == [500, 200] && counts.isOpenEnded)
                #expect(counts.variants.reduce(0) { $0 + $1.people } < 400)
                #expect(TestReport(counts).budget == .openEnded)
            }
        }

        /// A goal that is chosen by its result proves nothing.
        @Test func goalStaysOnceTheTestWasSent() async throws {
            try await DispatcherFixture.run { bench in
                var content = CampaignContent(name: "Test", variants: Self.payloads)
                content.weights = [500, 500]
                let record = try await bench.campaigns.create(app: bench.app, content)
                content.goal = .opened
                let changed = try await bench.campaigns.update(
                    record.id, app: bench.app, version: record.version, to: content)
                #expect(changed.content.goal == .opened)
                try await bench.pool.execute("UPDATE campaigns SET runs_started = 1")
                content.goal = .engaged
                let version = try await bench.campaigns.find(record.id, app: bench.app).version
                await #expect(throws: Refusal.goalWasSent) {
                    _ = try await bench.campaigns.update(record.id, app: bench.app, version: version, to: content)
                }
            }
        }
    }
}
