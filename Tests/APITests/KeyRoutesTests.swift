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

    @Test func rotatedKeyGoesOnForTheOverlap() async throws {
        try await APIFixture.run(.live) { api in
            let path = "/v1/apps/\(try await api.app())/keys"
            let old = try await api.send(
                .post, path,
                ["name": "CI", "kind": "secret", "scopes": ["apps:read"], "allowed_addresses": ["127.0.0.0/8", "::1"]])
            let rotated = try await api.send(.post, path + "/\(old.text("id"))/rotate", ["overlap_hours": 1])
            #expect(rotated.status == 201 && rotated.text("key") != old.text("key"))
            for member in ["name", "kind", "scopes", "allowed_addresses"] {
                #expect(try rotated.json[member] == old.json[member])
            }
            #expect(try rotated.json["expires_at"] == .null)
            let shown = try await api.send(.get, path + "/" + old.text("id"))
            #expect(shown.text("expires_at").count == 24)
            for key in [old, rotated] {
                #expect(try await api.send(.get, "/v1/key", key: key.text("key")).status == 200)
            }
            let now = try await api.send(.post, path + "/\(rotated.text("id"))/rotate", ["overlap_hours": 0])
            #expect(now.status == 201)
            #expect(try await api.send(.get, "/v1/key", key: rotated.text("key")).status == 401)
            let ended = try await api.send(.post, path + "/\(rotated.text("id"))/rotate")
            #expect(ended.status == 409 && ended.code == "key-has-ended")
            let long = try await api.send(.post, path + "/\(now.text("id"))/rotate", ["overlap_hours": 721])
            #expect(long.problems == ["overlap_hours: out-of-range"])
        }
    }

    @Test func keyCannotReplaceOneThatMayDoMore() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/keys"
            let wide = try await api.send(.post, path, ["name": "w", "kind": "secret", "scopes": ["apps:write"]])
            let narrow = try await api.send(.post, path, ["name": "n", "kind": "secret", "scopes": ["keys"]])
            let refused = try await api.send(.post, path + "/\(wide.text("id"))/rotate", key: narrow.text("key"))
            #expect(refused.status == 403 && refused.code == "scope-missing")
        }
    }

    @Test func keyWorksFromItsAddressesOnly() async throws {
        try await APIFixture.run(.live) { api in
            let path = "/v1/apps/\(try await api.app())/keys"
            func make(_ addresses: JSON, key: String? = nil) async throws -> Answer {
                try await api.send(
                    .post, path, ["name": "x", "kind": "secret", "scopes": ["keys"], "allowed_addresses": addresses],
                    key: key ?? api.admin)
            }
            let near = try await make(["127.0.0.0/8", "::1"])
            #expect(try await api.send(.get, "/v1/key", key: near.text("key")).status == 200)
            let far = try await make(["192.0.2.0/24"])
            let refused = try await api.send(.get, "/v1/key", key: far.text("key"))
            #expect(refused.status == 403 && refused.code == "address-not-allowed")
            #expect(try await make(["10.0.0.0/33"]).problems == ["allowed_addresses[0]: not-an-address"])
            #expect(try await make(["10.0.0.1"], key: near.text("key")).problems == ["allowed_addresses: too-wide"])
            #expect(try await make(["127.1.0.0/16"], key: near.text("key")).status == 201)
            let inherited = try await make(.null, key: near.text("key"))
            #expect(try inherited.json["allowed_addresses"] == ["127.0.0.0/8", "::1"])
            let publishable = try await api.send(
                .post, path, ["name": "p", "kind": "publishable", "allowed_addresses": ["::1"]])
            #expect(publishable.problems == ["allowed_addresses: not-allowed"])
        }
    }

    @Test func keysAreFoundByTheirPrefixAndShowTheirLastUse() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/keys"
            var ids: [String: String] = [:]
            for kind in ["secret", "publishable"] {
                let made = try await api.send(.post, path, ["name": "x", "kind": .string(kind), "scopes": []])
                ids[made.text("prefix")] = made.text("id")
                #expect(try made.json["last_used_at"] == .null)
                #expect(try await api.send(.get, "/v1/key", key: made.text("key")).status == 200)
            }
            for (prefix, id) in ids {
                #expect(try await api.send(.get, path + "?prefix=\(prefix)").page.ids == [id])
                #expect(try await api.send(.get, path + "/" + id).text("last_used_at").count == 24)
            }
            #expect(try await api.send(.get, path + "?prefix=bf").page.ids.count == 2)
            #expect(try await api.send(.get, path + "?prefix=bfs_%25").page.ids == [])
            #expect(try await api.send(.get, path + "?prefix=bfs_12345").code == "invalid-prefix")
        }
    }
}
