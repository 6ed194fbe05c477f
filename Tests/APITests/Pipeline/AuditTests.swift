import Administration
import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

@Suite struct AuditTests {
    private func records(_ api: APIFixture, _ query: String = "") async throws -> [JSON] {
        try #require(try await api.send(.get, "/v1/audit" + query).json["data"]?.elements)
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func changeIsRecordedWithWhatChangedAndByWhom(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            let mina = try await api.browser("mina@example.com", [RoleAssignment(.sender)])
            let campaign = try await api.send(
                .post, "/v1/apps/\(app)/campaigns", ["name": "Sale", "payload": ["aps": ["alert": "Hello"]]], as: mina)
            let path = "/v1/apps/\(app)/campaigns/" + campaign.text("id")
            var editor = mina
            editor[.ifMatch] = "*"
            #expect(try await api.send(.patch, path, ["name": "Big sale"], as: editor).status == 200)
            #expect(try await api.send(.delete, path, as: mina).status == 204)

            let all = try await records(api)
            #expect(
                all.map { $0["action"] }
                    == ["campaigns.delete", "campaigns.update", "campaigns.create", "apps.create"])
            try #require(all.count == 4)
            for record in all.prefix(3) {
                #expect(record["actor"]?["kind"] == "user" && record["actor"]?["name"] == "mina@example.com")
                #expect(record["resource"] == .string(path) && record["app_id"] == .string(app))
                #expect(record["address"]?.string?.isEmpty == false && record["request_id"]?.string?.count == 16)
            }
            #expect(
                all[3]["actor"]?["kind"] == "key" && all[3]["actor"]?["name"]?.string?.hasPrefix("admin (bfs_") == true)
            let update = all[1]
            #expect(update["before"]?["name"] == "Sale" && update["after"]?["name"] == "Big sale")
            #expect(update["before"]?["payload"] == nil, "only what differs")
            #expect(all[0]["before"]?["name"] == "Big sale" && all[0]["after"] == .null)
            #expect(all[2]["before"] == .null && all[2]["after"]?["name"] == "Sale")
        }
    }

    @Test func lastChangeNamesWhoMadeIt() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let template: JSON = ["name": "News", "content": ["payload": ["aps": ["alert": "Hi"]]]]
            let path =
                "/v1/apps/\(app)/templates/"
                + (try await api.send(.post, "/v1/apps/\(app)/templates", template)).text("id")
            let made = try await api.send(.get, path + "/last-change").json
            #expect(made["by"]?.string?.hasPrefix("admin (bfs_") == true)

            var mina = try await api.browser("mina@example.com", [RoleAssignment(.marketer)])
            mina[.ifMatch] = "*"
            #expect(try await api.send(.patch, path, ["name": "Other news"], as: mina).status == 200)
            let changed = try await api.send(.get, path + "/last-change", as: mina).json
            #expect(changed["by"] == "mina@example.com" && changed["at"] != made["at"])

            #expect(
                try await api.send(.get, "/v1/apps/\(app)/segments/77/last-change").json == ["at": .null, "by": .null])
            #expect(try await api.send(.get, "/v1/apps/\(app)/campaigns/x/last-change").status == 404)
        }
    }

    @Test func refusedRequestIsNotRecordedAndChangesNothing() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            #expect(try await api.send(.patch, "/v1/apps/\(app)", ["name": ""]).status == 422)
            #expect(
                try await api.send(.patch, "/v1/apps/\(app)", ["name": "B"], headers: [.ifMatch: "\"9\""]).status == 412
            )
            #expect(try await records(api).count == 1)
        }
    }

    @Test func launchIsRecordedWithTheStatesOfTheCampaign() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let campaign = try await api.campaign(of: app)
            let start = try await api.send(.post, "/v1/apps/\(app)/campaigns/\(campaign)/start")
            #expect(start.status == 201)
            let record = try #require(try await records(api, "?action=campaigns.start").first)
            #expect(record["before"]?["state"] == "draft" && record["after"]?["state"] == "sending")
        }
    }

    @Test func secretsAreNotRecorded() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let made = try await api.send(
                .post, "/v1/apps/\(app)/keys", ["name": "K", "kind": "secret", "scopes": ["apps:read"]])
            let added = try await api.send(.post, "/v1/users", ["email": "ada@example.com", "roles": []])
            let rows = try await api.pool.query("SELECT audit_log::text FROM audit_log")
            let text = try rows.map { try $0[0] as String }.joined()
            #expect(text.contains("keys.create") && text.contains("users.create"))
            #expect(!text.contains(made.text("key")) && made.text("key").count > 40)
            let link = try #require(added.text("password_link").split(separator: "=").last)
            #expect(!text.contains(link))
        }
    }

    @Test func signInAndExportAreRecorded() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let admin = try await api.browser("root@example.com", [RoleAssignment(.admin)])
            let link = try await SignInLinkStore(pool: api.pool).create(
                .signIn, for: try #require(try await api.users.find(EmailAddress("root@example.com"))).id,
                lifetime: .seconds(60))
            #expect(try await api.send(.post, "/v1/session", ["link": .string(link)], as: [:]).status == 200)
            #expect(try await api.send(.get, "/v1/apps/\(app)/devices/export?tokens=true", as: admin).status == 200)
            let actions = try await records(api).map { $0["action"] }
            #expect(actions.prefix(2) == ["devices.export", "session.create"])
        }
    }

    @Test func wrongPasswordIsRecordedWithThePersonItWasTriedFor() async throws {
        try await APIFixture.run { api in
            let ada = try await api.users.create(
                EmailAddress("ada@example.com"), name: "Ada", roles: [], passwordHash: nil)
            for email in ["ada@example.com", "unknown@example.com"] {
                let body: JSON = ["email": .string(email), "password": "not the password"]
                #expect(try await api.send(.post, "/v1/session", body, as: [:]).status == 401)
            }
            let refused = try await records(api, "?action=session.refuse")
            #expect(refused.map { $0["resource"] } == ["/v1/session", .string("/v1/users/\(ada.id)")])
            #expect(refused.allSatisfy { $0["actor"]?["kind"] == "nobody" })
            let text = JSON.array(refused).encoded()
            #expect(!String(decoding: text, as: UTF8.self).contains("example.com"), "it could be a password")
        }
    }

    @Test func recordsAreFilteredAndPagedAndLimitedToTheApp() async throws {
        try await APIFixture.run { api in
            let (shop, news) = (try await api.app(), try await api.app("com.example.News"))
            for name in ["A", "B", "C"] {
                _ = try await api.send(.patch, "/v1/apps/\(shop)", ["name": .string(name)])
            }
            let admin = try await api.browser("shop@example.com", [RoleAssignment(.admin, in: App.ID(shop))])
            let own = try await api.send(.get, "/v1/apps/\(shop)/audit?limit=2", as: admin)
            #expect(try own.page.ids.count == 2)
            let next = try #require(try own.page.next)
            let rest = try await api.send(.get, "/v1/apps/\(shop)/audit?limit=2&cursor=\(next)", as: admin)
            #expect(try rest.json["data"]?.elements?.map { $0["after"]?["name"] } == ["A"])
            #expect(try await api.send(.get, "/v1/audit", as: admin).status == 403)
            #expect(try await records(api, "?resource=/v1/apps/\(news)").count == 1)
            #expect(try await records(api, "?actor=ADMIN").count == 5)
            #expect(try await records(api, "?actor=nobody").isEmpty)
            #expect(try await records(api, "?until=2020-01-01T00:00:00Z").isEmpty)
            #expect(try await records(api, "?since=2020-01-01T00:00:00Z&action=apps.update").count == 3)
        }
    }

    /// A new route is recorded, unless its rule says why not.
    @Test func everyChangeHasARule() async throws {
        try await APIFixture.run { api in
            func names(_ mode: AuditRule.Mode) -> [String] {
                api.declared.filter { $0.method != .get && $0.access != nil && $0.audit.people == mode }.map(\.name)
            }
            #expect(
                names(.never).sorted() == [
                    "POST /mcp", "POST /v1/apps/{app}/audiences/count", "POST /v1/apps/{app}/credentials/check",
                    "POST /v1/apps/{app}/devices/import/preview",
                    "POST /v1/apps/{app}/templates/preview",
                    "POST /v1/apps/{app}/templates/{template}/preview",
                ])
            #expect(names(.withChange).count > 55)
            let notOfKeys = api.declared.filter { $0.audit.people != .never && $0.audit.keys == .never }.map(\.name)
            #expect(
                notOfKeys.sorted() == [
                    "DELETE /v1/apps/{app}/devices/{installation}", "PATCH /v1/apps/{app}/devices/{installation}",
                    "PATCH /v1/apps/{app}/people/{user_id}", "POST /v1/apps/{app}/acknowledgements",
                    "POST /v1/apps/{app}/custom-events", "POST /v1/apps/{app}/devices",
                    "POST /v1/apps/{app}/devices/{installation}/local-events",
                    "POST /v1/apps/{app}/devices/{installation}/logout", "POST /v1/apps/{app}/pushes",
                    "PUT /v1/apps/{app}/devices/{installation}",
                ])
        }
    }

    @Test(arguments: [
        ("POST", "/v1/apps", "apps.create"), ("PATCH", "/v1/apps/{app}", "apps.update"),
        ("POST", "/v1/apps/{app}/campaigns", "campaigns.create"),
        ("POST", "/v1/apps/{app}/campaigns/{campaign}/start", "campaigns.start"),
        ("POST", "/v1/apps/{app}/campaigns/archive", "campaigns.archive"),
        ("DELETE", "/v1/apps/{app}/templates/{template}", "templates.delete"),
        ("GET", "/v1/apps/{app}/devices/export", "devices.export"), ("PUT", "/v1/password", "password.update"),
        ("POST", "/v1/users/{user}/password-link", "users.password-link"), ("DELETE", "/v1/session", "session.delete"),
    ])
    func actionsHaveNames(_ method: String, _ pattern: String, _ name: String) throws {
        #expect(AuditAction.name(try #require(HTTPRequest.Method(method)), pattern) == name)
    }
}
