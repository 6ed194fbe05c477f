import HTTPTypes
import JSON
import Notifications
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
