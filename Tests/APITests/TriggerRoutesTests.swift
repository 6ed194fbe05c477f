import Campaigns
import HTTPTypes
import JSON
import Notifications
import Postgres
import TestSupport
import Testing

/// A campaign that waits for calls, and what is foretold of one.
@Suite struct TriggerRoutesTests {
    private static func key(_ text: String) throws -> HTTPFields {
        [try #require(HTTPField.Name("Idempotency-Key")): text]
    }

    private static func armed(_ api: APIFixture, _ app: String) async throws -> String {
        try await api.pool.changeDevices("user_id = 'ada'")
        try await api.pool.insertDevice("other", of: app, ["user_id": "'bob'"])
        let made = try await api.send(
            .post, "/v1/apps/\(app)/campaigns",
            ["name": "Order", "payload": ["aps": ["alert": "Ding"]], "schedule": ["kind": "triggered"]])
        let path = "/v1/apps/\(app)/campaigns/\(made.text("id"))"
        let early = try await api.send(.post, path + "/trigger")
        #expect(early.status == 409 && early.code == "not-triggered")
        let scheduled = try await api.send(.post, path + "/schedule")
        #expect(try scheduled.json["state"] == "scheduled" && scheduled.json["next_at"] == .null)
        return path
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func callUnderAKeyIsOneRunHoweverOftenItComes(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.readyApp()
            let path = try await Self.armed(api, app)
            let order = try Self.key("order-7")

            let first = try await api.send(.post, path + "/trigger", ["user_ids": ["ada", "eve"]], headers: order)
            #expect(first.status == 201)
            let run = try await api.send(.get, "/v1/apps/\(app)/runs/\(first.text("id"))")
            #expect(try run.json["estimated"] == 1 && run.json["state"] == "sending")
            let again = try await api.send(.post, path + "/trigger", ["user_ids": ["ada", "eve"]], headers: order)
            #expect(again.status == 201)
            #expect(again.body == first.body)
            let other = try await api.send(.post, path + "/trigger", ["user_ids": ["bob"]], headers: order)
            #expect(other.status == 422)
            #expect(other.code == "idempotency-key-in-use")
            #expect(other.text("field") == "Idempotency-Key")

            let all = try await api.send(.post, path + "/trigger", headers: try Self.key("order-8"))
            #expect(all.status == 201)
            let second = try await api.send(.get, "/v1/apps/\(app)/runs/\(all.text("id"))")
            #expect(try second.json["estimated"] == 2)
            #expect(
                try await api.send(.get, path + "/runs").page.ids == [all.text("id"), first.text("id")])
            #expect(try await api.send(.get, path).json["state"] == "scheduled")
        }
    }

