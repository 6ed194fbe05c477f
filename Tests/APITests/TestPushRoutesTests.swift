import Administration
import Campaigns
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store
import TestSupport
import Testing

@Suite struct TestPushRoutesTests {
    private static func addDevices(_ api: APIFixture, _ app: String) async throws {
        try await api.pool.insertDevice(
            "mine", of: app,
            [
                "environment": "1", "token": "'\\x0101'", "is_test": "true", "nickname": "'My phone'",
                "attributes": #"'{"first_name": "Ada"}'"#,
            ])
        try await api.pool.insertDevice(
            "gone", of: app,
            ["token": "'\\x0100'", "is_test": "true", "attributes": #"'{"first_name": "Bob"}'"#])
        try await api.pool.insertDevice("nameless", of: app, ["token": "'\\x0102'", "is_test": "true"])
        try await api.pool.insertDevice("customer", of: app, ["nickname": "'Eve'"])
    }

    @Test func testDevicesGetTheTemplateEachInItsOwnWords() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            let made = try await api.send(
                .post, "/v1/apps/\(app)/templates",
                ["name": "A", "content": ["payload": ["aps": ["alert": "Hi {{ first_name }}"]]]])

            let answer = try await api.send(
                .post, "/v1/apps/\(app)/test-pushes",
                [
                    "template": .string(made.text("id")), "installations": ["nameless", "gone", "mine"],
                    "collapse_id": "test",
                ])

            #expect(answer.status == 200)
            guard case .array(let data) = try answer.json["data"], data.count == 3 else {
                Issue.record("\(String(decoding: answer.body, as: UTF8.self))")
                return
            }
            #expect(data.map { $0["outcome"] } == ["suppressed", "rejected", "accepted"])
            #expect(data[0]["reason"] == "value missing")
            #expect(data[1]["status"] == 410)
            #expect(data[1]["invalid_since"] == "1970-01-01T00:00:01.000Z")
            #expect(data[1]["remedy"] == "Forget it.")
            #expect(data[2]["nickname"] == "My phone")
            #expect(data[2]["apns_unique_id"] == "unique")
            let sent = try JSON(parsing: try #require(data[2]["meaning"]?.string))
            #expect(sent["payload"]?["aps"]?["alert"] == "Hi Ada")
            // The id that the app acknowledges is Apple's.
            #expect(sent["payload"]?["i"] == data[2]["apns_id"])
            #expect(sent["collapse"] == "test")
        }
    }

    @Test func repeatedTestPushIsSentOnce() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            let key: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "t"]
            let body: JSON = ["payload": ["aps": ["alert": "Hi"]], "installations": ["mine"]]
            let path = "/v1/apps/\(app)/test-pushes"
            let first = try await api.send(.post, path, body, headers: key)
            // Each push has an id of its own.
            #expect(try await api.send(.post, path, body, headers: key).body == first.body)
            #expect(try await api.send(.post, path, body).body != first.body)
            #expect(try first.json["data"]?.elements?.first?["outcome"] == "accepted")
        }
    }

    @Test func tokenGetsAPayloadAsItIs() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/test-pushes",
                [
                    "payload": ["aps": ["alert": "{{ braces }}"]], "token": "0101", "environment": "development",
                    "priority": 5,
                ])
            guard case .array(let data) = try answer.json["data"], case .string(let text) = data[0]["meaning"],
                let sent = try? JSON(parsing: text)
            else {
                Issue.record("\(String(decoding: answer.body, as: UTF8.self))")
                return
            }
            #expect(sent["payload"]?["aps"]?["alert"] == "{{ braces }}")
            #expect(sent["priority"] == 5)
            #expect(data[0]["installation"] == .null)
        }
    }

    @Test func otherThanTestDevicesAreRefusedByName() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/test-pushes",
                ["payload": ["aps": ["badge": "2"]], "installations": ["mine", "customer", "nobody"]])

            #expect(answer.status == 422)
            #expect(
                answer.problems.sorted() == [
                    "installations[1]: not-a-test-device", "installations[2]: unknown-device",
                    "payload.aps.badge: wrong-type",
                ])
            #expect(answer.text("detail").contains("Eve"))

            let empty = try await api.send(.post, "/v1/apps/\(app)/test-pushes", ["push_type": "loud"])
            #expect(
                empty.problems.sorted() == ["installations: missing", "payload: missing", "push_type: unknown-value"])
        }
    }

    @Test func sendingTestsIsAScopeOfItsOwn() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let key = try await api.keys.create(
                app: nil, kind: .secret, name: "all else",
                scopes: Set(Permission.allCases).subtracting([.testPushesSend])
            ).text
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/test-pushes",
                ["payload": ["aps": ["alert": "a"]], "token": "0101", "environment": "production"], key: key)
            #expect(answer.status == 403)
        }
    }
}
