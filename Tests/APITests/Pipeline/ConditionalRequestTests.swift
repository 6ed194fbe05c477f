import Crypto
import HTTPTypes
import JSON
import Postgres
import Testing

@testable import API

/// ETag, If-None-Match and If-Match, for every resource of the OpenAPI description.
struct ConditionalRequestTests {
    /// A resource with a value for its path parameter and a valid body for PATCH.
    private struct Resource {
        let pattern: String
        let path: String
        let change: JSON
    }

    @Test func everyResourceHasAnETagThatSavesTheNextAnswer() async throws {
        try await APIFixture.run { api in
            for resource in try await Self.resources(api) {
                let first = try await api.send(.get, resource.path)
                let tag = try #require(first.headers[.eTag], "\(resource.pattern)")
                // Nothing of it stays in a browser.
                #expect(first.headers[.cacheControl] == "no-store", "\(resource.pattern)")
                #expect(tag.wholeMatch(of: /"[0-9]+-[0-9a-f]{16}"/) != nil, "\(resource.pattern)")
                for known in [tag, "W/\(tag)", "\"other\", \(tag)"] {
                    let again = try await api.send(.get, resource.path, headers: [.ifNoneMatch: known])
                    #expect(again.status == 304 && again.body.isEmpty, "\(resource.pattern)")
                    #expect(again.headers[.eTag] == tag)
                }
                let changed = try await api.send(.get, resource.path, headers: [.ifNoneMatch: "\"1-0\""])
                #expect(changed.status == 200 && changed.body == first.body)
            }
        }
    }

