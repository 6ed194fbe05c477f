import Administration
import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

@Suite struct RevocationTests {
    /// The run goes on, so only the revocation can end the stream.
    @Test(arguments: [true, false])
    func streamEndsWhenItsKeyOrSessionDoes(_ isPerson: Bool) async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let campaign = try await api.campaign(of: app)
            let run = try await api.run(of: campaign, app: app, isOver: false)
            let key = try await api.keys.create(app: nil, kind: .secret, name: "k", scopes: [.campaignsRead])
            let browser =
                isPerson
                ? try await api.browser("v@example.com", [RoleAssignment(.viewer)])
                : [.authorization: "Bearer \(key.text)"]
            // It ends by itself when the access does; the time limit of the test is the failure.
            // The caller is known before the stream, so that it begins whatever comes first.
            #expect(try await api.send(.get, "/v1/apps/\(app)/runs/\(run)", as: browser).status == 200)
            async let stream = api.send(.get, "/v1/apps/\(app)/runs/\(run)/progress", as: browser)
            try await api.pool.execute("UPDATE sessions SET ended_at = now()")
            #expect(try await api.send(.delete, "/v1/keys/\(key.key.id)").status == 204)
            let ended = try await stream
            #expect(ended.status == 200)
            #expect(!String(decoding: ended.body, as: UTF8.self).contains("event: end"))
        }
    }

    @Test func withoutPermissionForDevicesNobodyIsNamed() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let audience: JSON = ["audience": [:]]
            let viewer = try await api.browser("v@example.com", [RoleAssignment(.viewer)])
            let analyst = try await api.browser("a@example.com", [RoleAssignment(.analyst)])
            let path = "/v1/apps/\(app)/audiences/count"
            let seen = try await api.send(.post, path, audience, as: analyst)
            #expect(try seen.json["sample"]?.elements?.count == 1)
            let hidden = try await api.send(.post, path, audience, as: viewer)
            #expect(try hidden.json["matches"] == seen.json["matches"] && hidden.json["sample"] == [])
        }
    }
}
