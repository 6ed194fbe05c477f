import HTTPTypes
import JSON
import Notifications
import Postgres
import Store
import Testing

@Suite struct CampaignRoutesTests {
    @Test(arguments: APIFixture.Transport.allCases)
    func draftIsMadeEditedScheduledStartedAndCancelled(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.readyApp()
            let payload: JSON = ["z": 1, "aps": ["sound": "a", "alert": "Hello"], "id": 11_153_971_268_435_968]
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns", ["name": "Sale", "payload": payload])
            #expect(made.status == 201)
            #expect(try made.json["payload"] == payload)
            #expect(try made.json["priority"] == 10)
            #expect(try made.json["unknown_policy"] == "resend")
            #expect(try made.json["state"] == "draft")
            let path = "/v1/apps/\(app)/campaigns/" + made.text("id")

            let edited = try await api.send(
                .patch, path, ["name": "Autumn sale", "collapse_id": "sale"], headers: [.ifMatch: "\"1\""])
            #expect(try edited.json["name"] == "Autumn sale")
            #expect(try edited.json["payload"] == payload)
            let cleared = try await api.send(.patch, path, ["collapse_id": .null], headers: [.ifMatch: "*"])
            #expect(try cleared.json["collapse_id"] == .null)

            let scheduled = try await api.send(
                .post, path + "/schedule", ["schedule": ["kind": "at", "at": "2099-01-01T12:00:00+02:00"]])
            #expect(try scheduled.json["state"] == "scheduled")
            #expect(try scheduled.json["next_at"] == "2099-01-01T10:00:00.000Z")
            #expect(try await api.send(.post, path + "/unschedule").json["state"] == "draft")
            #expect(try await api.send(.post, path + "/start", [:]).json["state"] == "sending")
            #expect(try await api.send(.post, path + "/pause").json["state"] == "paused")
            #expect(try await api.send(.post, path + "/resume").json["state"] == "sending")
            let cancelled = try await api.send(.post, path + "/cancel")
            #expect(try cancelled.json["state"] == "cancelled")
            #expect(try await api.send(.get, path).body == cancelled.body)
            #expect(try await api.send(.get, "/v1/apps/\(app)/campaigns").page.ids == [made.text("id")])
        }
    }

    @Test func delayedStartIsUndoneByUnscheduling() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"
            let started = try await api.send(.post, path + "/start", ["delay_seconds": 30])
            #expect(started.status == 202)
            #expect(try started.json["state"] == "scheduled")
            #expect(try started.json["starts_at"] == started.json["next_at"] && started.json["starts_at"] != .null)
            #expect(try started.json["actions"] == ["unschedule", "start", "cancel"])

            let edit = try await api.send(.patch, path, ["name": "Other"], headers: [.ifMatch: "*"])
            #expect(edit.status == 409 && edit.code == "campaign-starting")
            let undone = try await api.send(.post, path + "/unschedule")
            #expect(try undone.json["state"] == "draft" && undone.json["starts_at"] == .null)
            #expect(try await api.pool.query("SELECT FROM runs").isEmpty)

            _ = try await api.send(.post, path + "/start", ["delay_seconds": 300])
            #expect(try await api.send(.post, path + "/start").status == 201)
            for delay: JSON in [301, -1, "10"] {
                let refused = try await api.send(.post, path + "/start", ["delay_seconds": delay])
                #expect(refused.status == 422)
            }
        }
    }

    @Test func campaignsAreCountedByStateForPeople() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaign-counts"
            let none: JSON = [
                "draft": 0, "scheduled": 0, "sending": 0, "paused": 0, "sent": 0, "cancelled": 0, "failed": 0,
            ]
            #expect(try await api.send(.get, path).json == ["by_state": none, "archived": 0, "tags": []])
            for _ in 0..<3 { _ = try await api.campaign(of: app) }
            let archived = try await api.campaign(of: app)
            _ = try await api.send(.post, "/v1/apps/\(app)/campaigns/\(archived)/archive")
            let daily = try await api.campaign(of: app)
            let schedule: JSON = [
                "kind": "recurring", "rule": "FREQ=DAILY", "from": "2099-01-01T09:00:00", "time_zone": "Europe/Berlin",
            ]
            _ = try await api.send(.post, "/v1/apps/\(app)/campaigns/\(daily)/schedule", ["schedule": schedule])
            _ = try await api.send(.post, "/v1/apps/\(app)/campaigns/\(daily)/pause")
            let counts = try await api.send(.get, path).json
            #expect(counts["by_state"]?["draft"] == 3 && counts["by_state"]?["paused"] == 1)
            #expect(counts["by_state"]?["scheduled"] == 0 && counts["archived"] == 1)
            #expect(try await api.send(.get, "/v1/apps/999/campaign-counts").status == 404)
        }
    }

    @Test func stringBadgeIsRefusedWithItsPath() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                [
                    "name": "", "payload": ["aps": ["badge": "2", "alert": ["loc-args": [1]]], "i": 1],
                    "collapse_id": .string(String(repeating: "c", count: 65)), "priorty": 5, "priority": 7,
                    "expiration_seconds": 2_592_001, "schedule": ["kind": "at", "at": "tomorrow"],
                    "unknown_policy": "hope",
                ])

            #expect(answer.status == 422)
            let expected = [
                "collapse_id: too-long", "expiration_seconds: out-of-range", "name: too-short",
                "payload.aps.alert.loc-args[0]: wrong-type", "payload.aps.badge: wrong-type",
                "payload.i: message-id-key-in-use", "priority: not-allowed", "priorty: unknown-field",
                "schedule.at: invalid-time", "unknown_policy: unknown-value",
            ]
            #expect(answer.problems.sorted() == expected)
            #expect(answer.text("detail").contains("payload.aps.badge must be a whole number"))
            #expect(try await api.send(.get, "/v1/apps/\(app)/campaigns").page.ids.isEmpty)
        }
    }

    @Test func rulesOfAppleAreCheckedOnSaving() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let long = String(repeating: "a", count: 4_096)
            let cases: [(JSON, String)] = [
                (["payload": ["aps": ["alert": .string(long)]]], "payload: payload-too-large"),
                (["payload": ["aps": ["alert": "a"], "i": 1]], "payload.i: message-id-key-in-use"),
                (
                    ["payload": ["aps": ["content-available": 1]], "push_type": "background", "priority": 10],
                    "priority: background-priority"
                ),
                (
                    ["payload": ["aps": ["alert": "a"]], "collapse_id": .string(String(repeating: "c", count: 65))],
                    "collapse_id: too-long"
                ),
                (
                    ["payload": ["aps": ["alert": "a"]], "push_type": "voip"], "push_type: push-type-not-for-campaigns"
                ),
                (["payload": "Hello"], "payload: wrong-type"),
            ]
            for (members, problem) in cases {
                let members = try #require(members.members)
                let answer = try await api.send(.post, path, .object(members + [JSON.Member("name", "Sale")]))
                #expect(answer.problems == [problem])
            }
        }
    }

    @Test func warningDoesNotKeepFromSaving() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"

            let answer = try await api.send(
                .post, path, ["name": "Sale", "payload": ["aps": ["alert": "a"], "event": 1]])

            #expect(answer.status == 201)
            let warnings = try #require(try answer.json["warnings"]?.elements)
            #expect(warnings.map { $0["path"] } == ["payload.event"])
            #expect(warnings.map { $0["code"] } == ["apple-key-outside-aps"])
        }
    }

    @Test func editNeedsTheVersionThatWasSeen() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"

            let blind = try await api.send(.patch, path, ["name": "A"])
            #expect(blind.status == 428)
            #expect(blind.code == "if-match-required")
            #expect(try await api.send(.patch, path, ["name": "B"], headers: [.ifMatch: "\"1\""]).status == 200)
            let late = try await api.send(.patch, path, ["name": "C"], headers: [.ifMatch: "\"1\""])
            #expect(late.status == 412)
            #expect(late.code == "version-conflict")
            #expect(try await api.send(.get, path).json["name"] == "B")
        }
    }

    @Test func forbiddenTransitionsAreExplained() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"

            let pause = try await api.send(.post, path + "/pause")
            #expect(pause.status == 409)
            #expect(pause.code == "transition-not-allowed")
            #expect(pause.text("detail").hasPrefix("A campaign that is draft can't be paused."))
            _ = try await api.send(.post, path + "/start")
            let edit = try await api.send(.patch, path, ["name": "B"], headers: [.ifMatch: "*"])
            #expect(edit.code == "transition-not-allowed")
            let delete = try await api.send(.delete, path)
            #expect(delete.status == 409)
            #expect(delete.code == "not-a-draft")
            let deleteApp = try await api.send(.delete, "/v1/apps/\(app)")
            #expect(deleteApp.code == "app-is-sending")
        }
    }

    @Test func startAndScheduleAcceptTheExpectedVersion() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"
            _ = try await api.send(.patch, path, ["name": "B"], headers: [.ifMatch: "*"])
            let schedule: JSON = ["schedule": ["kind": "at", "at": "2099-01-01T10:00:00.000Z"]]

            for (word, body) in [("start", nil), ("schedule", schedule)] as [(String, JSON?)] {
                let late = try await api.send(.post, "\(path)/\(word)", body, headers: [.ifMatch: "\"1\""])
                #expect(late.status == 412 && late.code == "version-conflict")
                #expect(late.text("detail").contains("it is at version 2 now"))
            }
            #expect(try await api.send(.get, path).json["state"] == "draft")
            let wrong = try await api.send(.post, path + "/start", headers: [.ifMatch: "2x"])
            #expect(wrong.status == 400 && wrong.code == "invalid-if-match")
            let scheduled = try await api.send(.post, path + "/schedule", schedule, headers: [.ifMatch: "\"2\""])
            #expect(scheduled.status == 200 && scheduled.headers[.eTag]?.hasPrefix("\"3-") == true)
            #expect(try await api.send(.post, path + "/start", headers: [.ifMatch: "\"3\""]).status == 201)
            // It begins by itself, which is a version more: who stops it need not have seen that.
            #expect(try await api.send(.post, path + "/pause", headers: [.ifMatch: "\"4\""]).status == 412)
            let current = try #require(try await api.send(.get, path).headers[.eTag])
            #expect(try await api.send(.post, path + "/pause", headers: [.ifMatch: current]).status == 200)
        }
    }

    @Test func scheduleLiesInTheFuture() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"

            func schedule(_ at: JSON) async throws -> Answer {
                try await api.send(.post, path + "/schedule", ["schedule": ["kind": "at", "at": at]])
            }
            #expect(try await api.send(.post, path + "/schedule").code == "schedule-missing")
            #expect(try await schedule("2020-01-01T00:00:00.000Z").code == "schedule-past")
            #expect(try await schedule("2099-01-01T00:00:00").problems == ["schedule.at: time-zone-required"])
            #expect(try await schedule("2099-01-01T00:00:00.000Z").status == 200)
            let timeless = try await api.send(.patch, path, ["schedule": .null], headers: [.ifMatch: "*"])
            #expect(timeless.code == "schedule-missing")
            let start = try await api.send(.post, path + "/start", ["at": "2099-01-01T00:00:00.000Z"])
            #expect(start.problems == ["at: unknown-field"])
        }
    }

    @Test func campaignOfAnotherAppIsNotFound() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let other = try await api.app("com.example.Other")
            let campaign = try await api.campaign(of: other)

            for path in ["", "/runs"] {
                let answer = try await api.send(.get, "/v1/apps/\(app)/campaigns/\(campaign)" + path)
                #expect(answer.code == "campaign-not-found")
            }
            for id in ["0", "-1", "01", "x", "9223372036854775808", "%00"] {
                #expect(try await api.send(.get, "/v1/apps/\(app)/campaigns/\(id)").code == "campaign-not-found")
            }
        }
    }
}
