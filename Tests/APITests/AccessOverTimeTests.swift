import Administration
import Application
import Campaigns
import Crypto
import HTTPServer
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

/// What somebody may do changes: links, keys and imports from before must not give what was taken away or added since.
struct AccessOverTimeTests {
    private static func set(_ roles: JSON, of email: String, _ api: APIFixture) async throws -> Answer {
        let user = try #require(try await api.users.find(EmailAddress(email)))
        return try await api.send(.patch, "/v1/users/\(user.id)", ["roles": roles])
    }

    @Test func keysOfAPersonDoNoMoreThanThePerson() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            _ = try await api.browser("eva@example.com", [RoleAssignment(.admin)])
            let ada = try await api.browser("ada@example.com", [RoleAssignment(.admin)])
            let scopes: JSON = ["campaigns:read", "keys", "users"]
            let everywhere = try await api.send(
                .post, "/v1/keys", ["name": "E", "kind": "secret", "scopes": scopes], as: ada)
            let ofApp = try await api.send(
                .post, "/v1/apps/\(app)/keys", ["name": "A", "kind": "secret", "scopes": ["campaigns:read", "keys"]],
                as: ada)
            #expect(try await api.send(.get, "/v1/users", key: everywhere.text("key")).status == 200)
            #expect(try await api.send(.get, "/v1/apps/\(app)/keys", key: ofApp.text("key")).status == 200)

            let changed = try await Self.set([["role": "viewer"]], of: "ada@example.com", api)