    @Test func valuesReachTheCampaignsOwnContent() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                [
                    "name": "Order", "content": ["payload": ["aps": ["alert": "Order {{ order }}"]]],
                    "schedule": ["kind": "triggered"],
                ])
            let path = "/v1/apps/\(app)/campaigns/\(made.text("id"))"
            _ = try await api.send(.post, path + "/schedule")
            let run = try await api.send(.post, path + "/trigger", ["values": ["order": "4711"]])
            #expect(try run.status == 201 && run.json["values"] == ["order": "4711"])
        }
    }

    @Test func valuesRequireATemplateAndHaveALimit() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let plain = try await Self.armed(api, app)
            let refused = try await api.send(.post, plain + "/trigger", ["values": ["order": "7"]])
            #expect(refused.status == 422 && refused.code == "incompatible-with-payload")
            #expect(refused.text("field") == "values")
            #expect(try await api.send(.post, plain + "/trigger", ["values": .null]).status == 201)

            let template = try await api.send(
                .post, "/v1/apps/\(app)/templates",
                ["name": "T", "content": ["payload": ["aps": ["alert": "Order {{ order }}"]]]])
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                ["name": "Order", "template": .string(template.text("id")), "schedule": ["kind": "triggered"]])
            let path = "/v1/apps/\(app)/campaigns/\(made.text("id"))"
            _ = try await api.send(.post, path + "/schedule")
            let run = try await api.send(.post, path + "/trigger", ["values": ["order": "4711"]])
            #expect(try run.status == 201 && run.json["values"] == ["order": "4711"])
            let wrong: [(JSON, String)] = [
                ("4711", "values: wrong-type"),
                (["order": .string(String(repeating: "x", count: 4_096))], "values: too-long"),
                (["order": "\u{0}"], "values.order: null-character"),
            ]
            for (values, problem) in wrong {
                #expect(try await api.send(.post, path + "/trigger", ["values": values]).problems == [problem])
            }
        }
    }

    @Test func scheduleInThePastIsRefusedOnCreation() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let late = try await api.send(
                .post, path,
                [
                    "name": "Late", "payload": ["aps": ["alert": "Hi"]],
                    "schedule": ["kind": "at", "at": "2020-01-01T00:00:00.000Z"],
                ])
            #expect(late.status == 422 && late.code == "schedule-past")
            #expect(try await api.send(.get, path).page.ids == [])
        }
    }

    /// Three hours ago in UTC, where the device is; ahead in the zones west of it.
    @Test func forecastOfADailyRuleExplainsWhomItLeavesOut() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let moment = Int(Timestamp.now.secondsSince1970) - 3 * 3_600
            let time = try #require(CivilTime(seconds: moment))
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                [
                    "name": "Daily", "payload": ["aps": ["alert": "Hi"]],
                    "schedule": [
                        "kind": "recurring", "rule": "FREQ=DAILY", "from": .string(time.text), "time_zone": "recipient",
                    ],
                ])
            let path = "/v1/apps/\(app)/campaigns/\(made.text("id"))/forecast"
            let suppressed = try #require(try await api.send(.get, path).json["suppressed"]?.elements?.first)
            #expect(suppressed["reason"] == "local time past" && suppressed["count"] == 1)
            let explanation = try #require(suppressed["explanation"]?.string)
            #expect(explanation.contains("They get the next occurrence, "))
        }
    }

    @Test func forecastOfABestTimeShowsTheHoursOfTheWindow() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let day = try #require(CivilTime(seconds: Int(Timestamp.now.secondsSince1970) + 3 * 86_400)).date.text
            func schedule(_ until: String) -> JSON {
                [
                    "name": "Best", "payload": ["aps": ["alert": "Hi"]],
                    "schedule": ["kind": "local", "at": .string("\(day)T08:00:00"), "best_time_until": .string(until)],
                ]
            }
            let refused = try await api.send(.post, "/v1/apps/\(app)/campaigns", schedule("08:00"))
            #expect(refused.status == 422 && refused.problems == ["schedule.best_time_until: window-too-short"])
            let made = try await api.send(.post, "/v1/apps/\(app)/campaigns", schedule("21:00"))
            #expect(try made.json["schedule"]?["best_time_until"] == "21:00")
            let path = "/v1/apps/\(app)/campaigns/\(made.text("id"))"
            let forecast = try await api.send(.get, path + "/forecast").json
            #expect(forecast["sent"] == 1 && forecast["best_time"]?["personal"] == 0)
            #expect(forecast["best_time"]?["usual_hour"] == 14)
            let result = try await api.send(.get, path + "/test").json
            #expect(result["compares"] == "times" && result["variants"] == [])
        }
    }

    @Test func pausedCampaignIsNotTriggered() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                ["name": "Welcome", "payload": ["aps": ["alert": "Hi"]], "schedule": ["kind": "triggered"]])
            let path = "/v1/apps/\(app)/campaigns/\(made.text("id"))"
            _ = try await api.send(.post, path + "/schedule")
            let paused = try await api.send(.post, path + "/pause")
            #expect(paused.text("state") == "paused")
            #expect(try paused.json["actions"] == ["edit", "schedule", "unschedule", "resume", "cancel"])
            #expect(try await api.send(.post, path + "/trigger").code == "campaign-paused")
            #expect(try await api.send(.post, path + "/resume").text("state") == "scheduled")
            #expect(try await api.send(.post, path + "/trigger").status == 201)
            let skipped = try await api.send(.post, path + "/skip")
            #expect(skipped.status == 409 && skipped.text("detail").hasSuffix("pause, cancel."))
        }
    }

    @Test func audienceThatNoLongerHoldsIsToldByItsPath() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = try await Self.armed(api, app)
            // As when a segment has grown beyond what an audience may have, or is gone.
            try await api.pool.execute(#"UPDATE campaigns SET audience = '{"include": {"segment": "999"}}'"#)
            for (method, place) in [(HTTPRequest.Method.post, "trigger"), (.get, "forecast")] {
                let refused = try await api.send(method, "\(path)/\(place)")
                #expect(refused.status == 422)
                #expect(refused.problems.map { $0.prefix(24) } == ["audience.include.segment"])
            }
        }
    }

    @Test func callThatIsWrongStartsNothing() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = try await Self.armed(api, app)
            let cases: [(JSON, String)] = [
                (["user_ids": []], "user_ids: wrong-type"), (["user_ids": "ada"], "user_ids: wrong-type"),
                (["user_ids": ["ada", 7]], "user_ids[1]: invalid-user-id"),
                (["user_ids": ["ada", ""]], "user_ids[1]: invalid-user-id"),
                (["users": ["ada"]], "users: unknown-field"),
            ]
            for (body, problem) in cases {
                let answer = try await api.send(.post, path + "/trigger", body)
                #expect(answer.status == 422)
                #expect(answer.problems == [problem])
            }
            let nobody = try await api.send(.post, path + "/trigger", ["user_ids": ["nobody"]])
            #expect(try nobody.status == 200 && nobody.json["id"] == .null)
            let key = try await api.send(
                .post, path + "/trigger", headers: try Self.key(String(repeating: "k", count: 256)))
            #expect(key.status == 400 && key.code == "invalid-idempotency-key")
            try await api.pool.execute("DELETE FROM credentials")
            let bare = try await api.send(.post, path + "/trigger")
            #expect(bare.status == 409 && bare.code == "no-credential")
            #expect(try await api.pool.query("SELECT FROM runs").isEmpty)
        }
    }

    @Test func forecastSaysWhoWhenAndHowFast() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            try await api.pool.insertDevice("denied", of: app, ["authorization_status": "1"])
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"

            let now = try await api.send(.get, path + "/forecast").json
            #expect(now["audience"] == 2 && now["sent"] == 1 && now["expired"] == 0 && now["is_exact"] == true)
            #expect(now["suppressed"] == [["reason": "notifications denied", "count": 1]])
            #expect(now["held"] == [] && now["occurrence"] == .null && now["next_occurrences"] == [])
            #expect(now["timeline"]?.elements?.map { $0["count"] } == [1])

            let edit: JSON = [
                "pushes_per_second": 1,
                "schedule": [
                    "kind": "recurring", "rule": "FREQ=DAILY;COUNT=2", "from": "2099-01-01T10:00:00",
                    "time_zone": "UTC",
                ],
            ]
            #expect(try await api.send(.patch, path, edit, headers: [.ifMatch: "*"]).status == 200)
            let later = try await api.send(.get, path + "/forecast").json
            #expect(later["occurrence"] == "2099-01-01T10:00:00.000Z")
            #expect(later["starts_at"] == "2099-01-01T10:00:00.000Z")
            #expect(later["ends_at"] == "2099-01-01T10:00:01.000Z" && later["pushes_per_second"] == 1)
            #expect(later["next_occurrences"] == ["2099-01-02T10:00:00.000Z"] && later["problems"] == [])
            #expect(
                try await api.send(.get, "/v1/apps/\(app)/campaigns/999/forecast").code == "campaign-not-found")
        }
    }

    @Test func forecastSaysWhatWouldKeepItFromStarting() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"
            func problems() async throws -> [String] {
                try await api.send(.get, path + "/forecast").problems
            }
            #expect(try await problems() == [": no-credential"])
            try await api.makeReady(app)
            #expect(try await problems() == [])
            // As when it was saved before and its time has passed since.
            try await api.pool.execute(
                #"UPDATE campaigns SET schedule = '{"kind":"at","at":"2020-01-01T00:00:00.000Z"}'"#)
            #expect(try await problems() == ["schedule: schedule-past"])
            // It may be started by hand.
            let past = try await api.send(.get, path + "/forecast").json
            #expect(past["problems"]?.elements?.first?["severity"] == "warning" && past["occurrence"] == .null)
            // Past in the east of the world, and still ahead in the west.
            try await api.pool.execute(
                #"""
                UPDATE campaigns SET schedule = json_build_object('kind', 'local', 'if_past', 'send',
                    'at', to_char(now() AT TIME ZONE 'UTC' - interval '4 hours', 'YYYY-MM-DD"T"HH24:MI:SS'))
                """#)
            #expect(try await problems() == [])
            #expect(try await api.send(.get, path + "/forecast").json["occurrence"] != .null)
            _ = try await api.send(.post, path + "/archive")
            #expect(try await problems() == [": campaign-archived"])
            _ = try await api.send(.post, path + "/unarchive")
            // Apple would refuse this payload, which an older version may have stored.
            try await api.pool.execute(
                #"UPDATE campaigns SET schedule = NULL, payload = '{"aps":{"badge":"x"}}'"#)
            #expect(try await problems().map { $0.prefix(17) } == ["payload.aps.badge"])

            _ = try await api.pool.execute("UPDATE campaigns SET state = 'sent'")
            let over = try await api.send(.get, path + "/forecast")
            #expect(over.status == 409 && over.code == "campaign-already-started")
            #expect(over.text("detail").contains("this one is sent"))
        }
    }
}
