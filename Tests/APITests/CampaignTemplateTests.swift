import Campaigns
import HTTPTypes
import JSON
import Notifications
import Postgres
import TestSupport
import Testing

@Suite struct CampaignTemplateTests {
    private static func template(_ api: APIFixture, _ app: String) async throws -> String {
        let made = try await api.send(
            .post, "/v1/apps/\(app)/templates",
            [
                "name": "Refresh",
                "content": [
                    "push_type": "background", "expiration_seconds": 60, "collapse_id": "one",
                    "payload": ["aps": ["content-available": 1]],
                ],
            ])
        #expect(made.status == 201)
        return made.text("id")
    }

    @Test func campaignKeepsTheVersionThatItNamed() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let template = try await Self.template(api, app)
            let path = "/v1/apps/\(app)/campaigns"
            let made = try await api.send(
                .post, path, ["name": "A", "template": .string(template), "collapse_id": "two"])
            #expect(made.status == 201)
            #expect(try made.json["template"] == .string(template))
            #expect(try made.json["template_version"] == 1)
            #expect(try made.json["payload"] == .null)
            #expect(try made.json["push_type"] == "background")
            #expect(try made.json["priority"] == 5)
            #expect(try made.json["expiration_seconds"] == 60)
            #expect(try made.json["collapse_id"] == "two")

            let one = path + "/" + made.text("id")
            let newer = try await api.send(
                .patch, "/v1/apps/\(app)/templates/\(template)", ["name": "Newer"], headers: [.ifMatch: "*"])
            #expect(newer.status == 200)
            let renamed = try await api.send(.patch, one, ["name": "B"], headers: [.ifMatch: "*"])
            #expect(try renamed.json["template_version"] == 1)
            #expect(try renamed.json["collapse_id"] == "two")
            let again = try await api.send(.patch, one, ["template": .string(template)], headers: [.ifMatch: "*"])
            #expect(try again.json["template_version"] == 2)
            #expect(try again.json["collapse_id"] == "one")
            let back = try await api.send(.patch, one, ["template_version": 1], headers: [.ifMatch: "*"])
            #expect(try back.json["template_version"] == 1)
            #expect(
                try await api.send(.get, "/v1/apps/\(app)/templates/\(template)/campaigns").page.ids
                    == [made.text("id")])

            let own = try await api.send(
                .patch, one, ["payload": ["aps": ["content-available": 1]]], headers: [.ifMatch: "*"])
            #expect(try own.json["template"] == .null)
            #expect(try own.json["push_type"] == "background")
        }
    }

    /// As if its content were the campaign's own.
    @Test func campaignHasTheWarningsOfItsTemplate() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let content: JSON = [
                "payload": ["aps": ["alert": "Hello", "category": "BELL", "sound": "default"]],
                "variants": ["de": ["aps": ["alert": "Hallo", "sound": "default"]]],
            ]
            let template = try await api.send(
                .post, "/v1/apps/\(app)/templates", ["name": "Bells", "content": content])
            func found(_ answer: Answer, _ key: String) throws -> [String] {
                try (answer.json[key]?.elements ?? []).map { "\($0["path"]?.string ?? "") \($0["code"]?.string ?? "")" }
            }
            let told = try found(template, "problems")
            #expect(told.contains("content.variants.de.aps.category missing-in-language"))
            let path = "/v1/apps/\(app)/campaigns"
            let made = try await api.send(.post, path, ["name": "A", "template": .string(template.text("id"))])
            let wanted = told.map { $0.replacing("content.", with: "template.", maxReplacements: 1) }
            #expect(try found(made, "warnings") == wanted)
            let read = try await api.send(.get, "\(path)/\(made.text("id"))")
            #expect(try found(read, "warnings") == wanted)
            let copy = try await api.send(.post, "\(path)/\(made.text("id"))/duplicate")
            #expect(try found(copy, "warnings") == wanted)
        }
    }

    /// A language can be misspelled, and devices in it can still come.
    @Test func campaignWarnsOfLanguagesThatNoDeviceHas() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await api.pool.insertDevice("a", of: app, ["locale": "'zh-Hant-TW'"])
            func warnings(_ condition: JSON) async throws -> [String] {
                let made = try await api.send(
                    .post, "/v1/apps/\(app)/campaigns",
                    ["name": "A", "payload": ["aps": ["alert": "Hi"]], "audience": ["include": condition]])
                #expect(made.status == 201)
                return try (made.json["warnings"]?.elements ?? []).map {
                    "\($0["path"]?.string ?? "") \($0["code"]?.string ?? "")"
                }
            }
            func locale(_ op: String, _ value: JSON, field: String = "locale") -> JSON {
                ["field": .string(field), "op": .string(op), "value": value]
            }
            for known in [
                locale("starts_with", "zh"), locale("starts_with", "zh_TW"), locale("contains", "tw"),
                locale("in", ["de", "zh-TW"]), locale("is", "zh", field: "language"), locale("is_not", "xx"),
            ] {
                #expect(try await warnings(known) == [])
            }
            #expect(try await warnings(locale("starts_with", "xx")) == ["audience.include.value never-matches"])
            #expect(
                try await warnings(["not": locale("is", "jp", field: "language")])
                    == ["audience.include.not.value never-matches"])
        }
    }

    @Test func unsendableTemplatesAreRefused() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let template = JSON.string(try await Self.template(api, app))
            let path = "/v1/apps/\(app)/campaigns"
            let payload: JSON = ["aps": ["alert": "a"]]
            let cases: [(JSON, [String])] = [
                (["name": "A"], ["payload: missing"]),
                (["name": "A", "payload": payload, "template": template], ["payload: mutually-exclusive"]),
                (["name": "A", "template": "999"], ["template: template-not-found"]),
                (["name": "A", "template": template, "template_version": 9], ["template_version: version-not-found"]),
                (["name": "A", "template": template, "push_type": "alert"], ["push_type: mutually-exclusive"]),
                (["name": "A", "template": template, "priority": 10], ["priority: background-priority"]),
                (["name": "A", "template": 5], ["template: wrong-type"]),
            ]
            for (body, problems) in cases {
                let answer = try await api.send(.post, path, body)
                #expect(answer.status == 422)
                #expect(answer.problems == problems)
            }
            let made = try await api.send(.post, path, ["name": "A", "template": template])
            let id = try #require(template.string)
            _ = try await api.send(.post, "/v1/apps/\(app)/templates/\(id)/archive")
            #expect(
                try await api.send(.post, path, ["name": "B", "template": template]).problems
                    == ["template: template-archived"])
            // The one that has it goes on.
            let edited = try await api.send(
                .patch, path + "/" + made.text("id"), ["name": "B"], headers: [.ifMatch: "*"])
            #expect(edited.status == 200)
        }
    }
}
