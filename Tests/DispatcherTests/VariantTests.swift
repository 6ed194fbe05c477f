import APNSSimulator
import Application
import Campaigns
import Experiments
import Notifications
import Postgres
import Store
import Testing

@testable import Dispatcher

extension DispatcherSuite {
    /// Campaigns with several contents, from the planner to Apple and back.
    @Suite struct VariantTests {
        private static let payloads = ["A", "B", "C"].map {
            CampaignVariant(name: $0, body: .payload(#"{"aps":{"alert":"\#($0)"}}"#))
        }

        private static func test(_ bench: DispatcherFixture, weights: [Int] = [500, 300, 200]) async throws
            -> Campaign.ID
        {
            try await bench.campaign {
                $0.variants = payloads
                $0.weights = weights
            }
        }

        /// Each two devices belong to a person; the last third to nobody. Half are of the other environment.
        private static func addPeople(_ bench: DispatcherFixture) async throws {
            let people: [String: PostgresQuery] = ["user_id": "CASE WHEN n <= 800 THEN 'u' || n / 2 END"]
            try await bench.addDevices(1...600, columns: people)
            try await bench.addDevices(601...1_200, .development, columns: people)
        }

        @Test func everybodyGetsTheVariantThatTheHashDraws() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addPeople(bench)
                let campaign = try await Self.test(bench)
                try await bench.work()

                let salt: Int64 = try await bench.pool.query("SELECT salt FROM campaigns WHERE id = \(campaign)")[0][0]
                let map = try VariantMap(weights: [500, 300, 200])
                let rows = try await bench.pool.query(
                    """
                    SELECT coalesce('u' || v.user_id, 'i' || v.installation), d.variant, d.outcome
                    FROM bi.deliveries d JOIN devices v ON v.app_id = d.app_id AND v.id = d.device_id
                    """)
                #expect(rows.count == 1_200)
                var variants: [String: Set<Int>] = [:]
                for row in rows {
                    let (unit, variant): (String, Int) = (try row[0], try row[1])
                    #expect(variant == Int(map.variants[UnitPoint(unit: unit, salt: salt)[.group]]))
                    #expect(try row[2, as: String.self] == "accepted")
                    variants[unit, default: []].insert(variant)
                }
                #expect(variants.count == 801 && variants.values.allSatisfy { $0.count == 1 })
            }
        }

        @Test func eachVariantIsSentAndCountedForItself() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1_000)
                let campaign = try await Self.test(bench)
                try await bench.work()

