import Campaigns
import Notifications
import Postgres
import Store
import Testing

extension DispatcherSuite {
    struct TemplateTests {
        private static let content = #"""
            {"payload":{"aps":{"alert":{"title":"Hi {{ first_name }}","body":"{{ plan | default: \"free\" | upcase }}"}}},
             "variants":{"de":{"aps":{"alert":{"title":"Hallo {{ first_name }}","body":"{{ plan | default: \"frei\" }}"}}}}}
            """#

        @Test func listIsNotReachedIntoAndAChangedKeyIsForTheNextRun() async throws {
            try await DispatcherBench.run { bench in
                try await bench.addDevices(1...2)
                try await bench.pool.execute(
                    #"UPDATE devices SET attributes = '{"a":["x"],"b":{"c":["y"],"d":"z"}}'"#)
                let content = #"""
                    {"payload":{"aps":{"alert":
                     {"body":"{{ a[\"0\"] | default: \"-\" }}{{ b.c[\"0\"] | default: \"-\" }}{{ b.d }}"}}}}
                    """#
                let template = try await TemplateStore(pool: bench.pool).create(
                    app: bench.app, name: "Hello", content: content)
                let campaign = try await bench.campaigns.create(
                    app: bench.app,
                    CampaignContent(
                        name: "Hello", body: .template(TemplateReference(id: template.id, version: template.version))))
                _ = try await bench.campaigns.start(campaign.id, app: bench.app)
                _ = try await RunStartStore(pool: bench.pool).startDue()
                try await bench.pool.execute("UPDATE apps SET message_id_key = 'other'")

                try await bench.work()

                #expect(bench.inbox.alerts == [#"{"body":"--z"}"#, #"{"body":"--z"}"#])
                #expect(bench.inbox.all.allSatisfy { $0["i"] != nil && $0["other"] == nil })
            }
        }

        @Test func everyoneGetsHisOwnAndWhoLacksAValueIsSuppressedWithThatReason() async throws {
            try await DispatcherBench.run { bench in
                try await bench.addDevices(1...4)
                try await bench.pool.execute(
                    #"""
                    UPDATE devices SET
                        locale = CASE installation WHEN '2' THEN 'de-AT' END,
                        attributes = CASE installation
                            WHEN '1' THEN '{"first_name":"Ann \"A\"","plan":"pro"}'::jsonb
                            WHEN '2' THEN '{"first_name":"Jörg 🔔"}'
                            WHEN '3' THEN '{"first_name":""}'
                            ELSE '{}' END
                    """#)
                let template = try await TemplateStore(pool: bench.pool).create(
                    app: bench.app, name: "Hello", content: Self.content)
                let campaign = try await bench.campaigns.create(
                    app: bench.app,
                    CampaignContent(
                        name: "Hello",
                        body: .template(TemplateReference(id: template.id, version: template.version))))
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
    }
}
