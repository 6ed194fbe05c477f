import HTTPTypes
import JSON
import Postgres
import Testing

@testable import API

struct KeyRoutesTests {
    private static func inDays(_ days: Int) -> JSON { .time(Timestamp.now + .seconds(86_400 * days)) }

    private static func body(expiring time: JSON) -> JSON {
        ["name": "K", "kind": "secret", "scopes": ["keys", "apps:read"], "expires_at": time]
    }

    @Test func keyIsRefusedFromItsExpiryOn() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/keys"
            let made = try await api.send(.post, path, Self.body(expiring: Self.inDays(1)))
            #expect(made.status == 201)
            let key = made.text("key")
            let own = try await api.send(.get, "/v1/key", key: key)
            #expect(own.text("expires_at") == made.text("expires_at") && made.text("expires_at").count == 24)
            let fresh = try await api.send(.post, path, Self.body(expiring: Self.inDays(1)))
            try await api.pool.execute("UPDATE api_keys SET expires_at = now() WHERE expires_at IS NOT NULL")

            // This one was used, and is still remembered for a few seconds with its old expiry; the other is read.
            let refused = try await api.send(.get, "/v1/key", key: fresh.text("key"))
            #expect(refused.status == 401 && refused.code == "invalid-key")
            let listed = try await api.send(.get, path)
            #expect(try listed.json["data"]?.elements?.allSatisfy { $0["expires_at"] != .null } == true)
        }
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func administratorsManageTheirKeysAndKeysOfAppsCannot(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            let body: JSON = ["name": "CI", "kind": "secret", "scopes": ["keys", "apps:read"]]
            let made = try await api.send(.post, "/v1/keys", body)
            #expect(try made.status == 201 && made.json["app_id"] == .null)
            let path = try #require(made.headers[.location])
            #expect(path == "/v1/keys/" + made.text("id"))
            let key = made.text("key")
            #expect(try await api.send(.get, "/v1/keys", key: key).page.ids.first == made.text("id"))
            #expect(try await api.send(.get, path).text("name") == "CI")
            #expect(try await api.send(.get, "/v1/apps/\(app)/keys").page.ids == [])
            #expect(try await api.send(.get, "/v1/apps/\(app)/keys/" + made.text("id")).code == "key-not-found")

            let ofApp = try await api.send(.post, "/v1/apps/\(app)/keys", body).text("key")
            for (method, path) in [(HTTPRequest.Method.get, "/v1/keys"), (.get, path), (.delete, path)] {
                #expect(try await api.send(method, path, key: ofApp).code == "key-limited-to-one-app")
            }
            #expect(try await api.send(.post, "/v1/keys", body, key: ofApp).code == "key-limited-to-one-app")
            let publishable = try await api.send(.post, "/v1/keys", ["name": "x", "kind": "publishable"])
            #expect(publishable.problems == ["kind: not-allowed"])
            let wider = try await api.send(
                .post, "/v1/keys", ["name": "x", "kind": "secret", "scopes": ["campaigns:send"]], key: key)
            #expect(wider.code == "scope-missing")

            #expect(try await api.send(.delete, path).status == 204)
            #expect(try await api.send(.get, "/v1/key", key: key).status == 401)
            #expect(try await api.send(.get, path).json["revoked_at"] != .null)
        }
    }

    @Test func keyCannotCreateOneThatOutlivesIt() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/keys"
            let key = try await api.send(.post, path, Self.body(expiring: Self.inDays(2))).text("key")
            let later = try await api.send(.post, path, Self.body(expiring: Self.inDays(3)), key: key)
            #expect(later.status == 422 && later.problems == ["expires_at: too-late"])
            let earlier = try await api.send(.post, path, Self.body(expiring: Self.inDays(1)), key: key)
            #expect(earlier.status == 201)
            let without = try await api.send(.post, path, Self.body(expiring: .null), key: key)
            #expect(without.text("expires_at") == (try await api.send(.get, "/v1/key", key: key)).text("expires_at"))
            let past = try await api.send(.post, path, Self.body(expiring: Self.inDays(-1)))
            #expect(past.problems == ["expires_at: in-the-past"])
            let forever = try await api.send(.post, path, Self.body(expiring: .null))
            #expect(try forever.json["expires_at"] == .null)
        }
    }
}