            let limited = try #require(try changed.json["limited_keys"]?.elements).compactMap { $0["id"]?.string }
            #expect(changed.status == 200 && Set(limited) == [everywhere.text("id"), ofApp.text("id")])
            let refused = try await api.send(.get, "/v1/users", key: everywhere.text("key"))
            #expect(refused.status == 403 && refused.text("detail").contains("any more"))
            #expect(try await api.send(.get, "/v1/apps/\(app)/keys", key: ofApp.text("key")).status == 403)
            let campaigns = try await api.send(.get, "/v1/apps/\(app)/campaigns", key: ofApp.text("key"))
            #expect(campaigns.status == 200)
            let shown = try await api.send(.get, "/v1/keys/\(everywhere.text("id"))")
            #expect(try shown.json["scopes"] == ["campaigns:read", "keys", "users"])
            #expect(try shown.json["withheld_scopes"] == ["keys", "users"] && shown.json["is_stopped"] == false)
            // With the permissions, the key gets them back.
            _ = try await Self.set([["role": "admin"]], of: "ada@example.com", api)
            #expect(try await api.send(.get, "/v1/users", key: everywhere.text("key")).status == 200)
        }
    }

    @Test func passwordLinkFromBeforeAPromotionEnds() async throws {
        try await APIFixture.run { api in
            let made = try await api.send(
                .post, "/v1/users", ["email": "mina@example.com", "roles": [["role": "viewer"]]])
            let token = made.text("password_link").split(separator: "=").last.map(String.init) ?? ""
            let name = try await api.send(.patch, "/v1/users/\(made.text("id"))", ["name": "Mina"])
            #expect(name.status == 200)
            #expect(try await SignInLinkStore(pool: api.pool).isValid(token, for: .password))

            #expect(try await Self.set([["role": "admin"]], of: "mina@example.com", api).status == 200)

            let choice: JSON = ["link": .string(token), "password": "a bell in the fog"]
            let late = try await api.send(.post, "/v1/password", choice, key: .some(nil))
            #expect(late.status == 404 && late.code == "link-is-invalid")
        }
    }

    @Test func disabledPersonGetsNoLink() async throws {
        try await APIFixture.run { api in
            let made = try await api.send(
                .post, "/v1/users", ["email": "mina@example.com", "roles": [["role": "viewer"]]])
            let user = "/v1/users/\(made.text("id"))"
            #expect(try await api.send(.post, user + "/disable").status == 200)
            let refused = try await api.send(.post, user + "/password-link")
            #expect(refused.status == 409 && refused.code == "person-is-disabled")
        }
    }

    @Test func newLinkForTheFirstAdminReplacesTheOlderOne() async throws {
        try await APIFixture.run { api in
            let links = SignInLinkStore(pool: api.pool)
            let first = try await links.create(.setUp, for: nil, lifetime: .seconds(60))
            let second = try await links.create(.setUp, for: nil, lifetime: .seconds(60))
            #expect(try await !links.isValid(first, for: .setUp))
            #expect(try await links.isValid(second, for: .setUp))
        }
    }

    @Test func stoppedKeyIsShownAndNotReplacedByADeadOne() async throws {
        try await APIFixture.run { api in
            _ = try await api.browser("eva@example.com", [RoleAssignment(.admin)])
            let ada = try await api.browser("ada@example.com", [RoleAssignment(.admin)])
            let body: JSON = ["name": "K", "kind": "secret", "scopes": ["apps:read"]]
            let key = try await api.send(.post, "/v1/keys", body, as: ada)
            let user = try #require(try await api.users.find(EmailAddress("ada@example.com")))
            #expect(try await api.send(.post, "/v1/users/\(user.id)/disable").status == 200)
            let path = "/v1/keys/\(key.text("id"))"
            #expect(try await api.send(.get, path).json["is_stopped"] == true)
            let refused = try await api.send(.post, path + "/rotate")
            #expect(refused.status == 409 && refused.code == "key-is-stopped")
            #expect(refused.text("detail").contains("/adopt"))
            // A key of the console adopts it for nobody.
            #expect(try await api.send(.post, path + "/adopt").json["is_stopped"] == false)
            let rotated = try await api.send(.post, path + "/rotate")
            #expect(try await api.send(.get, "/v1/key", key: rotated.text("key")).status == 200)
        }
    }

    @Test(arguments: [true, false])
    func limitedKeyMakesNobodyPermanent(_ expires: Bool) async throws {
        // Only a connection has an address.
        try await APIFixture.run(expires ? .router : .live) { api in
            let limit: JSON.Member =
                expires
                ? JSON.Member("expires_at", .string((Timestamp.now + .seconds(3_600)).rfc3339))
                : JSON.Member("allowed_addresses", ["127.0.0.0/8", "::1"])
            let scopes: JSON = ["users", "apps:read", "campaigns:read", "content:read"]
            let key = try await api.send(
                .post, "/v1/keys",
                .object([JSON.Member("name", "K"), JSON.Member("kind", "secret"), JSON.Member("scopes", scopes), limit])
            ).text("key")
            let viewer: JSON = ["email": "vic@example.com", "roles": [["role": "viewer"]]]
            let made = try await api.send(.post, "/v1/users", viewer)
            let user = "/v1/users/\(made.text("id"))"
            let other: JSON = ["email": "eva@example.com", "roles": [["role": "viewer"]]]
            let requests: [(HTTPRequest.Method, String, JSON?)] = [
                (.post, "/v1/users", other), (.post, user + "/password-link", nil),
                (.patch, user, ["roles": [["role": "viewer"]]]), (.post, user + "/enable", nil),
            ]
            for (method, path, body) in requests {
                let refused = try await api.send(method, path, body, key: key)
                #expect(refused.status == 403 && refused.code == "key-is-limited", "\(path)")
            }
            #expect(try await api.send(.post, user + "/disable", key: key).status == 200)
        }
    }

    @Test func publishableKeyIsManagedByThoseWhoMayChangeTheAppOrItsDevices() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let keys = "/v1/apps/\(app)/keys"
            let phones = try await api.send(.post, keys, ["name": "P", "kind": "publishable"])
            func key(_ scopes: JSON) async throws -> String {
                try await api.send(.post, keys, ["name": "K", "kind": "secret", "scopes": scopes]).text("key")
            }
            let weak = try await key(["keys"])
            let path = "\(keys)/\(phones.text("id"))"
            for (method, end) in [(HTTPRequest.Method.post, "/rotate"), (.post, "/adopt"), (.delete, "")] {
                let refused = try await api.send(method, path + end, key: weak)
                #expect(refused.status == 403 && refused.code == "scope-missing", "\(end)")
            }
            #expect(try await api.send(.get, "/v1/apps/\(app)/topics", key: phones.text("key")).status == 200)
            for scope in ["apps:write", "devices:write"] {
                let rotated = try await api.send(.post, path + "/rotate", key: key(["keys", .string(scope)]))
                #expect(rotated.status == 201, "\(scope)")
            }
            #expect(try await api.send(.delete, path, key: key(["keys", "devices:write"])).status == 204)
        }
    }

    @Test func importEndsWhenItsCallerMayNotImportAnyMore() async throws {
        try await DeviceAPIFixture.run { phone in
            struct Ended: Error {}
            let keys = try SealingKeyRing(text: String(repeating: "ab", count: 32))
            let stores = Stores(pool: phone.pool, sealingKeys: keys)
            let line = #"{"installation":"i-1","token":"00112233445566778899aabbccddeeff","environment":"production"}"#
            let request = try Request(
                .post, "/v1/apps/1/devices/import", headers: [:], body: Array(line.utf8), on: phone.loop)
            var file = DeviceImport(
                .ndjson, try DeviceFileOptions(request),
                to: .init(
                    app: phone.app, registrations: .registrations(stores.registrations, on: phone.loop),
                    topics: TopicKeyCache(store: stores.topics), loop: phone.loop, terms: ImportTerms()),
                checkPermission: { throw Ended() }, onProgress: { _ in })
            await #expect(throws: Ended.self) { try await file.run(request.body) }
            #expect(try await phone.pool.query("SELECT FROM devices").isEmpty)
        }
    }

    @Test(arguments: [
        (nil, true), ("http://push.example.com/", true), ("http://push.example.com/page?a=b", true),
        ("http://evil.example/", false), ("http://push.example.com.evil.example/", false), ("about:blank", false),
        ("http://push.example.com@evil.example/", false),
    ])
    func linkOnAnotherSiteStartsNothingAlsoWithoutTLS(_ referer: String?, _ isOwn: Bool) async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            // A browser that follows a link to a server without TLS sends neither Sec-Fetch-Site nor Origin.
            var fields = try await api.browser("ada@example.com", [RoleAssignment(.admin)])
            HTTPField.Name("Sec-Fetch-Site").map { fields[$0] = nil }
            HTTPField.Name("Referer").map { fields[$0] = referer }
            let answer = try await api.send(.get, "/v1/apps/\(app)/devices/export", as: fields)
            #expect(answer.status == (isOwn ? 200 : 403))
        }
    }
}
