import Application
import Campaigns
import JSON
import Notifications
import Postgres
import Store
import TestSupport
import Testing

extension DispatcherSuite {
    struct TemplateTests {
        private static let content = #"""
            {"payload":{"aps":{"alert":{"title":"Hi {{ first_name }}","body":"{{ plan | default: \"free\" | upcase }}"}}},
             "variants":{"de":{"aps":{"alert":{"title":"Hallo {{ first_name }}","body":"{{ plan | default: \"frei\" }}"}}}}}
            """#

        private static func campaign(
            _ bench: DispatcherFixture, _ content: String, isOwn: Bool = false
        ) async throws -> CampaignRecord {
            if isOwn {
                return try await bench.campaigns.create(
                    app: bench.app, CampaignContent(name: "Hello", body: .content(content)))
            }
            let template = try await bench.stores.templates.create(
                app: bench.app, name: "Hello", content: content)
            return try await bench.campaigns.create(
                app: bench.app,
                CampaignContent(
                    name: "Hello", body: .template(TemplateReference(id: template.id, version: template.version))))
        }

        @Test func listIsNotReachedIntoAndAChangedKeyIsForTheNextRun() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                try await bench.pool.execute(
                    #"UPDATE devices SET attributes = '{"a":["x"],"b":{"c":["y"],"d":"z"}}'"#)
                let content = #"""
                    {"payload":{"aps":{"alert":
                     {"body":"{{ a[\"0\"] | default: \"-\" }}{{ b.c[\"0\"] | default: \"-\" }}{{ b.d }}"}}}}
                    """#
                let campaign = try await Self.campaign(bench, content)
                _ = try await bench.campaigns.start(campaign.id, app: bench.app)
                _ = try await bench.starter.startDue()
                try await bench.pool.execute("UPDATE apps SET message_id_key = 'other'")

                try await bench.work()

                #expect(bench.inbox.alerts == [#"{"body":"--z"}"#, #"{"body":"--z"}"#])
                #expect(bench.inbox.all.allSatisfy { $0["i"] != nil && $0["other"] == nil })
            }
        }

        @Test func valuesOfATriggerReplaceAttributesInItsRunOnly() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...2)
                try await bench.pool.execute(
                    #"""
                    UPDATE devices SET attributes = CASE installation
                        WHEN '1' THEN '{"first_name":"Ann","order":{"id":"old","city":"Rome"}}'::jsonb ELSE '{}' END
                    """#)
                let content = #"""
                    {"payload":{"aps":{"alert":{"body":"{{ first_name | default: \"you\" }}: {{ order.id }}\#
                    {{ order.city | default: \"!\" }}"}}}}
                    """#
                let template = try await bench.stores.templates.create(app: bench.app, name: "Order", content: content)
                var draft = CampaignContent(
                    name: "Order", body: .template(TemplateReference(id: template.id, version: template.version)))
                draft.schedule = .triggered
                let campaign = try await bench.campaigns.create(app: bench.app, draft)
                _ = try await bench.campaigns.schedule(campaign.id, app: bench.app)

                let run = try await bench.trigger.trigger(
                    campaign.id, app: bench.app, userIDs: nil, values: ["order": ["id": "4711"]])
                try await bench.work()

                #expect(
                    Set(bench.inbox.alerts) == [#"{"body":"Ann: 4711!"}"#, #"{"body":"you: 4711!"}"#])
                #expect(try await bench.runs.find(run, app: bench.app).values == ["order": ["id": "4711"]])
                let stored = try await bench.pool.query("SELECT attributes::text FROM devices WHERE installation = '1'")
                #expect(try #require(stored.first)[0, as: String.self].contains("old"))
            }
        }

        @Test(arguments: [false, true])
        func recipientsWithoutARequiredValueAreSuppressed(_ isOwn: Bool) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(
                    1...4,
                    columns: [
                        "locale": "CASE n WHEN 2 THEN 'de-AT' END",
                        "attributes": #"""
                        CASE n WHEN 1 THEN '{"first_name":"Ann \"A\"","plan":"pro"}'::jsonb
                            WHEN 2 THEN '{"first_name":"Jörg 🔔"}' WHEN 3 THEN '{"first_name":""}' ELSE '{}' END
                        """#,
                    ])
                let campaign = try await Self.campaign(bench, Self.content, isOwn: isOwn)
                _ = try await bench.campaigns.start(campaign.id, app: bench.app)

                try await bench.work()

                #expect(
                    bench.inbox.alerts == [
                        #"{"title":"Hallo Jörg 🔔","body":"frei"}"#, #"{"title":"Hi Ann \"A\"","body":"PRO"}"#,
                    ])
                let deliveries = try await bench.deliveries()
                #expect(deliveries[1]?.kind == .accepted)
                #expect(deliveries[2]?.kind == .accepted)
                for number in [3, 4] {
                    #expect(deliveries[number] == .init(kind: .suppressed, reason: "value missing", isResent: false))
                }
            }
        }

        /// A campaign's own content has the campaign's push type.
        @Test func ownContentIsSentAsTheCampaignSays() async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...1)
                let content = CampaignContent(
                    name: "Refresh",
                    body: .content(#"{"payload":{"aps":{"content-available":1},"for":"{{ user_id }}"}}"#),
                    pushType: .background, priority: .powerAware)
                try await bench.pool.execute("UPDATE devices SET user_id = 'mei'")
                let campaign = try await bench.campaigns.create(app: bench.app, content)
                _ = try await bench.campaigns.start(campaign.id, app: bench.app)

                try await bench.work()

                #expect(bench.inbox.all.map { $0["for"] } == ["mei"])
                let run = try await bench.run(of: campaign.id)
                #expect(run.ledger[.accepted] == 1)
            }
        }

        /// By composing the payloads of those to whom it would go.
        @Test(arguments: [false, true])
        func forecastCountsMissingAndTooLongValues(_ isOwn: Bool) async throws {
            try await DispatcherFixture.run { bench in
                try await bench.addDevices(1...300)
                // Every tenth has no name, and every hundredth a novel; every third is denied.
                try await bench.pool.execute(
                    #"""
                    UPDATE devices SET
                        attributes = CASE WHEN installation::integer % 10 = 0 THEN '{}'
                            WHEN installation::integer % 100 = 1
                                THEN jsonb_build_object('first_name', repeat('x', 5000))
                            ELSE '{"first_name":"Ann"}' END,
                        time_zone = CASE WHEN installation::integer % 2 = 0 THEN 'Asia/Tokyo' ELSE 'UTC' END,
                        authorization_status = CASE WHEN installation::integer % 3 = 0 THEN 1 ELSE 2 END
                    """#)
                let campaign = try await Self.campaign(bench, Self.content, isOwn: isOwn)

                let result = try await bench.forecasts.forecast(campaign)

                #expect(result.isExact && result.audience == 300)
                _ = try await bench.campaigns.start(campaign.id, app: bench.app)
                try await bench.work()
                let run = try await bench.run(of: campaign.id)
                #expect(run.ledger[.accepted] == result.forecast.sent && result.forecast.sent == 178)
                #expect(
                    result.forecast.suppressed == [
                        .init("notifications denied", 100), .init("payload too long", 2), .init("value missing", 20),
                    ])
                let reasons = try await bench.pool.query(
                    "SELECT reason, count(*) FROM bi.deliveries WHERE outcome = 'suppressed' GROUP BY 1")
                #expect(
                    try Set(reasons.map { Forecast.Reason(try $0[0], try $0[1]) })
                        == Set(result.forecast.suppressed))
            }
        }

        /// 60,000 devices, in a zone out of three, of which those get a name of whom the condition holds.
        private static func addMany(_ bench: DispatcherFixture, named condition: PostgresQuery) async throws {
            try await bench.pool.insertDevices(
                1...60_000, of: bench.app,
                [
                    "time_zone": "(ARRAY['UTC', 'Asia/Tokyo', 'Europe/Berlin'])[1 + n % 3]",
                    "attributes": #"CASE WHEN \#(condition) THEN '{"first_name":"Ann"}' ELSE '{}' END::jsonb"#,
                ])
        }

        @Test func forecastAboveTheSampleSizeIsMarkedAsEstimate() async throws {
            try await DispatcherFixture.run { bench in
                // Newcomers only.
                try await Self.addMany(bench, named: "n > 42000")
                let campaign = try await Self.campaign(bench, Self.content)

                let result = try await bench.forecasts.forecast(campaign)

                #expect(!result.isExact && result.audience == 60_000)
                let missing = try #require(result.forecast.suppressed.first)
                #expect(missing.reason == "value missing" && (41_000...43_000).contains(missing.count))
                #expect(result.forecast.sent + missing.count == 60_000)
                let margin = try #require(result.marginOfError)
                #expect(abs(result.forecast.sent - 18_000) <= margin && margin < 1_000)
            }
        }

        @Test func estimateIsTheSameWheneverItIsCounted() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addMany(bench, named: "true")
                try await bench.pool.execute(
                    "UPDATE devices SET authorization_status = 1 WHERE hashint8(id) % 4 = 0")
                let campaign = try await Self.campaign(bench, Self.content)
                var hurried = bench.forecasts
                hurried.budget = .zero
                hurried.sampledStripes = 16

                let exact = try await bench.forecasts.forecast(campaign)
                let first = try await hurried.forecast(campaign)
                let second = try await hurried.forecast(campaign)

                #expect(exact.audience == 60_000 && (12_000...20_000).contains(first.devicesScanned))
                #expect(first.forecast.sent == second.forecast.sent && first.marginOfError == second.marginOfError)
                let margin = try #require(first.marginOfError)
                #expect(abs(first.forecast.sent - exact.forecast.sent) <= 2 * margin)
            }
        }

        @Test func forecastCountsMissingValuesByDueTime() async throws {
            try await DispatcherFixture.run { bench in
                try await Self.addMany(bench, named: "n % 3 <> 1")
                let time = try CivilTime("2099-06-01T09:00:00")
                var content = try await Self.campaign(bench, Self.content).content
                content.schedule = .local(time, ifPast: .send)
                let campaign = try await bench.campaigns.create(app: bench.app, content)

                let forecast = try await bench.forecasts.forecast(campaign).forecast

                // In Tokyo nobody has a name.
                #expect(forecast.suppressed == [.init("value missing", 20_000)])
                let hours = forecast.timeline.map { ($0.from - time.seconds) / 3_600 }
                #expect(forecast.timeline.map(\.count) == [20_000, 20_000] && hours == [-2, 0])
            }
        }
    }
}
