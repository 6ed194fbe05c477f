import HTTPTypes
import JSON
import Testing

@Suite struct ClientConfigurationRoutesTests {
    @Test func appLearnsItsKeysLimitsAndRevisionsWithItsPublishableKey() async throws {
        try await APIFixture.run { api in
            let app = "/v1/apps/\(try await api.app())"
            let key = try await api.send(.post, app + "/keys", ["name": "app", "kind": "publishable"]).text("key")
            let path = app + "/client-configuration"
            let first = try await api.send(.get, path, key: key)
            #expect(first.status == 200)
            #expect(try first.json["message_id_key"] == "i")
            #expect(try first.json["attachment_url_key"] == "attachment-url")
            #expect(try first.json["identity_verification"] == false)
            #expect(
                try first.json["limits"]
                    == ["events_per_request": 1_000, "bytes_per_request": 262_144, "event_days": 30])
            let tag = try #require(first.headers[.eTag])
            #expect(try await api.send(.get, path, key: key, headers: [.ifNoneMatch: tag]).status == 304)
        }
    }

    @Test func revisionChangesWithEachEditOfItsOwnKindOnly() async throws {
        try await APIFixture.run { api in
            let app = "/v1/apps/\(try await api.app())"
            let key = try await api.send(.post, app + "/keys", ["name": "app", "kind": "publishable"]).text("key")
            func revisions() async throws -> (categories: JSON?, plans: JSON?) {
                let found = try await api.send(.get, app + "/client-configuration", key: key).json["revisions"]
                return (found?["categories"], found?["local_plans"])
            }
            let none = try await revisions()
            let category = try await api.send(
                .post, app + "/categories", ["identifier": "news", "actions": [["identifier": "a", "title": "A"]]])
            #expect(category.status == 201)
            let withCategory = try await revisions()
            #expect(withCategory.categories != none.categories && withCategory.plans == none.plans)
            let plan = try await api.send(
                .post, app + "/local-plans",
                [
                    "name": "Water",
                    "notifications": [
                        [
                            "identifier": "a", "trigger": ["type": "interval", "seconds": 60],
                            "content": ["aps": ["alert": "Drink water"]],
                        ]
                    ],
                ])
            #expect(plan.status == 201)
            let withPlan = try await revisions()
            #expect(withPlan.categories == withCategory.categories && withPlan.plans != none.plans)
            _ = try await api.send(.post, app + "/local-plans/" + plan.text("id") + "/archive")
            #expect(try await revisions().plans == none.plans)
        }
    }
}
