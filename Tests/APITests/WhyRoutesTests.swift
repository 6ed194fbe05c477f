import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import TestSupport
import Testing

@testable import API

/// Histories of devices and people, and why a device got a push or not.
struct WhyRoutesTests {
    /// Devices 1 to 5: 1 and 3 were accepted, 2 rejected, 4 accepted; 5 registered later.
    private static func fill(_ api: APIFixture) async throws -> (app: String, campaign: String, run: String) {
        let app = try await api.app()
        try await api.pool.insertDevices(
            1...4, of: app, ["installation": "'phone-' || n", "user_id": "'user ' || n", "locale": "'de'"])
        let campaign = try await api.campaign(of: app)
        let run = try await api.run(of: campaign, app: app, isOver: true)
        try await api.pool.execute("UPDATE runs SET device_ceiling = 4, planned_at = now()")
        try await api.pool.execute(#"UPDATE run_variants SET payload = '{"aps":{"alert":"Hello"}}'"#)
        return (app, campaign, run)
    }

    @Test func historyHasEventsAndWhatHeldThen() async throws {
        try await APIFixture.run { api in
            let (app, campaign, _) = try await Self.fill(api)
            let id = try #require(App.ID(app))
            let number: Int64 = try await api.pool.query("SELECT message_number FROM run_variants")[0][0]
            _ = try await AcknowledgementStore(pool: api.pool).store([
                AcknowledgementRequest(
                    app: id,
                    events: [
                        Acknowledgement(
                            index: 0, messageNumber: number, device: Device.ID(rawValue: 2), kind: .opened,
                            time: .receipt)
                    ])
            ])
            // The phone changes hands and language after the push.
            try await api.pool.changeDevices("user_id = 'user 3', locale = 'fr'", where: "id = 2")
            let device = try await api.send(.get, "/v1/apps/\(app)/devices/phone-2/deliveries").json
            let push = try #require(device["data"]?.elements?.first)
            #expect(push["campaign_id"] == .string(campaign) && push["locale"] == "de")
            #expect(push["apple"] == ["status": 410, "reason": "Unregistered"])
            #expect(push["reason"] == "Unregistered")
            // An accepted push has no reason, in each list.
            let accepted = try await api.send(.get, "/v1/apps/\(app)/people/user%201/deliveries").json
            #expect(accepted["data"]?.elements?.map { $0["reason"] } == [.null])
            let kinds = push["events"]?.elements?.map { $0["kind"] }
            #expect(kinds == ["delivered", "opened"])
            let list = "/v1/apps/\(app)/runs/\(push["run_id"]?.string ?? "")/deliveries"
            let recipients = try await api.send(.get, list + "?search=user%202").json["data"]?.elements
            #expect(recipients?.map { $0["installation"] } == ["phone-2"])
            #expect(recipients?.first?["user_id"] == "user 2")
            func people(_ user: String) async throws -> [String] {
                let answer = try await api.send(.get, "/v1/apps/\(app)/people/\(user)/deliveries")
                return try #require(try answer.json["data"]?.elements).map { $0["installation"]?.string ?? "?" }
            }
            #expect(try await people("user%202") == ["phone-2"])
            #expect(try await people("user%203") == ["phone-3"])
            #expect(try await people("nobody") == [])
        }
    }

    @Test func historyOfAPersonIsPaged() async throws {
        try await APIFixture.run { api in
            let (app, _, _) = try await Self.fill(api)
            try await api.pool.changeDevices("user_id = 'ada'")
            try await api.pool.execute("DELETE FROM device_past")
            let path = "/v1/apps/\(app)/people/ada/deliveries"
            let all = try #require(try await api.send(.get, path).json["data"]?.elements)
            #expect(all.map { $0["device_id"] } == ["4", "3", "2", "1"])
            let first = try await api.send(.get, path + "?limit=3").page
            let cursor = try #require(first.next)
            let rest = try await api.send(.get, path + "?limit=3&cursor=\(cursor)").json
            #expect(rest["data"]?.elements?.map { $0["device_id"] } == ["1"])
        }
    }

    @Test func verdictRulesAndPayloadAreExplained() async throws {
        try await APIFixture.run { api in
            let (app, campaign, run) = try await Self.fill(api)
            func why(_ phone: String, _ query: String) async throws -> Answer {
                try await api.send(.get, "/v1/apps/\(app)/devices/\(phone)/why?\(query)")
            }
            let accepted = try await why("phone-1", "campaign=\(campaign)").json
            #expect(accepted["verdict"] == "sent" && accepted["run_id"] == .string(run))
            #expect(accepted["payload"]?["aps"]?["alert"] == "Hello" && accepted["is_payload_exact"] == true)
            #expect(accepted["payload"]?["i"]?.string?.count == MessageID.textLength)
            let rejected = try await why("phone-2", "run=\(run)").json
            #expect(
                rejected["verdict"] == "not_sent" && rejected["summary"] == "Apple rejected the push: Unregistered.")
            #expect(rejected["delivery"]?["outcome"] == "rejected")
            #expect(try await why("phone-1", "").code == "campaign-required")
            #expect(try await why("phone-9", "run=\(run)").code == "device-not-found")
            #expect(try await why("phone-1", "run=999").code == "run-not-found")
            #expect(try await why("phone-1", "campaign=999").code == "run-not-found")
            #expect(try await why("phone-1", "campaign=999&run=\(run)").code == "run-not-found")
            #expect(try await why("phone-1", "campaign=\(campaign)&run=\(run)").status == 200)
        }
    }

