import Administration
import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

/// API keys belong to people: they end with them, and nobody manages keys that can do more.
struct PersonalKeyTests {
    private static let key: JSON = ["name": "K", "kind": "secret", "scopes": ["apps:read", "keys"]]

    private static func disable(_ email: String, _ api: APIFixture) async throws -> Answer {
        let user = try #require(try await api.users.find(EmailAddress(email)))
        return try await api.send(.post, "/v1/users/\(user.id)/disable")
    }

    @Test func keysOfADisabledPersonStopWithThoseThatTheyMade() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            _ = try await api.browser("eva@example.com", [RoleAssignment(.admin)])
            let ada = try await api.browser("ada@example.com", [RoleAssignment(.admin)])
            let own = try await api.send(.post, "/v1/keys", Self.key, as: ada)
            // Also a key that the person's key made, a key that it was replaced by, and one of an app.
            let child = try await api.send(.post, "/v1/keys", Self.key, key: own.text("key"))
            let rotated = try await api.send(.post, "/v1/keys/\(child.text("id"))/rotate", key: own.text("key"))
            let ofApp = try await api.send(.post, "/v1/apps/\(app)/keys", Self.key, as: ada)
            let keys = [own, child, rotated, ofApp]
            let made = try await api.users.find(EmailAddress("ada@example.com"))
            for key in keys {
                #expect(try key.json["created_by"]?.string == made?.id.description)
                #expect(try await api.send(.get, "/v1/key", key: key.text("key")).status == 200)
            }
            let phones = try await api.send(
                .post, "/v1/apps/\(app)/keys", ["name": "P", "kind": "publishable"], as: ada)

            let disabled = try await Self.disable("ada@example.com", api)

            let stopped = try #require(try disabled.json["stopped_keys"]?.elements).compactMap { $0["id"]?.string }
            #expect(disabled.status == 200 && Set(stopped) == Set(keys.map { $0.text("id") }))
            for key in keys {
                let refused = try await api.send(.get, "/v1/key", key: key.text("key"))
                #expect(refused.status == 401 && refused.code == "invalid-key")
            }
            // Phones go on.
            let topics = try await api.send(.get, "/v1/apps/\(app)/topics", key: phones.text("key"))
            #expect(topics.status == 200)
        }
    }

    @Test func keyThatAnAdminTakesOverGoesOn() async throws {
        try await APIFixture.run { api in
            let ada = try await api.browser("ada@example.com", [RoleAssignment(.admin)])
            let eva = try await api.browser("eva@example.com", [RoleAssignment(.admin)])
            let early = try await api.send(.post, "/v1/keys", Self.key, as: ada)
            let late = try await api.send(.post, "/v1/keys", Self.key, as: ada)
            #expect(try await api.send(.post, "/v1/keys/\(early.text("id"))/adopt", as: eva).status == 200)
            let disabled = try await Self.disable("ada@example.com", api)
            #expect(try disabled.json["stopped_keys"]?.elements?.count == 1)
            #expect(try await api.send(.get, "/v1/key", key: early.text("key")).status == 200)
            #expect(try await api.send(.get, "/v1/key", key: late.text("key")).status == 401)
            // Also afterwards.
            let adopted = try await api.send(.post, "/v1/keys/\(late.text("id"))/adopt", as: eva)
            let user = try await api.users.find(EmailAddress("eva@example.com"))
            #expect(adopted.status == 200 && adopted.text("created_by") == user?.id.description)
            #expect(try await api.send(.get, "/v1/key", key: late.text("key")).status == 200)
            #expect(try await api.send(.delete, "/v1/keys/\(late.text("id"))").status == 204)
            let ended = try await api.send(.post, "/v1/keys/\(late.text("id"))/adopt", as: eva)
            #expect(ended.status == 409 && ended.code == "key-has-ended")
        }
    }

    @Test func developerDoesNotManageKeysWithWiderScopes() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/keys"
            let developer = try await api.browser("dev@example.com", [RoleAssignment(.developer)])
            let wide = try await api.send(
                .post, path, ["name": "W", "kind": "secret", "scopes": ["campaigns:send"]])
            let narrow = try await api.send(.post, path, ["name": "N", "kind": "secret", "scopes": ["apps:read"]])
            let id = wide.text("id")
            let requests: [(HTTPRequest.Method, String)] = [
                (.delete, "\(path)/\(id)"), (.post, "\(path)/\(id)/rotate"), (.post, "\(path)/\(id)/adopt"),
            ]
            for (method, path) in requests {
                let refused = try await api.send(method, path, as: developer)
                #expect(refused.status == 403 && refused.code == "scope-missing", "\(method) \(path)")
            }
            #expect(try await api.send(.get, "/v1/key", key: wide.text("key")).status == 200)
            #expect(try await api.send(.delete, "\(path)/\(narrow.text("id"))", as: developer).status == 204)
        }
    }

    @Test func passwordLinkEndsWithDisablingAndWithANewerOne() async throws {
        try await APIFixture.run { api in
            let made = try await api.send(
                .post, "/v1/users", ["email": "mina@example.com", "roles": [["role": "viewer"]]])
            let user = "/v1/users/\(made.text("id"))"
            func status(_ link: String) async throws -> Int {
                let token = link.split(separator: "=").last.map(String.init) ?? ""
                let body: JSON = ["link": .string(token), "password": "a bell in the fog"]
                return try await api.send(.post, "/v1/password", body, key: .some(nil)).status
            }
            let second = try await api.send(.post, user + "/password-link").text("password_link")
            #expect(try await status(made.text("password_link")) == 404)
            #expect(try await api.send(.post, user + "/disable").status == 200)
            #expect(try await api.send(.post, user + "/enable").status == 200)
            #expect(try await status(second) == 404)
            let third = try await api.send(.post, user + "/password-link").text("password_link")
            #expect(try await status(third) == 200)
        }
    }
}
