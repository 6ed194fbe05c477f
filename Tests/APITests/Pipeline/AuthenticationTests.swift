import Administration
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Store
import Testing

@testable import API

@Suite struct AuthenticationTests {
    @Test(arguments: APIFixture.Transport.allCases)
    func withoutAKeyThereIsAChallenge(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let unknown = "bfs_" + String(repeating: "A", count: 43)
            for (header, code) in [
                (nil, "missing-key"), ("Basic YTpi", "bad-authorization"), ("Bearer", "bad-authorization"),
                ("Bearer nonsense", "invalid-key"), ("Bearer \(unknown)", "invalid-key"),
            ] as [(String?, String)] {
                var headers: HTTPFields = [:]
                headers[.authorization] = header
                let answer = try await api.send(.get, "/v1/apps", key: .some(nil), headers: headers)
                #expect(answer.status == 401)
                #expect(answer.code == code)
                #expect(answer.headers[.wwwAuthenticate] == "Bearer")
            }
            let lowerCase = try await api.send(
                .get, "/v1/apps", key: .some(nil), headers: [.authorization: "bearer \(api.admin)"])
            #expect(lowerCase.status == 200)
        }
    }

    @Test func everyProtectedRouteWantsAKey() async throws {
        try await APIFixture.run { api in
            for route in api.declared where route.access != nil {
                let path = route.pattern.split(separator: "/").map { $0.hasPrefix("{") ? "1" : $0 }.joined(
                    separator: "/")
                let answer = try await api.send(route.method, "/" + path, key: .some(nil))
                #expect(answer.status == 401, "\(route.method) \(route.pattern)")
            }
            let open = api.declared.filter { $0.access == nil }.map(\.name)
            #expect(
                open.sorted() == [
                    "GET /healthz", "GET /media/{capability}/{name}", "GET /openapi.json", "GET /readyz",
                    "GET /v1/set-up", "POST /v1/password", "POST /v1/session", "POST /v1/set-up",
                ])
            for path in ["/healthz", "/readyz", "/openapi.json", "/v1/set-up"] {
                #expect(try await api.send(.get, path, key: .some(nil)).status == 200)
            }
        }
    }

    @Test func missingScopeIsNamed() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let reader = try await api.send(
                .post, "/v1/apps/\(app)/keys", ["name": "reader", "kind": "secret", "scopes": ["campaigns:read"]])
            let key = reader.text("key")

            #expect(try await api.send(.get, "/v1/apps/\(app)/campaigns", key: key).status == 200)
            let write = try await api.send(.post, "/v1/apps/\(app)/campaigns", [:], key: key)
            #expect(write.status == 403)
            #expect(write.code == "scope-missing")
            #expect(write.text("detail").contains("campaigns:write"))
        }
    }

    @Test func keyOfOneAppDoesNotSeeAnother() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let other = try await api.app("com.example.Other")
            let campaign = try await api.campaign(of: other)
            let scopes = JSON.array(Permission.allCases.map { .string($0.rawValue) })
            let made = try await api.send(
                .post, "/v1/apps/\(app)/keys", ["name": "all", "kind": "secret", "scopes": scopes])
            let key = made.text("key")

            #expect(try await api.send(.get, "/v1/apps", key: key).page.ids == [app])
            for path in ["/v1/apps/\(other)", "/v1/apps/\(other)/campaigns/\(campaign)", "/v1/apps/999"] {
                let answer = try await api.send(.get, path, key: key)
                #expect(answer.status == 404)
                #expect(answer.code == "app-not-found")
            }
            let foreign = try await api.send(.get, "/v1/apps/\(app)/campaigns/\(campaign)", key: key)
            #expect(foreign.code == "campaign-not-found")
            let app2 = try await api.send(.post, "/v1/apps", ["name": "B", "bundle_id": "com.example.B"], key: key)
            #expect(app2.status == 403)
        }
    }

    @Test func publishableKeyIsForDevicesOnly() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let made = try await api.send(.post, "/v1/apps/\(app)/keys", ["name": "app", "kind": "publishable"])
            #expect(made.text("key").hasPrefix("bfp_"))

            let answer = try await api.send(.get, "/v1/apps/\(app)/campaigns", key: made.text("key"))

            #expect(answer.status == 403)
            #expect(answer.code == "secret-key-required")
        }
    }

    @Test func revokedKeyIsRefusedImmediately() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/keys"
            let made = try await api.send(
                .post, path, ["name": "reader", "kind": "secret", "scopes": ["apps:read"]])
            #expect(try await api.send(.get, "/v1/apps/\(app)", key: made.text("key")).status == 200)

            #expect(try await api.send(.delete, path + "/" + made.text("id")).status == 204)

            #expect(try await api.send(.get, "/v1/apps/\(app)", key: made.text("key")).code == "invalid-key")
            let list = try await api.send(.get, path)
            #expect(!String(decoding: list.body, as: UTF8.self).contains(made.text("key")))
        }
    }

    @Test func keyPassesOnOnlyWhatItMayDo() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/keys"
            let maker = try await api.send(
                .post, path, ["name": "maker", "kind": "secret", "scopes": ["keys", "apps:read"]])
            let key = maker.text("key")

            let more = try await api.send(
                .post, path, ["name": "more", "kind": "secret", "scopes": ["apps:write"]], key: key)
            #expect(more.status == 403)
            #expect(more.text("detail").contains("apps:write"))
            let same = try await api.send(
                .post, path, ["name": "same", "kind": "secret", "scopes": ["apps:read"]], key: key)
            #expect(same.status == 201)
            let none = try await api.send(.post, path, ["name": "none", "kind": "secret"])
            #expect(none.problems == ["scopes: missing"])
            let scoped = try await api.send(
                .post, path, ["name": "app", "kind": "publishable", "scopes": ["apps:read"]])
            #expect(scoped.problems == ["scopes: not-allowed"])
        }
    }

    @Test func keyDescribesItself() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let made = try await api.send(.post, "/v1/apps/\(app)/keys", ["name": "phones", "kind": "publishable"])
            let own = try await api.send(.get, "/v1/key", key: made.text("key"))
            #expect(own.status == 200 && own.text("kind") == "publishable" && own.text("app_id") == app)
            #expect(try own.json["scopes"] == [] && own.json["key"] == nil)
            let admin = try await api.send(.get, "/v1/key").json
            #expect(admin["app_id"] == .null && admin["scopes"]?.elements?.count == Permission.allCases.count)
            #expect(try await api.send(.get, "/v1/key", key: .some(nil)).status == 401)
        }
    }
}