                let run = try await bench.run(of: campaign)
                #expect(run.ledger[.accepted] == 1_000 && run.verifiedAt != nil)
                let variants = try await bench.runs.variants(of: run.key)
                #expect(variants.map(\.name) == ["A", "B", "C"])
                #expect(variants.reduce(Ledger()) { $0 + $1.ledger } == run.ledger)
                let arrived = Dictionary(grouping: bench.inbox.alerts) { $0 }.mapValues(\.count)
                for variant in variants {
                    #expect(arrived["\"\(variant.name)\""] == variant.ledger[.accepted])
                    let filter = {
                        var filter = DeliveryFilter(); filter.variant = variant.place; return filter
                    }()
                    let page = try await bench.runs.deliveries(run.id, app: bench.app, filter, from: nil, limit: 1_000)
                    #expect(page.deliveries.count == variant.ledger[.accepted])
                    #expect(page.deliveries.allSatisfy { $0.variant == variant.place })
                }
                // Half, 30 % and 20 %, six standard deviations at most.
                for (variant, expected) in zip(variants, [500, 300, 200]) {
                    #expect(abs(variant.ledger[.accepted] - expected) < 96, "\(variant)")
                }
            }
        }

        @Test func eventsBelongToTheVariantOfTheirMessage() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...400)
                let campaign = try await Self.test(bench, weights: [500, 500, 0])
                try await bench.work()
                let run = try await bench.run(of: campaign)
                let rows = try await bench.pool.query(
                    """
                    SELECT message_number, device_id FROM bi.deliveries WHERE variant = 1 ORDER BY device_id LIMIT 20
                    """)
                let opened = try rows.map { row in
                    Acknowledgement(
                        index: 0, messageNumber: try row[0], device: try row[1], kind: .opened, time: .receipt,
                        details: nil)
                }
                #expect(opened.count == 20)
                _ = try await AcknowledgementStore(pool: bench.pool).store([
                    AcknowledgementRequest(app: bench.app, events: opened)
                ])

                let variants = try await bench.runs.variants(of: run.key)
                #expect(variants.map(\.opened) == [0, 20, 0])
                let scope = StatisticsStore.Scope(run: run.id)
                let (groups, names) = try await bench.stores.statistics.totalsByVariant(app: bench.app, scope)
                #expect(groups.map { $0.counts[.opened] } == [0, 20, 0])
                #expect(groups.map { $0.counts[.accepted] } == variants.map { $0.ledger[.accepted] })
                #expect(names == ["0": "A", "1": "B", "2": "C"])
                #expect(try await bench.runs.find(run.id, app: bench.app).opened == 20)
                #expect(try await bench.stores.statistics.differencesFromRows() == [])
                // Nobody was due at another time than the batch of the own variant says.
                let delays = try await bench.pool.query("SELECT delay_seconds FROM events WHERE kind = 3")
                #expect(try delays.allSatisfy { try $0[0, as: Int32.self] < 600 })
            }
        }

        /// Otherwise those who get A would have names, and those who get B need not.
        @Test func valueThatOneVariantLacksSuppressesForAll() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(
                    1...200,
                    columns: ["attributes": "CASE WHEN n % 4 = 0 THEN '{\"name\":\"Mei\"}' ELSE '{}' END::jsonb"])
                let template = try await bench.stores.templates.create(
                    app: bench.app, name: "Hello", content: #"{"payload":{"aps":{"alert":"Hello {{ name }}"}}}"#)
                let campaign = try await bench.campaign {
                    $0.variants = [
                        CampaignVariant(name: "plain", body: .payload(#"{"aps":{"alert":"Hello"}}"#)),
                        CampaignVariant(
                            name: "by name",
                            body: .template(TemplateReference(id: template.id, version: template.version))),
                    ]
                    $0.weights = [500, 500]
                }
                try await bench.work()

                let run = try await bench.run(of: campaign)
                let variants = try await bench.runs.variants(of: run.key)
                #expect(run.ledger[.accepted] == 50 && run.ledger[.suppressed] == 150)
                #expect(variants.allSatisfy { $0.ledger[.accepted] > 0 && $0.ledger[.suppressed] > 0 })
                #expect(Set(bench.inbox.alerts) == ["\"Hello Mei\"", "\"Hello\""])
                let reasons = try await bench.deliveries().values.filter { $0.kind == .suppressed }.map(\.reason)
                #expect(Set(reasons) == ["value missing"])
            }
        }

        /// Each variant is a text of its own, in the language of the device.
        @Test func ownContentsOfATestAreSentInTheirLanguages() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(
                    1...100, columns: ["locale": "CASE WHEN n % 2 = 0 THEN 'ja-JP' ELSE 'en-US' END"])
                func own(_ en: String, _ ja: String) -> CampaignContent.Body {
                    .content(#"{"payload":{"aps":{"alert":"\#(en)"}},"variants":{"ja":{"aps":{"alert":"\#(ja)"}}}}"#)
                }
                _ = try await bench.campaign {
                    $0.variants = [
                        CampaignVariant(name: "long", body: own("Good evening", "こんばんは")),
                        CampaignVariant(name: "short", body: own("Hi", "やあ")),
                    ]
                    $0.weights = [500, 500]
                }
                try await bench.work()

                let arrived = Dictionary(grouping: bench.inbox.alerts) { $0 }.mapValues(\.count)
                #expect(Set(arrived.keys) == ["\"Good evening\"", "\"こんばんは\"", "\"Hi\"", "\"やあ\""])
                #expect(arrived.filter { ["\"こんばんは\"", "\"やあ\""].contains($0.key) }.values.reduce(0, +) == 50)
            }
        }

        @Test func forecastCountsWhoWillBeSuppressed() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(
                    1...200,
                    columns: ["attributes": "CASE WHEN n % 4 = 0 THEN '{\"name\":\"Mei\"}' ELSE '{}' END::jsonb"])
                let template = try await bench.stores.templates.create(
                    app: bench.app, name: "Hello", content: #"{"payload":{"aps":{"alert":"Hello {{ name }}"}}}"#)
                var content = CampaignContent(
                    name: "Test",
                    variants: [
                        CampaignVariant(name: "plain", body: .payload(#"{"aps":{"alert":"Hello"}}"#)),
                        CampaignVariant(
                            name: "by name",
                            body: .template(TemplateReference(id: template.id, version: template.version))),
                    ])
                content.weights = [900, 100]
                let campaign = try await bench.campaigns.create(app: bench.app, content)
                let forecast = try await bench.forecasts.forecast(campaign).forecast
                #expect(forecast.suppressed.map(\.count) == [150], "\(forecast.suppressed)")
            }
        }

        @Test func recipientsWhoWaitKeepTheirVariant() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...100)
                // Each is asked to come later, once.
                bench.production.faults = Faults([.init(.serviceUnavailable, .first(100))])
                var options = DispatcherFixture.options
                options.retryDelays = []
                _ = try await Self.test(bench)
                try await bench.work(options)
                let rows = try await bench.pool.query(
                    """
                    SELECT count(*), count(DISTINCT variant) FROM batches WHERE deferred_from IS NOT NULL AND variant = (
                        SELECT f.variant FROM batches f WHERE f.app_id = batches.app_id AND f.id = batches.deferred_from)
                    """)
                let all: Int64 = try await bench.pool.query(
                    "SELECT count(*) FROM batches WHERE deferred_from IS NOT NULL")[0][0]
                #expect(try rows[0][0, as: Int64.self] == all && all > 0)
                #expect(try rows[0][1, as: Int64.self] == 3)
                #expect(Set(bench.inbox.alerts) == ["\"A\"", "\"B\"", "\"C\""])
            }
        }
    }
}
