import HTTPTypes
import JSON
import Notifications
import Postgres
import Testing

/// The requests that are refused before anything is sent.
@Suite struct LaunchRoutesTests {
    private static let time: JSON = ["schedule": ["kind": "at", "at": "2099-01-01T00:00:00Z"]]

    /// The campaign is what it was, and nothing is under way.
    private static func expectNothingBegun(_ api: APIFixture, _ path: String) async throws {
        let campaign = try await api.send(.get, path).json
        #expect(campaign["state"] == "draft" && campaign["version"] == 1 && campaign["reason"] == .null)
        #expect(try await api.pool.query("SELECT FROM runs").isEmpty)
    }

    @Test func withoutACredentialNothingIsStartedOrScheduled() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            try await api.pool.execute("DELETE FROM credentials")
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"

            for answer in [
                try await api.send(.post, path + "/start"), try await api.send(.post, path + "/schedule", Self.time),
            ] {
                #expect(answer.status == 409)
                #expect(answer.code == "no-credential")
                #expect(answer.text("detail").contains(".p8"))
            }
            try await Self.expectNothingBegun(api, path)
        }
    }

    @Test func emptyAudienceIsRefusedForAStartOnly() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                [
                    "name": "Sale", "payload": ["aps": ["alert": "Hi"]],
                    "audience": ["include": ["user_ids": ["nobody"]]],
                ])
            let path = "/v1/apps/\(app)/campaigns/\(made.text("id"))"

            let start = try await api.send(.post, path + "/start")
            #expect(start.status == 409)
            #expect(start.code == "audience-empty")
            try await Self.expectNothingBegun(api, path)
            #expect(try await api.send(.post, path + "/schedule", Self.time).status == 200)
        }
    }

    /// One locale fits to the byte until the app's own setting takes more.
    @Test func payloadThatHasBecomeTooLongForOneLocaleIsRefused() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let long = JSON.string(String(repeating: "x", count: 4_033))
            let template = try await api.send(
                .post, "/v1/apps/\(app)/templates",
                [
                    "name": "News",
                    "content": [
                        "payload": ["aps": ["alert": "Hi"]], "variants": ["ja": ["aps": ["alert": long]]],
                    ],
                ])
            #expect(try template.json["sizes"]?.elements?.last?["max_bytes"] == 4_096)
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns", ["name": "News", "template": .string(template.text("id"))])
            #expect(made.status == 201)
            let path = "/v1/apps/\(app)/campaigns/\(made.text("id"))"
            #expect(try await api.send(.patch, "/v1/apps/\(app)", ["message_id_key": "id"]).status == 200)

            for answer in [
                try await api.send(.post, path + "/start"), try await api.send(.post, path + "/schedule", Self.time),
            ] {
                #expect(answer.status == 422)
                #expect(answer.problems == ["template.variants.ja: payload-too-large"])
                #expect(answer.text("detail").contains("4097"))
            }
            try await Self.expectNothingBegun(api, path)
            #expect(try await api.send(.patch, "/v1/apps/\(app)", ["message_id_key": "i"]).status == 200)
            #expect(try await api.send(.post, path + "/start").status == 201)
        }
    }

    @Test func ownPayloadThatHasBecomeTooLongIsRefused() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let long = JSON.string(String(repeating: "x", count: 4_033))
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                ["name": "News", "payload": ["aps": ["alert": long]], "schedule": ["kind": "triggered"]])
            let path = "/v1/apps/\(app)/campaigns/\(made.text("id"))"
            #expect(try await api.send(.post, path + "/schedule").status == 200)
            #expect(try await api.send(.patch, "/v1/apps/\(app)", ["message_id_key": "id"]).status == 200)

            for move in ["/schedule", "/trigger"] {
                let answer = try await api.send(.post, path + move)
                #expect(answer.status == 422)
                #expect(answer.problems == ["payload: payload-too-large"])
            }
            #expect(try await api.send(.get, path).json["state"] == "scheduled")
            #expect(try await api.pool.query("SELECT FROM runs").isEmpty)
        }
    }
}
