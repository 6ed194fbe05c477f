import Administration
import Campaigns
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store
import TestSupport
import Testing

@Suite struct PushRoutesTests {
    /// Ada has two phones, Bob one that is gone, Eve allows nothing.
    private static func addDevices(_ api: APIFixture, _ app: String, credential: Bool = true) async throws {
        try await api.pool.insertDevice(
            "ada-1", of: app,
            ["user_id": "'ada'", "token": "'\\x0101'", "attributes": #"'{"first_name": "Ada", "code": "old"}'"#])
        try await api.pool.insertDevice(
            "ada-2", of: app,
            [
                "user_id": "'ada'", "environment": "1", "opt_outs": "'{offers}'",
                "attributes": #"'{"first_name": "Ada"}'"#,
            ])
        try await api.pool.insertDevice(
            "bob", of: app, ["user_id": "'bob'", "retired_at": "now()", "retired_reason": "1"])
        try await api.pool.insertDevice("eve", of: app, ["user_id": "'eve'", "authorization_status": "1"])
        guard credential else { return }
        try await api.pool.execute(
            """
            INSERT INTO credentials (app_id, production, development, key_id, team_id, sealed_key)
            SELECT id, true, true, 'ABCDEFGHIJ', 'ABCDEFGHIJ', '' FROM apps
            """)
    }

    private static let payload: JSON = ["aps": ["alert": "Hi"]]

    private static func states(_ answer: Answer) throws -> [String] {
        try (answer.json["devices"]?.elements ?? []).map { device in
            guard case .string(let installation) = device["installation"], case .string(let state) = device["outcome"]
            else { return "?" }
            guard case .string(let reason) = device["reason"] else { return "\(installation): \(state)" }
            return "\(installation): \(state), \(reason)"
        }.sorted()
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func everyDeviceOfAPersonIsSentTo(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/pushes",
                ["user_ids": ["nobody", "ada", "bob", "eve"], "payload": Self.payload])

            #expect(answer.status == 202)
            #expect(
                try Self.states(answer) == [
                    "ada-1: pending", "ada-2: pending", "eve: suppressed, notifications denied",
                ])
            // Bob's phone has no app any more; nobody is nobody.
            #expect(try answer.json["unmatched_targets"] == [0, 2])
            #expect(try answer.json["devices"]?.elements?.map { $0["target_index"] } == [1, 3, 1])

            let report = try await api.send(.get, "/v1/apps/\(app)/pushes/\(answer.text("id"))")
            #expect(report.status == 200)
            #expect(try Self.states(report).count == 3)
            #expect(try report.json["devices"]?.elements?.first?["user_id"] == "ada")
            for device in try #require(try answer.json["devices"]?.elements) {
                let id = try #require(device["message_id"]?.string)
                let one = try await api.send(.get, "/v1/apps/\(app)/pushes/\(id)")
                #expect(try one.json["devices"]?.elements?.map { $0["installation"] } == [device["installation"]])
            }
            // The answer contains the events that phones report.
            try await api.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, happened_at, kind)
                SELECT app_id, message_number, recipients[1], '2026-11-22T01:00:00Z', 3 FROM batches ORDER BY id LIMIT 1
                """)
            let opened = try await api.send(.get, "/v1/apps/\(app)/pushes/\(answer.text("id"))")
            let times = try opened.json["devices"]?.elements?.map { $0["opened_at"] } ?? []
            #expect(times.count { $0 == "2026-11-22T01:00:00.000Z" } == 1 && times.count { $0 == .null } == 2)
        }
    }

    @Test func installationsAndTokensLeadToTheirDevices() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            let byName = try await api.send(
                .post, "/v1/apps/\(app)/pushes", ["installations": ["ada-2", "bob"], "payload": Self.payload])
            #expect(try Self.states(byName) == ["ada-2: pending"])
            let byToken = try await api.send(
                .post, "/v1/apps/\(app)/pushes", ["tokens": ["0101", "FFFF"], "payload": Self.payload])
            #expect(try Self.states(byToken) == ["ada-1: pending"])
            #expect(try byToken.json["unmatched_targets"] == [1])
            // A push of a kind that nobody has a token for.
            let voip = try await api.send(
                .post, "/v1/apps/\(app)/pushes",
                ["user_ids": ["ada"], "payload": ["aps": [:]], "push_type": "voip"])
            #expect(voip.status == 200)
            #expect(try voip.json["id"] == .null && voip.json["unmatched_targets"] == [0])
        }
    }

    @Test func contentThatIsNotSavedIsFilledForEachDevice() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            let content: JSON = [
                "payload": ["aps": ["alert": "{{ first_name }}: {{ code }}"]],
                "variants": ["ja": ["aps": ["alert": "{{ code }}"]]], "collapse_id": "order",
            ]
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/pushes", ["user_ids": ["ada", "eve"], "content": content])

            #expect(answer.status == 202)
            let states = [
                "ada-1: pending", "ada-2: suppressed, value missing", "eve: suppressed, notifications denied",
            ]
            #expect(try Self.states(answer) == states)
            let report = try await api.send(.get, "/v1/apps/\(app)/pushes/\(answer.text("id"))")
            #expect(try Self.states(report) == states)
            let given = try await api.send(
                .post, "/v1/apps/\(app)/pushes",
                ["user_ids": ["ada"], "content": content, "values": ["code": "4711"]])
            #expect(given.status == 202)
            #expect(try Self.states(given) == ["ada-1: pending", "ada-2: pending"])
            #expect(try await api.pool.query("SELECT FROM templates").isEmpty)
            let wrong = try await api.send(
                .post, "/v1/apps/\(app)/pushes",
                ["user_ids": ["ada"], "content": ["payload": ["aps": ["alert": "{{ code"]]]])
            #expect(wrong.problems == ["content.payload.aps.alert: unclosed-output"])
        }
    }

    @Test func aValueThatCannotBeUsedIsNotMissing() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            for (unread, state) in [("many" as JSON, "suppressed, value not usable"), (3.0, "pending")] {
                let answer = try await api.send(
                    .post, "/v1/apps/\(app)/pushes",
                    [
                        "user_ids": ["ada"], "values": ["unread": unread],
                        "content": ["payload": ["aps": ["alert": "Hi", "badge": "{{ unread | as_number }}"]]],
                    ])

                #expect(try Self.states(answer) == ["ada-1: \(state)", "ada-2: \(state)"])
            }
        }
    }

    @Test func valuesStandOverAttributesAndDryRunStoresNothing() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            let made = try await api.send(
                .post, "/v1/apps/\(app)/templates",
                ["name": "A", "content": ["payload": ["aps": ["alert": "{{ first_name }}: {{ code }}"]]]])
            func dryRun(_ more: [JSON.Member]) async throws -> Answer {
                try await api.send(
                    .post, "/v1/apps/\(app)/pushes",
                    .object(
                        [
                            JSON.Member("user_ids", ["ada"]), JSON.Member("template", .string(made.text("id"))),
                            JSON.Member("dry_run", true),
                        ] + more), headers: [HTTPField.Name("Idempotency-Key")!: "k"])
            }
            let own = try await dryRun([])
            #expect(own.status == 200)
            #expect(try Self.states(own) == ["ada-1: pending", "ada-2: suppressed, value missing"])
            let given = try await dryRun([JSON.Member("values", ["code": "123456"])])
            #expect(try Self.states(given) == ["ada-1: pending", "ada-2: pending"])
            let sizes = [own, given].map { try? $0.json["devices"]?.elements?.first?["payload_bytes"] }
            let expected = #"{"aps":{"alert":"Ada: old"},"i":"00000000-0000-0000-0000-000000000000"}"#.utf8.count
            #expect(sizes == [.number(.init(expected)), .number(.init(expected + 3))])
            let long = try await dryRun([JSON.Member("values", ["code": .string(String(repeating: "x", count: 4_080))])]
            )
            #expect(try Self.states(long).allSatisfy { $0.hasSuffix("suppressed, payload too long") })

            for table in ["batches", "push_keys", "push_recipients"] {
                #expect(try await api.pool.query("SELECT FROM \(unescaped: table)").isEmpty)
            }
        }
    }

    @Test func optedOutDevicesAndMissingCredentialsAreSuppressed() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app, credential: false)
            _ = try await api.send(.post, "/v1/apps/\(app)/topics", ["key": "offers", "name": "Offers"])
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/pushes",
                ["user_ids": ["ada"], "payload": Self.payload, "topic": "offers"])
            #expect(
                try Self.states(answer) == [
                    "ada-1: suppressed, no credential for this environment",
                    "ada-2: suppressed, opted out of the topic",
                ])
            let open = try await api.pool.query("SELECT FROM batches WHERE state <> 'done' OR ended_at IS NULL")
            #expect(open.isEmpty)
        }
    }

    /// Nobody can opt out of a code or a receipt.
    @Test(arguments: [true, false])
    func optOutFromAllCampaignsIsOneFromTransactionalPushesWithATopic(_ hasTopic: Bool) async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            try await api.pool.execute("UPDATE devices SET opt_outs = '{*}' WHERE installation = 'ada-2'")
            _ = try await api.send(.post, "/v1/apps/\(app)/topics", ["key": "offers", "name": "Offers"])
            let topic: [JSON.Member] = hasTopic ? [JSON.Member("topic", "offers")] : []
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/pushes",
                .object([JSON.Member("user_ids", ["ada"]), JSON.Member("payload", Self.payload)] + topic))
            let second = "ada-2: " + (hasTopic ? "suppressed, opted out of all campaigns" : "pending")
            #expect(try Self.states(answer) == ["ada-1: pending", second])
        }
    }

    @Test func repeatedKeyIsAnsweredAsBeforeAndAnotherBodyIsRefused() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            let key: HTTPFields = [HTTPField.Name("Idempotency-Key")!: "order 7"]
            let body: JSON = ["user_ids": ["nobody", "ada"], "payload": Self.payload]
            let first = try await api.send(.post, "/v1/apps/\(app)/pushes", body, headers: key)
            // The answer does not depend on later changes of the devices.
            try await api.pool.execute(
                "UPDATE devices SET retired_at = now(), retired_reason = 1 WHERE token = '\\x0101'")
            let again = try await api.send(.post, "/v1/apps/\(app)/pushes", body, headers: key)
            #expect(first.status == 202 && again.status == 202)
            #expect(first.body == again.body)
            #expect(try await api.pool.query("SELECT FROM batches").count == 2)

            let other = try await api.send(
                .post, "/v1/apps/\(app)/pushes", ["user_ids": ["ada"], "payload": Self.payload], headers: key)
            #expect(other.status == 422 && other.code == "idempotency-key-in-use")
            let bad = try await api.send(
                .post, "/v1/apps/\(app)/pushes", body,
                headers: [HTTPField.Name("Idempotency-Key")!: String(repeating: "k", count: 256)])
            #expect(bad.status == 400 && bad.code == "invalid-idempotency-key")

            // Nothing that leads to a person is kept under the key.
            try await api.pool.execute("DELETE FROM devices")
            let erased = try await api.send(.post, "/v1/apps/\(app)/pushes", body, headers: key)
            #expect(try erased.json["devices"]?.elements?.allSatisfy { $0["installation"] == .null } == true)
        }
    }

    @Test(arguments: [
        (#"{}"#, ["payload: missing", "user_ids: missing"]),
        (
            #"{"user_ids": ["a"], "tokens": ["00"], "payload": {"aps": {"alert": "a"}}}"#,
            ["tokens: mutually-exclusive", "user_ids: mutually-exclusive"]
        ),
        (#"{"user_ids": [], "payload": {"aps": {"alert": "a"}}}"#, ["user_ids: wrong-type"]),
        (
            #"{"user_ids": ["a", 1, "a"], "payload": {"aps": {"alert": "a"}}}"#,
            ["user_ids[1]: wrong-type", "user_ids[2]: duplicate"]
        ),
        (
            #"{"tokens": ["0a", "0A", "xy"], "payload": {"aps": {"alert": "a"}}}"#,
            ["tokens[1]: duplicate", "tokens[2]: not-hexadecimal"]
        ),
        (
            #"{"user_ids": ["a"], "payload": {"aps": {"alert": "a"}}, "values": {}}"#,
            ["values: incompatible-with-payload"]
        ),
        (#"{"user_ids": ["a"], "content": {"payload": {"aps": {"alert": "a"}}}, "values": 1}"#, ["values: wrong-type"]),
        (#"{"user_ids": ["a"], "payload": {"aps": {"badge": "1"}}}"#, ["payload.aps.badge: wrong-type"]),
        (#"{"user_ids": ["a"], "payload": {"aps": {"alert": "a"}}, "topic": "none"}"#, ["topic: unknown-topic"]),
        (#"{"user_ids": ["a"], "payload": {"aps": {"alert": "a"}}, "topic": "No!"}"#, ["topic: not-a-topic-key"]),
        (
            #"{"user_ids": ["a"], "payload": {"aps": {"alert": "a"}}, "expiration_seconds": -1, "priority": 7, "dry_run": 1, "x": 1}"#,
            ["dry_run: wrong-type", "expiration_seconds: out-of-range", "priority: not-allowed", "x: unknown-field"]
        ),
    ])
    func invalidFieldsAreReported(_ body: String, _ problems: [String]) async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let answer = try await api.sendText(.post, "/v1/apps/\(app)/pushes", body, type: "application/json")
            #expect(answer.status == 422)
            #expect(answer.problems.sorted() == problems)
        }
    }

    @Test func limitsAreReported() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let many = JSON.array((0...100).map { .string("u\($0)") })
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/pushes",
                [
                    "user_ids": many, "content": ["payload": Self.payload],
                    "values": ["a": .string(String(repeating: "x", count: 4_096))],
                ])
            #expect(answer.problems.sorted() == ["user_ids: wrong-type", "values: too-long"])
            try await api.pool.insertDevices(1...1_001, of: app, ["user_id": "'crowd'"])
            let crowd = try await api.send(
                .post, "/v1/apps/\(app)/pushes", ["user_ids": ["crowd"], "payload": Self.payload])
            #expect(crowd.status == 422 && crowd.code == "too-many-devices")
        }
    }

    @Test func personWithTooManyDevicesTakesNoPushFromOthers() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            try await api.pool.insertDevices(1...1_001, of: app, ["user_id": "'crowd'"])
            for dryRun in [true, false] {
                let body: JSON = [
                    "user_ids": ["crowd", "nobody", "ada"], "payload": Self.payload, "dry_run": .bool(dryRun),
                ]
                var headers: HTTPFields = [:]
                HTTPField.Name("Idempotency-Key").map { if !dryRun { headers[$0] = "k" } }
                let answers = [
                    try await api.send(.post, "/v1/apps/\(app)/pushes", body, headers: headers),
                    try await api.send(.post, "/v1/apps/\(app)/pushes", body, headers: headers),
                ]
                for answer in answers {
                    #expect(answer.status == (dryRun ? 200 : 202))
                    let targets = try #require(try answer.json["devices"]?.elements?.map { $0["target_index"] })
                    #expect(!targets.isEmpty && targets.allSatisfy { $0 == 2 })
                    #expect(try answer.json["unmatched_targets"] == [1] && answer.json["skipped_targets"] == [0])
                }
            }
        }
    }

    @Test func othersPushesAreNotFound() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.addDevices(api, app)
            let other = try await api.app("com.example.Other")
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/pushes", ["user_ids": ["ada"], "payload": Self.payload])
            let id = answer.text("id")
            let message = try #require(try answer.json["devices"]?.elements?.first?["message_id"]?.string)
            for path in [
                "/v1/apps/\(other)/pushes/\(id)", "/v1/apps/\(other)/pushes/\(message)",
                "/v1/apps/\(app)/pushes/999-0-1", "/v1/apps/\(app)/pushes/\(id.replacing("-1", with: "-9"))",
                "/v1/apps/\(app)/pushes/\(message.dropLast() + (message.hasSuffix("0") ? "1" : "0"))",
                "/v1/apps/\(app)/pushes/x",
            ] {
                let found = try await api.send(.get, path)
                #expect(found.status == 404 && found.code == "push-not-found")
            }
        }
    }

    @Test func pushingIsAScopeOfItsOwn() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let key = try await api.keys.create(
                app: nil, kind: .secret, name: "all else", scopes: Set(Permission.allCases).subtracting([.pushesSend])
            ).text
            let body: JSON = ["user_ids": ["ada"], "payload": Self.payload]
            #expect(try await api.send(.post, "/v1/apps/\(app)/pushes", body, key: key).status == 403)
            #expect(try await api.send(.get, "/v1/apps/\(app)/pushes/1-0-1", key: key).status == 403)
            #expect(try await api.send(.post, "/v1/apps/999/pushes", body).status == 404)
        }
    }
}
