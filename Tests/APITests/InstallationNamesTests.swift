import Administration
import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import TestSupport
import Testing

@testable import API

/// An installation is a device's secret: only those who may change devices see it.
struct InstallationNamesTests {
    private static let secret = "8E4C0F6B-5D1A-4B0E-9E3C-3A7F"

    /// An app with a test device of Ada, a run that it was a recipient of, and a reply from it.
    private static func fill(_ api: APIFixture) async throws -> (root: String, handle: String) {
        let app = try await api.app()
        let device = try await api.pool.insertDevice(secret, of: app, ["user_id": "'ada'", "is_test": "true"])
        try await api.pool.execute(
            """
            WITH push AS (
                INSERT INTO batches (app_id, message_number, message_key_version, environment, first_id, last_id, size,
                    pending, accepted, sent_through, state, attempt, ended_at, outcomes, recipients)
                SELECT \(app)::text::bigint, nextval('message_numbers'), 1, 0, \(device), \(device), 1, 0, 1, 1, 'done', 1, now(), '\\x01',
                    ARRAY[\(device)]
                RETURNING app_id, message_number
            )
            INSERT INTO events (app_id, message_number, device_id, kind, text, happened_at)
            SELECT app_id, message_number, \(device), \(EventKind.text.rawValue), 'hi', now() FROM push
            """)
        return ("/v1/apps/\(app)", "~\(device)")
    }

    @Test func installationIsShownToThoseWhoMayChangeDevicesOnly() async throws {
        try await APIFixture.run { api in
            let (root, handle) = try await Self.fill(api)
            let analyst = try await api.browser("ana@example.com", [RoleAssignment(.analyst)])
            let developer = try await api.browser("dev@example.com", [RoleAssignment(.developer)])
            let audience: JSON = ["include": ["user_id": "ada"]]
            let requests: [(HTTPRequest.Method, String, JSON?)] = [
                (.get, "/devices", nil), (.get, "/devices/\(handle)", nil), (.get, "/devices/\(Self.secret)", nil),
                (.get, "/people/ada", nil), (.get, "/devices/export", nil),
                (.get, "/devices/export?format=ndjson", nil),
                (.get, "/replies", nil), (.get, "/replies/export", nil), (.get, "/events/export", nil),
                (.post, "/audiences/count", ["audience": audience]),
            ]
            for (method, path, body) in requests {
                let shown = try await api.send(method, root + path, body, as: analyst)
                let text = String(decoding: shown.body, as: UTF8.self)
                #expect(!text.contains(Self.secret), "\(path)")
                #expect(shown.status != 200 || text.contains(handle), "\(path)")
                guard !path.contains("export") else { continue }
                let whole = try await api.send(method, root + path, body, as: developer)
                #expect(whole.status == shown.status)
                if whole.status == 200 {
                    #expect(String(decoding: whole.body, as: UTF8.self).contains(Self.secret), "\(path)")
                }
            }
        }
    }

    @Test func installationIsNotFoundLetterByLetter() async throws {
        try await APIFixture.run { api in
            let (root, handle) = try await Self.fill(api)
            let analyst = try await api.browser("ana@example.com", [RoleAssignment(.analyst)])
            for (search, isFound) in [("8E4C", false), ("8e4c0", false), (Self.secret, true), ("ada", true)] {
                let found = try await api.send(.get, "\(root)/devices?search=\(search)", as: analyst)
                #expect(found.status == 200)
                #expect(String(decoding: found.body, as: UTF8.self).contains(handle) == isFound, "\(search)")
            }
            let whole = try await api.send(.get, "\(root)/devices?search=8e4c")
            #expect(String(decoding: whole.body, as: UTF8.self).contains(Self.secret))
        }
    }

