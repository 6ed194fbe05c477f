import Administration
import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

/// An Idempotency-Key belongs to the caller who used it, and no answer with a secret is repeated.
struct IdempotencyOwnerTests {
    private static let name = HTTPField.Name("Idempotency-Key")!

    /// An app, and an API key of all apps with some scopes.
    private static func key(_ api: APIFixture, _ scopes: Set<Permission>) async throws -> String {
        try await api.keys.create(app: nil, kind: .secret, name: "Other", scopes: scopes).text
    }

    /// A request whose answer holds a secret, with the path of the resource that it makes.
    private static func secrets(_ api: APIFixture, _ app: String) async throws -> [(path: String, body: JSON?)] {
        let key: JSON = ["name": "CI", "kind": "secret", "scopes": ["apps:read", "campaigns:send"]]
        let old = try await api.send(.post, "/v1/apps/\(app)/keys", key)
        let oldOfAdmins = try await api.send(.post, "/v1/keys", key)
        return [
            ("/v1/keys", key), ("/v1/apps/\(app)/keys", key), ("/v1/keys/\(oldOfAdmins.text("id"))/rotate", nil),
            ("/v1/apps/\(app)/keys/\(old.text("id"))/rotate", nil), ("/v1/apps/\(app)/identity-key", nil),
            ("/v1/users", ["email": "ada@example.com", "roles": [["role": "admin"]]]),
        ]
    }

    @Test func callerWithAnothersIdempotencyKeyGetsNoneOfTheirAnswers() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let thief = try await Self.key(api, [.keys, .users, .appsWrite])
            for (path, body) in try await Self.secrets(api, app) {
                let field: HTTPFields = [Self.name: "create-ci-key"]
                let first = try await api.send(.post, path, body, headers: field)
                #expect(first.status == 200 || first.status == 201, "\(path)")
                let stolen = try await api.send(.post, path, body, key: thief, headers: field)
                // The thief may make an identity key; of the others, their own scopes are too narrow.
                #expect(stolen.status == (path.hasSuffix("identity-key") ? 200 : 403), "\(path)")
                #expect(stolen.body != first.body)
                try await api.pool.execute("DELETE FROM idempotency_keys")
            }
        }
    }

    @Test func answerWithASecretIsNeitherStoredNorRepeated() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            for (path, body) in try await Self.secrets(api, app) {
                let field: HTTPFields = [Self.name: path]
                let first = try await api.send(.post, path, body, headers: field)
                let again = try await api.send(.post, path, body, headers: field)
                #expect(first.status == 200 || first.status == 201, "\(path)")
                #expect(again.status == 409 && again.code == "secret-shown-once", "\(path)")
                #expect(again.headers[.location] == first.headers[.location])
                #expect(again.headers[.eTag] == nil)
            }
            // An empty text, sealed: the header, the nonce and the tag.
            let rows = try await api.pool.query("SELECT DISTINCT octet_length(sealed_body) < 50 FROM idempotency_keys")
            #expect(try rows.map { try $0[0, as: Bool.self] } == [true])
        }
    }

    @Test func twoCallersWithTheSameKeyMakeOneThingEach() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/campaigns"
            let body: JSON = ["name": "Sale", "payload": ["aps": ["alert": "Hello"]]]
            let person = try await api.browser("ada@example.com", [RoleAssignment(.marketer)])
            let other = try await Self.key(api, [.campaignsWrite])
            let field: HTTPFields = [Self.name: "k"]
            var fields = person
            fields[Self.name] = "k"
            var ids: Set<String> = []
            for _ in 1...2 {
                ids.insert(try await api.send(.post, path, body, headers: field).text("id"))
                ids.insert(try await api.send(.post, path, body, key: other, headers: field).text("id"))
                ids.insert(try await api.send(.post, path, body, as: fields).text("id"))
            }
            #expect(ids.count == 3 && !ids.contains(""))
        }
    }

    @Test func callerWhoLostAPermissionIsNotAnsweredAgain() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/campaigns"
            let body: JSON = ["name": "Sale", "payload": ["aps": ["alert": "Hello"]]]
            var ada = try await api.browser("ada@example.com", [RoleAssignment(.sender)])
            ada[Self.name] = "k"
            #expect(try await api.send(.post, path, body, as: ada).status == 201)
            for (role, status, code) in [
                ("marketer", 403, "permissions-reduced"), ("viewer", 403, "permission-missing"),
            ] {
                let user = try #require(try await api.users.find(EmailAddress("ada@example.com")))
                let changed = try await api.send(
                    .patch, "/v1/users/\(user.id)", ["roles": [["role": .string(role)]]])
                #expect(changed.status == 200)
                let again = try await api.send(.post, path, body, as: ada)
                #expect(again.status == status && again.code == code)
            }
        }
    }

    /// The route says whether its answer holds a secret, so a new route can't forget it.
    @Test func everyRouteWhoseAnswerHoldsASecretSaysSo() async throws {
        try await APIFixture.run { api in
            let document = try APIFixture.document().json
            var withSecret: Set<String> = []
            for route in api.declared where route.method == .post {
                let operation = document["paths"]?[route.pattern]?["post"]
                for (status, response) in (operation?["responses"]?.members ?? []).map({ ($0.key, $0.value) })
                where status.hasPrefix("2") {
                    guard let schema = response["content"]?["application/json"]?["schema"] else { continue }
                    var seen: Set<String> = []
                    if Self.holdsSecret(schema, in: document, &seen) { withSecret.insert(route.name) }
                }
            }
            let declared = Set(api.declared.filter(\.answerHoldsSecret).map(\.name))
            // A session's cookie is in a field, and its route takes no Idempotency-Key.
            #expect(withSecret.subtracting(declared) == ["POST /v1/session", "POST /v1/set-up", "POST /v1/password"])
            #expect(declared.subtracting(withSecret) == [])
            #expect(declared.count == 9)
            for route in api.declared where route.takesIdempotencyKey && withSecret.contains(route.name) {
                #expect(route.answerHoldsSecret, "\(route.name)")
            }
        }
    }

    /// Whether a text is named like a secret. `seen` are the references that were followed: schemas can be recursive.
    private static func holdsSecret(_ schema: JSON, in document: JSON, _ seen: inout Set<String>) -> Bool {
        if let reference = schema["$ref"]?.string {
            // The key of a message is its sentence.
            guard !reference.hasSuffix("/Localization"), seen.insert(reference).inserted else { return false }
            var target: JSON? = document
            for part in reference.dropFirst(2).split(separator: "/") { target = target?[String(part)] }
            guard let target else { return false }
            return holdsSecret(target, in: document, &seen)
        }
        for member in schema["properties"]?.members ?? [] {
            let isNamedSo = ["secret", "token", "link", "password", "p8"].contains { member.key.contains($0) }
            if member.value["type"] == "string", isNamedSo || member.key == "key" { return true }
            if holdsSecret(member.value, in: document, &seen) { return true }
        }
        for part in ["allOf", "oneOf", "anyOf"].flatMap({ schema[$0]?.elements ?? [] }) {
            if holdsSecret(part, in: document, &seen) { return true }
        }
        guard let items = schema["items"] else { return false }
        return holdsSecret(items, in: document, &seen)
    }
}
