import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

struct WebhookRoutesTests {
    private static let new: JSON = [
        "url": "https://shop.example.com/hook", "kinds": ["replies.received", "run.paused"],
    ]

    @Test(arguments: APIFixture.Transport.allCases)
    func webhookIsMadeReadChangedAndDeleted(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let root = "/v1/apps/\(try await api.app())/webhooks"
            let made = try await api.send(.post, root, Self.new)
            #expect(made.status == 201)
            #expect(made.text("secret").hasPrefix("whsec_"))
            // In the order of the catalogue.
            #expect(try made.json["kinds"] == ["run.paused", "replies.received"])
            let path = "\(root)/\(made.text("id"))"
            #expect(made.headers[.location] == path)

            let read = try await api.send(.get, path)
            #expect(try read.json["secret"] == nil)
            let changed = try await api.send(.patch, path, ["enabled": false, "description": "Shop"])
            #expect(try changed.json["enabled"] == false && changed.json["url"] == read.json["url"])
            #expect(try changed.json["disabled_reason"] == .null)
            guard case .array(let list)? = try await api.send(.get, root).json["data"] else {
                throw Failed()
            }
            #expect(try list == [changed.json])
            let late = try await api.send(.patch, path, ["enabled": true], headers: [.ifMatch: "\"1\""])
            #expect(late.code == "version-conflict")

            let rotated = try await api.send(.post, path + "/rotate")
            #expect(rotated.text("secret").hasPrefix("whsec_") && rotated.text("secret") != made.text("secret"))
            #expect(try rotated.json["rotation_ends_at"] != .null)
            #expect(try await api.send(.delete, path).status == 204)
            #expect(try await api.send(.get, path).code == "webhook-not-found")
        }
    }

    private struct Failed: Error {}

    @Test func mistakesAreExplained() async throws {
        try await APIFixture.run { api in
            let root = "/v1/apps/\(try await api.app())/webhooks"
            for (body, problem) in [
                (["url": "http://example.com/", "kinds": ["run.paused"]], "url: not-https"),
                (["url": "https://u:p@example.com/", "kinds": ["run.paused"]], "url: has-credentials"),
                (["url": "https://example.com/", "kinds": []], "kinds: too-short"),
                (["url": "https://example.com/", "kinds": ["run.exploded"]], "kinds[0]: unknown-value"),
                (["url": "https://example.com/"], "kinds: missing"),
            ] as [(JSON, String)] {
                let answer = try await api.send(.post, root, body)
                #expect(answer.status == 422)
                #expect(answer.problems == [problem])
            }
        }
    }

    @Test func deliveriesAreTestedListedAndResent() async throws {
        try await APIFixture.run { api in
            let root = "/v1/apps/\(try await api.app())/webhooks"
            let path = "\(root)/\(try await api.send(.post, root, Self.new).text("id"))"
            let test = try await api.send(.post, path + "/test")
            #expect(test.status == 202)
            #expect(test.text("kind") == "webhook.test" && test.text("outcome") == "waiting")
            let body = try JSON(parsing: Array(test.text("body").utf8))
            #expect(body["type"] == "webhook.test")

            _ = try await api.send(.post, path + "/test")
            let first = try await api.send(.get, path + "/deliveries?limit=1&outcome=waiting")
            let second = try await api.send(
                .get, path + "/deliveries?limit=1&outcome=waiting&cursor=\(first.text("next_cursor"))")
            guard case .array(let older)? = try second.json["data"] else { throw Failed() }
            #expect(try older == [test.json])
            #expect(try await api.send(.get, path + "/deliveries?outcome=failed").json["data"] == .array([]))
            #expect(try await api.send(.get, path + "/deliveries?outcome=lost").status == 400)

            let delivery = "\(path)/deliveries/\(test.text("id"))"
            let resent = try await api.send(.post, delivery + "/resend")
            #expect(resent.status == 202 && resent.text("webhook_id") == test.text("webhook_id"))
            #expect(try await api.send(.post, path + "/deliveries/99/resend").code == "delivery-not-found")

            _ = try await api.send(.patch, path, ["enabled": false])
            #expect(try await api.send(.post, path + "/test").code == "webhook-disabled")
            #expect(try await api.send(.post, delivery + "/resend").code == "webhook-disabled")
        }
    }

    @Test func eventsAboutDevicesNeedThePermissionToSeeThem() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let key = try await api.send(
                .post, "/v1/apps/\(app)/keys",
                ["name": "settings", "kind": "secret", "scopes": ["apps:read", "apps:write"]]
            ).text("key")
            let root = "/v1/apps/\(app)/webhooks"
            #expect(try await api.send(.post, root, Self.new, key: key).status == 403)
            let plain: JSON = ["url": "https://example.com/", "kinds": ["run.paused"]]
            let made = try await api.send(.post, root, plain, key: key)
            #expect(made.status == 201)
            let path = "\(root)/\(made.text("id"))"
            #expect(try await api.send(.patch, path, ["kinds": ["devices.retired"]], key: key).status == 403)

            try await api.pool.execute(
                """
                INSERT INTO webhook_deliveries (app_id, webhook_id, kind, body)
                SELECT app_id, id, 'replies.received', '{}' FROM webhooks
                """)
            func bodies(_ answer: Answer) throws -> [JSON?] {
                guard case .array(let data)? = try answer.json["data"] else { throw Failed() }
                return data.map { $0["body"] }
            }
            #expect(try bodies(try await api.send(.get, path + "/deliveries", key: key)) == [.null])
            #expect(try bodies(try await api.send(.get, path + "/deliveries")) == ["{}"])
        }
    }
}
