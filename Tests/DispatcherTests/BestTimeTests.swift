import Campaigns
import Experiments
import Notifications
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// Runs at the best time of each recipient.
    @Suite struct BestTimeTests {
        private static let hour = 3_600

        /// At the hours of today in a zone in which it is 10:30 or later, so that the first ones are past.
        private static func draft(
            _ bench: DispatcherFixture, from start: Int, until: Int, ifPast: LocalTimePolicy = .send,
            _ change: (inout CampaignContent) -> Void = { _ in }
        ) async throws -> Campaign.ID {
            let day = try await bench.pool.query("SELECT to_char(now(), 'YYYY-MM-DD')")[0][0, as: String.self]
            var content = CampaignContent(name: "Best", payload: #"{"aps":{"alert":"Ding"}}"#)
            content.schedule = .local(
                try CivilTime("\(day)T\(start < 10 ? "0" : "")\(start):00:00"), ifPast: ifPast, until: until)
            change(&content)
            return try await bench.campaigns.create(app: bench.app, content).id
        }

        @Test(arguments: [false, true])
        func threeGroupsAreSentAndCompared(_ hasOwnContent: Bool) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1_000, columns: ["time_zone": "'UTC'"])
                // All hours of this window are past, so that everybody gets it immediately.
                let campaign = try await Self.draft(bench, from: 0, until: 2) {
                    if hasOwnContent { $0.setBody(.content(#"{"payload":{"aps":{"alert":"Ding"}}}"#)) }
                }
                try await bench.pool.execute("UPDATE devices SET time_zone = 'Etc/GMT-14'")
                _ = try await bench.campaigns.start(campaign, app: bench.app)
                try await bench.work()

                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 1_000 && run.isBalanced)
                let names = try await bench.pool.query(
                    "SELECT name, coalesce(payload, content -> 'payload')::text FROM run_variants ORDER BY variant"
                ).map { "\(try $0[0, as: String.self]) \(try $0[1, as: String.self])" }
                #expect(names == TimeGroup.allCases.map { #"\#($0.name) {"aps":{"alert":"Ding"}}"# })

                try await bench.pool.execute("UPDATE test_counts SET count_next_at = now()")
                _ = try await bench.stores.testCounts.countStep()
                let record = try await bench.campaigns.find(campaign, app: bench.app)
                let counts = try #require(try await bench.stores.testCounts.counts(of: record))
                #expect(counts.variants.map(\.name) == ["Best time", "Same hour", "Any hour"])
                #expect(counts.variants.map(\.weight) == TimeGroup.weights)
                #expect(counts.variants.reduce(0) { $0 + $1.people } == 1_000)
                #expect(counts.variants[0].people > 850 && counts.variants[2].people > 25)
            }
        }

        @Test func testOfTextsSendsEachAtItsBestTime() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...200, columns: ["time_zone": "'Etc/GMT-14'"])
                let campaign = try await Self.draft(bench, from: 0, until: 2) {
                    $0.variants = ["A", "B"].map {
                        CampaignVariant(name: $0, body: .payload(#"{"aps":{"alert":"\#($0)"}}"#))
                    }
                    $0.weights = [500, 500]
                }
                _ = try await bench.campaigns.start(campaign, app: bench.app)
                try await bench.work()
                let row = try await bench.pool.query(
                    "SELECT tests_times, (SELECT array_agg(name ORDER BY variant) FROM run_variants) FROM runs")[0]
                #expect(try row[0, as: Bool.self] == false)
                #expect(try row[1, as: [String].self] == ["A", "B"])
            }
        }

        /// Whoever was not sent the push within an hour gets the next hour of the window.
        @Test func overdueRecipientsGetTheNextHourOfTheWindow() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...20, columns: ["time_zone": "'UTC'"])
                let now: Int = try await bench.pool.query(
                    "SELECT extract(hour FROM now() AT TIME ZONE 'UTC')::integer")[0][0]
                // The window began two hours ago in a zone where it is noon.
                let zone = "Etc/GMT\(now <= 12 ? "-" : "+")\(abs(12 - now))"
                try await bench.pool.execute("UPDATE devices SET time_zone = \(zone)")
                let day = try await bench.pool.query(
                    "SELECT to_char(now() + make_interval(hours => \(Int32(12 - now))), 'YYYY-MM-DD')")[0][
                        0, as: String.self]
                var content = CampaignContent(name: "Best", payload: #"{"aps":{"alert":"Ding"}}"#)
                content.schedule = .local(try CivilTime("\(day)T10:00:00"), ifPast: .skip, until: 20)
                let campaign = try await bench.campaigns.create(app: bench.app, content).id
                _ = try await bench.campaigns.start(campaign, app: bench.app)
                let run = try await bench.startedRun()
                try await bench.plan(run)
                // As if they had been due at ten, and were not sent.
                try await bench.pool.execute(
                    "UPDATE batches SET due_at = now() - interval '2 hours', not_after = now() - interval '1 hour'")
                let key = Run.Key(app: bench.app, id: run)
                while try await bench.stores.late.reevaluate(key) > 0 {}
                let rows = try await bench.pool.query(
                    """
                    SELECT DISTINCT extract(hour FROM due_at AT TIME ZONE \(zone))::integer FROM batches
                    WHERE deferred_from IS NOT NULL AND pending > 0
                    """)
                // Within its first hour, twelve is not past.
                #expect(try rows.map { try $0[0, as: Int.self] } == [12])
            }
        }
    }
}