    @Test(arguments: [false, true])
    func payloadWithTheTimeIsExactOnlyIfTheTimeOfSendingIsKnown(_ isOwn: Bool) async throws {
        try await APIFixture.run { api in
            let (app, _, run) = try await Self.fill(api)
            let template = try await api.send(
                .post, "/v1/apps/\(app)/templates",
                [
                    "name": "Time",
                    "content": ["payload": ["aps": ["alert": #"It is {{ "now" | date: "%Y" }}."#]]],
                ])
            #expect(template.status == 201)
            try await api.pool.execute(
                """
                UPDATE run_variants
                SET payload = NULL, template_id = \(template.text("id"))::text::bigint, template_version = 1
                """)
            if isOwn {
                try await api.pool.execute(
                    """
                    UPDATE run_variants SET template_id = NULL, template_version = NULL, content = v.content
                    FROM template_versions v
                    """)
            }
            for (due, isExact) in [("2026-11-01", true), ("2025-11-01", false)] {
                try await api.pool.execute("UPDATE batches SET due_at = \(due)::text::date, ended_at = '2026-11-20'")
                let why = try await api.send(.get, "/v1/apps/\(app)/devices/phone-1/why?run=\(run)").json
                #expect(why["payload"]?["aps"]?["alert"] == "It is 2026.")
                #expect(why["is_payload_exact"] == .bool(isExact))
            }
        }
    }

    @Test func conditionsAreEvaluatedForDevicesThatWereNotInTheAudience() async throws {
        try await APIFixture.run { api in
            let (app, _, run) = try await Self.fill(api)
            try await api.pool.insertDevice("phone-5", of: app, ["locale": "'de'", "tags": "'{vip}'"])
            try await api.pool.execute(
                """
                UPDATE runs SET device_ceiling = 5, audience =
                    '{"include":{"all":[{"tag":"vip"},{"not":{"field":"language","op":"is","value":"de"}}]}}'
                """)
            let answer = try await api.send(.get, "/v1/apps/\(app)/devices/phone-5/why?run=\(run)").json
            #expect(answer["verdict"] == "not_considered" && answer["delivery"] == .null)
            #expect(
                answer["conditions"] == [
                    ["depth": 0, "text": "all of", "is_met": false], ["depth": 1, "text": "tag vip", "is_met": true],
                    ["depth": 1, "text": "not language is de", "is_met": false],
                ])
        }
    }
}