    /// Whoever can count an audience could otherwise try one letter after the other.
    @Test(arguments: ["starts_with", "contains", "exists"])
    func audienceTestsAnInstallationOnlyAsAWhole(_ op: String) async throws {
        try await APIFixture.run { api in
            let (root, _) = try await Self.fill(api)
            var members = [JSON.Member("field", "installation"), JSON.Member("op", .string(op))]
            if op != "exists" { members.append(JSON.Member("value", "8")) }
            let condition = JSON.object(members)
            let payload: JSON = ["aps": ["alert": "Hello"]]
            for inner in [condition, ["all": [["user_ids": ["ada"]], condition]], ["not": condition]] {
                let audience: JSON = ["include": inner]
                for (path, body) in [
                    ("/audiences/count", ["audience": audience]), ("/segments", ["name": "S", "audience": audience]),
                    ("/campaigns", ["name": "C", "payload": payload, "audience": audience]),
                    ("/tag-changes", ["audience": audience, "add_tags": ["vip"]]),
                ] as [(String, JSON)] {
                    let refused = try await api.send(.post, root + path, body)
                    #expect(refused.status == 422, "\(path)")
                    #expect(String(decoding: refused.body, as: UTF8.self).contains("unknown-op"), "\(path)")
                }
            }
            for op in ["is", "in"] {
                let value: JSON = op == "is" ? .string(Self.secret) : [.string(Self.secret)]
                let whole: JSON = [
                    "audience": ["include": ["field": "installation", "op": .string(op), "value": value]]
                ]
                #expect(try await api.send(.post, root + "/audiences/count", whole).json["matches"] == 1)
            }
        }
    }

    @Test func pushesShowInstallationsToThoseWhoMayChangeDevicesOnly() async throws {
        try await APIFixture.run { api in
            let (root, handle) = try await Self.fill(api)
            try await api.makeReady(root.split(separator: "/").last.map(String.init) ?? "")
            let sender = try await api.keys.create(app: nil, kind: .secret, name: "k", scopes: [.pushesSend]).text
            let payload: JSON = ["aps": ["alert": "Hi"]]
            func check(_ answer: Answer, _ status: Int) {
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(answer.status == status && !text.contains(Self.secret) && text.contains(handle), "\(text)")
            }
            let dry: JSON = ["user_ids": ["ada"], "payload": payload, "dry_run": true]
            check(try await api.send(.post, root + "/pushes", dry, key: sender), 200)
            let push: JSON = ["user_ids": ["ada"], "payload": payload]
            let again: HTTPFields = [HTTPField.Name("Idempotency-Key")!: "once"]
            let sent = try await api.send(.post, root + "/pushes", push, key: sender, headers: again)
            check(sent, 202)
            check(try await api.send(.post, root + "/pushes", push, key: sender, headers: again), 202)
            check(try await api.send(.get, "\(root)/pushes/\(sent.text("id"))", key: sender), 200)
            let whole = try await api.send(.get, "\(root)/pushes/\(sent.text("id"))")
            #expect(String(decoding: whole.body, as: UTF8.self).contains(Self.secret))
        }
    }

    @Test func handleReadsAndDoesNotChange() async throws {
        try await APIFixture.run { api in
            let (root, handle) = try await Self.fill(api)
            let marketer = try await api.browser("mia@example.com", [RoleAssignment(.marketer)])
            let viewer = try await api.browser("vic@example.com", [RoleAssignment(.viewer)])
            let history = try await api.send(.get, "\(root)/devices/\(handle)/deliveries", as: marketer)
            #expect(history.status == 200)
            let content: JSON = ["payload": ["aps": ["alert": "Hi {{ user_id }}"]]]
            let preview: JSON = ["content": content, "installation": .string(handle)]
            #expect(try await api.send(.post, root + "/templates/preview", preview, as: marketer).status == 200)
            #expect(try await api.send(.post, root + "/templates/preview", preview, as: viewer).status == 403)
            let whole: JSON = ["content": content, "installation": .string(Self.secret)]
            #expect(try await api.send(.post, root + "/templates/preview", whole, as: viewer).status == 403)
            // Numbers can be guessed, so a publishable key must know the installation, and nobody changes by a number.
            let key = try await api.send(.post, root + "/keys", ["name": "P", "kind": "publishable"]).text("key")
            #expect(try await api.send(.get, "\(root)/devices/\(Self.secret)", key: key).status == 200)
            #expect(try await api.send(.get, "\(root)/devices/\(handle)", key: key).status == 400)
            let body: JSON = ["token": "00112233445566778899aabbccddeeff", "environment": "production"]
            for method in [HTTPRequest.Method.put, .patch] {
                #expect(try await api.send(method, "\(root)/devices/\(handle)", body).status == 400)
            }
            #expect(try await api.send(.delete, "\(root)/devices/\(handle)").status == 400)
        }
    }
}