    /// PATCH, DELETE and the actions that change a resource do nothing if it was changed since it was read.
    @Test func everyWriteWithAnOldVersionIsRefused() async throws {
        try await APIFixture.run { api in
            let resources = try await Self.resources(api)
            var count = 0
            for (method, pattern, operation) in try Self.conditionalWrites() {
                let resource = try #require(
                    resources.first { pattern == $0.pattern || pattern.hasPrefix($0.pattern + "/") }, "\(pattern)")
                let path = resource.path + pattern.dropFirst(resource.pattern.count)
                let before = try await api.send(.get, resource.path)
                for old in ["\"99\"", "\"99-0123456789abcdef\"", "W/\"99-0123456789abcdef\""] {
                    let body = operation["requestBody"] == nil || method == .post ? nil : resource.change
                    let answer = try await api.send(method, path, body, headers: [.ifMatch: old])
                    #expect(answer.status == 412, "\(method) \(pattern)")
                    #expect(answer.code == "version-conflict", "\(method) \(pattern)")
                }
                let wrong = try await api.send(method, path, resource.change, headers: [.ifMatch: "99"])
                #expect(wrong.status == 400 || method != .patch, "\(method) \(pattern)")
                #expect(try await api.send(.get, resource.path).body == before.body, "\(method) \(pattern)")
                count += 1
            }
            #expect(count > 30)
        }
    }

    @Test func changeWithTheCurrentETagIsMadeInEitherForm() async throws {
        try await APIFixture.run { api in
            for resource in try await Self.resources(api) where resource.change != .null {
                for prefix in ["", "W/"] {
                    let tag = try #require(try await api.send(.get, resource.path).headers[.eTag])
                    let answer = try await api.send(
                        .patch, resource.path, resource.change, headers: [.ifMatch: prefix + tag])
                    #expect(answer.status == 200, "\(resource.pattern)")
                }
                let tag = try #require(try await api.send(.get, resource.path).headers[.eTag])
                #expect(!tag.hasPrefix("\"1-"), "\(resource.pattern)")
            }
        }
    }

    private static func conditionalWrites() throws -> [(HTTPRequest.Method, String, JSON)] {
        let paths = try #require(try APIFixture.document().json["paths"]?.members)
        return try paths.flatMap { path in
            try #require(path.value.members).compactMap { operation in
                let matches = operation.value["parameters"]?.elements?.contains {
                    $0["$ref"]?.string?.contains("/ifMatch") == true
                }
                // Devices are changed through group commits, and tested with them.
                guard matches == true, !path.key.contains("{installation}") else { return nil }
                return (
                    try #require(HTTPRequest.Method(operation.key.uppercased())), path.key, operation.value
                )
            }
        }
    }

    /// One of each resource. A key and a run are added without the API.
    private static func resources(_ api: APIFixture) async throws -> [Resource] {
        let app = try await api.app()
        let root = "/v1/apps/\(app)"
        func made(_ collection: String, _ body: JSON, id: String = "id") async throws -> String {
            let answer = try await api.send(.post, "\(root)/\(collection)", body)
            #expect(answer.status == 201, "\(collection)")
            let path = "\(root)/\(collection)/\(answer.text(id))"
            #expect(answer.headers[.location] == path)
            #expect(answer.headers[.eTag]?.hasPrefix("\"1-") == true, "\(collection)")
            return path
        }
        func resource(_ name: String, _ collection: String, _ path: String, _ change: JSON = .null) -> Resource {
            Resource(pattern: "/v1/apps/{app}/\(collection)/{\(name)}", path: path, change: change)
        }
        let rename: JSON = ["name": "Another"]
        let campaign = try await made("campaigns", ["name": "Sale", "payload": ["aps": ["alert": "Hello"]]])
        let run = try await api.run(of: String(campaign.split(separator: "/").last ?? ""), app: app, isOver: false)
        let person = "\(root)/people/ada"
        _ = try await api.send(.patch, person, ["tags": ["vip"]])
        try await api.pool.execute(
            "INSERT INTO custom_event_names (app_id, name) VALUES (\(app)::text::bigint, 'visit')")
        let pem = try SigningKey.generate().pem
        return [
            resource("campaign", "campaigns", campaign, rename),
            resource("run", "runs", "\(root)/runs/\(run)", ["pushes_per_second": 5]),
            resource(
                "template", "templates",
                try await made("templates", ["name": "T", "content": ["payload": ["aps": ["alert": "Hello"]]]]), rename),
            resource(
                "segment", "segments",
                try await made("segments", ["name": "S", "audience": ["include": ["tag": "vip"]]]), rename),
            resource(
                "category", "categories", try await made("categories", ["identifier": "C", "actions": []]),
                ["options": []]),
            resource(
                "plan", "local-plans", try await made("local-plans", ["name": "P", "notifications": []]), rename),
            resource(
                "tag_change", "tag-changes",
                try await made("tag-changes", ["audience": ["include": ["tag": "vip"]], "add_tags": ["a"]])),
            resource(
                "event", "custom-event-names", "\(root)/custom-event-names/visit",
                ["description": "The app was opened."]
            ),
            resource("topic", "topics", try await made("topics", ["key": "offers", "name": "O"], id: "key"), rename),
            resource(
                "credential", "credentials",
                try await made(
                    "credentials",
                    [
                        "key_id": "ABCDEFGHIJ", "team_id": "TEAM123456", "p8": .string(pem),
                        "environments": ["production"],
                    ])),
            resource(
                "webhook", "webhooks",
                try await made("webhooks", ["url": "https://example.com/", "kinds": ["run.paused"]]),
                ["description": "Shop"]),
            resource("key", "keys", try await made("keys", ["name": "K", "kind": "publishable"])),
            resource(
                "media", "media", try await made("media", ["external_url": "https://example.com/a.png"])),
            resource("user_id", "people", person, ["add_tags": ["beta"]]),
            Resource(
                pattern: "/v1/keys/{key}",
                path: try #require(
                    try await api.send(.post, "/v1/keys", ["name": "A", "kind": "secret", "scopes": ["apps:read"]])
                        .headers[.location]), change: .null),
            Resource(
                pattern: "/v1/users/{user}",
                path: try #require(
                    try await api.send(.post, "/v1/users", ["email": "ada@example.com", "roles": []])
                        .headers[.location]), change: rename),
            Resource(pattern: "/v1/apps/{app}", path: root, change: rename),
        ]
    }
}
