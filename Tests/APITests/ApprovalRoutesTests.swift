import Administration
import Campaigns
import HTTPTypes
import JSON
import Postgres
import TestSupport
import Testing

/// Where an app requires it, a campaign goes out only as a second person has seen it.
@Suite struct ApprovalRoutesTests {
    private static let time: JSON = ["kind": "at", "at": "2099-01-01T00:00:00Z"]

    /// An app that requires approvals, with a draft, its author, and a second person.
    private struct World {
        let api: APIFixture
        let app: String
        let author: HTTPFields
        let second: HTTPFields
        let campaign: String

        var path: String { "/v1/apps/\(app)" }
        var draft: String { "\(path)/campaigns/\(campaign)" }

        init(_ api: APIFixture, above: Int = 0, schedule: JSON = .null) async throws {
            self.api = api
            app = try await api.readyApp()
            author = try await api.browser("li@example.com", [RoleAssignment(.sender)])
            second = try await api.browser("ada@example.com", [RoleAssignment(.sender)])
            let path = "/v1/apps/\(app)"
            let set = try await api.send(.patch, path, ["approval_above": .number(JSON.Number(above))])
            #expect(try set.json["approval_above"] == .number(JSON.Number(above)))
            campaign = try await api.send(
                .post, path + "/campaigns",
                ["name": "Sale", "payload": ["aps": ["alert": "Hello"]], "schedule": schedule]
            ).text("id")
        }

        func request(_ comment: String = "Please look") async throws -> Answer {
            try await api.send(.post, draft + "/approvals", ["comment": .string(comment)], as: author)
        }

        func decide(_ id: String, _ verb: String, _ body: JSON? = nil, as person: HTTPFields) async throws -> Answer {
            try await api.send(.post, "\(path)/approvals/\(id)/\(verb)", body, as: person)
        }

        func state(_ id: String) async throws -> String {
            try await api.send(.get, "\(path)/approvals/\(id)").text("state")
        }

        func edit(_ change: JSON) async throws -> Answer {
            let current = try await api.send(.get, draft)
            return try await api.send(.patch, draft, change, headers: [.ifMatch: current.headers[.eTag] ?? ""])
        }
    }

    @Test func campaignIsSentWhenASecondPersonHasApprovedIt() async throws {
        try await APIFixture.run { api in
            let world = try await World(api)
            let early = try await api.send(.post, world.draft + "/start", as: world.author)
            #expect(early.status == 409 && early.code == "not-approved")
            #expect(try await api.send(.get, world.draft + "/forecast").text("approval") == "missing")

            let made = try await world.request()
            #expect(made.status == 201 && made.text("state") == "waiting" && made.text("comment") == "Please look")
            #expect(try made.json["is_own"] == true && made.json["may_decide"] == false)
            #expect(try made.json["recipients"] == 1 && made.json["previous"] == .null)
            let id = made.text("id")
            #expect(try await api.send(.post, world.draft + "/start").code == "not-approved")
            let own = try await world.decide(id, "approve", as: world.author)
            #expect(own.status == 403 && own.code == "own-approval")
            // A key is no second person.
            let byKey = try await api.send(.post, "\(world.path)/approvals/\(id)/approve")
            #expect(byKey.status == 403 && byKey.code == "sign-in-required")
            let counts = try await api.send(.get, world.path + "/approval-counts", as: world.second).json
            #expect(counts == ["waiting": 1, "for_you": 1, "yours": 0])

            let approved = try await world.decide(id, "approve", ["comment": "Fine"], as: world.second)

            #expect(approved.status == 200 && approved.text("state") == "approved")
            #expect(approved.text("decided_by") == "ada@example.com" && approved.text("decision_comment") == "Fine")
            let campaign = try await api.send(.get, world.draft).json
            #expect(campaign["state"] == "draft" && campaign["approval"]?["state"] == "approved")
            let again = try await world.decide(id, "reject", ["comment": "No"], as: world.second)
            #expect(again.code == "approval-decided")
            #expect(try await api.send(.post, world.draft + "/start", as: world.author).status == 201)
        }
    }

    @Test func approvedCampaignWithATimeIsScheduled() async throws {
        try await APIFixture.run { api in
            let world = try await World(api, schedule: Self.time)
            #expect(try await api.send(.post, world.draft + "/schedule").code == "not-approved")
            let id = try await world.request().text("id")
            #expect(try await world.decide(id, "approve", as: world.second).status == 200)
            #expect(try await api.send(.get, world.draft).json["state"] == "scheduled")
            // Not now, and not at another time.
            #expect(try await api.send(.post, world.draft + "/start").code == "not-approved")
            let other: JSON = ["schedule": ["kind": "at", "at": "2099-01-01T00:00:01Z"]]
            #expect(try await api.send(.post, world.draft + "/schedule", other).code == "not-approved")
            // Taken back, it can be scheduled again as it is.
            #expect(try await api.send(.post, world.draft + "/unschedule").status == 200)
            #expect(try await api.send(.post, world.draft + "/schedule").status == 200)
        }
    }

    @Test func anyChangeButTheNameVoidsAnApproval() async throws {
        try await APIFixture.run { api in
            let world = try await World(api, schedule: Self.time)
            let id = try await world.request().text("id")
            #expect(try await world.edit(["name": "Summer sale"]).status == 200)
            #expect(try await world.state(id) == "waiting")
            #expect(try await world.edit(["priority": 5]).status == 200)
            #expect(try await world.state(id) == "void")
            #expect(try await world.decide(id, "approve", as: world.second).code == "approval-decided")

            let next = try await world.request()
            #expect(next.status == 201)
            #expect(try next.json["previous"]?["content"]?["priority"] == 10)
            #expect(try next.json["content"]?["priority"] == 5)
            #expect(try await world.decide(next.text("id"), "approve", as: world.second).status == 200)
            #expect(try await world.edit(["payload": ["aps": ["alert": "Bye"]]]).status == 200)
            #expect(try await world.state(next.text("id")) == "void")
        }
    }

    /// The language that was changed is part of what the second person sees.
    @Test func approvalIsOfTheCampaignsOwnContent() async throws {
        try await APIFixture.run { api in
            let world = try await World(api, schedule: Self.time)
            func content(_ japanese: String) -> JSON {
                [
                    "payload": ["aps": ["alert": "Hello {{ name | default: \"you\" }}"]],
                    "variants": ["ja": ["aps": ["alert": .string(japanese)]]],
                ]
            }
            #expect(try await world.edit(["content": content("こんにちは")]).status == 200)
            let id = try await world.request().text("id")
            #expect(try await world.edit(["content": content("こんにちは")]).status == 200)
            #expect(try await world.state(id) == "waiting")
            #expect(try await world.edit(["content": content("こんばんは")]).status == 200)
            #expect(try await world.state(id) == "void")

            let next = try await world.request()
            #expect(try next.json["previous"]?["content"]?["content"] == content("こんにちは"))
            #expect(try next.json["content"]?["content"] == content("こんばんは"))
            #expect(try next.json["content"]?["payload"] == .null)
            #expect(try await world.decide(next.text("id"), "approve", as: world.second).status == 200)
            #expect(try await api.send(.get, world.draft).json["state"] == "scheduled")
        }
    }

    @Test func changedSegmentIsNotWhatWasApproved() async throws {
        try await APIFixture.run { api in
            let world = try await World(api)
            let segment = try await api.send(
                .post, world.path + "/segments",
                ["name": "All", "audience": ["include": ["not": ["tag": "staff"]]]])
            let reference = JSON.string(segment.text("id"))
            #expect(try await world.edit(["audience": ["include": ["segment": reference]]]).status == 200)
            let id = try await world.request().text("id")
            func change(_ tag: JSON) async throws {
                let path = "\(world.path)/segments/\(segment.text("id"))"
                let current = try await api.send(.get, path)
                let changed = try await api.send(
                    .patch, path, ["audience": ["include": ["not": ["tag": tag]]]],
                    headers: [.ifMatch: current.headers[.eTag] ?? ""])
                #expect(changed.status == 200)
            }
            try await change("testers")
            #expect(try await world.decide(id, "approve", as: world.second).code == "approval-changed")
            try await change("staff")
            #expect(try await world.decide(id, "approve", as: world.second).status == 200)
            try await change("testers")
            let refused = try await api.send(.post, world.draft + "/start")
            #expect(refused.code == "not-approved" && refused.text("detail").contains("segment"))
            // It can be asked for again, which ends the approval that holds for nothing any more.
            #expect(try await world.request().status == 201)
            #expect(try await world.state(id) == "void")
        }
    }

    @Test func rejectionNeedsAReasonAndAllowsAnotherRequest() async throws {
        try await APIFixture.run { api in
            let world = try await World(api)
            let id = try await world.request().text("id")
            #expect(try await world.decide(id, "reject", [:], as: world.second).status == 422)
            #expect(try await world.decide(id, "reject", ["comment": ""], as: world.second).status == 422)
            let rejected = try await world.decide(id, "reject", ["comment": "At nine,\nnot eight"], as: world.second)
            #expect(rejected.text("state") == "rejected" && rejected.text("decision_comment") == "At nine,\nnot eight")
            let summary = try await api.send(.get, world.draft).json["approval"]
            #expect(summary?["decision_comment"] == "At nine,\nnot eight")
            #expect(try await api.send(.post, world.draft + "/start").code == "not-approved")
            #expect(try await world.request("Now at nine").status == 201)
        }
    }

    @Test func requestIsWithdrawnAndNotMadeTwice() async throws {
        try await APIFixture.run { api in
            let world = try await World(api)
            let id = try await world.request().text("id")
            #expect(try await world.request().code == "approval-in-force")
            #expect(try await world.decide(id, "withdraw", as: world.author).text("state") == "withdrawn")
            #expect(try await world.request().status == 201)
            let list = try await api.send(.get, world.path + "/approvals?campaign=\(world.campaign)").json["data"]
            #expect(list?.elements?.compactMap { $0["state"]?.string } == ["waiting", "withdrawn"])
            let open = try await api.send(.get, world.path + "/approvals?waiting=true").json["data"]
            #expect(open?.elements?.count == 1)
        }
    }

    @Test func smallCampaignsNeedNoneAndGrownOnesDo() async throws {
        try await APIFixture.run { api in
            let world = try await World(api, above: 1)
            #expect(try await api.send(.get, world.draft + "/forecast").text("approval") == "not_needed")
            #expect(try await world.request().code == "approval-not-needed")
            try await api.pool.insertDevice("two", of: world.app)
            #expect(try await api.send(.get, world.draft + "/forecast").text("approval") == "missing")
            let id = try await world.request().text("id")
            #expect(try await world.decide(id, "approve", as: world.second).status == 200)
            try await api.pool.insertDevice("three", of: world.app)
            let grown = try await api.send(.post, world.draft + "/start")
            #expect(grown.code == "not-approved" && grown.text("detail").contains("grown"))
            #expect(try await api.send(.get, world.draft + "/forecast").text("approval") == "grown")
        }
    }

    /// A campaign for tomorrow's birthdays goes to tomorrow's people: those are approved, scheduled, and sent to.
    @Test func recipientsAreThoseOfTheDayOfTheCampaign() async throws {
        try await APIFixture.run { api in
            let world = try await World(api)
            let row = try await api.pool.query(
                """
                SELECT to_char(now() + interval '1 day', 'MM-DD'),
                    to_char(date_trunc('day', now()) + interval '36 hours', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                """)[0]
            let (birthday, time): (String, String) = (try row[0], try row[1])
            try await api.pool.execute(
                "UPDATE devices SET attributes = jsonb_build_object('birthday', '1990-' || \(birthday)::text)")
            _ = try await world.edit([
                "audience": ["include": ["attribute": "birthday", "op": "anniversary_in_days", "value": 0]],
                "schedule": ["kind": "at", "at": .string(time)],
            ])
            let made = try await world.request()
            #expect(try made.status == 201 && made.json["recipients"] == 1)
            #expect(try await world.decide(made.text("id"), "approve", as: world.second).status == 200)
            #expect(try await api.send(.get, world.draft).text("state") == "scheduled")
        }
    }

    /// The schedule stays: an editor sees in the answer what has to be done before its time.
    @Test func changeOfAScheduledCampaignWarnsThatItsApprovalIsVoid() async throws {
        try await APIFixture.run { api in
            let world = try await World(api, schedule: Self.time)
            let id = try await world.request().text("id")
            #expect(try await world.decide(id, "approve", as: world.second).status == 200)
            let scheduled = try await api.send(.get, world.draft)
            #expect(try scheduled.text("state") == "scheduled" && scheduled.json["warnings"] == [])
            let edited = try await world.edit(["payload": ["aps": ["alert": "Something else"]]])
            #expect(edited.text("state") == "scheduled")
            #expect(try edited.json["warnings"]?.elements?.first?["code"] == "approval-void")
            #expect(try await world.request().status == 201)
            #expect(try await api.send(.get, world.draft).json["warnings"] == [])
        }
    }

    @Test func overdueRequestIsNotApproved() async throws {
        try await APIFixture.run { api in
            let world = try await World(api, schedule: Self.time)
            let id = try await world.request().text("id")
            try await api.pool.execute("UPDATE approvals SET overdue_at = now() - interval '1 second'")
            #expect(try await world.state(id) == "overdue")
            let counts = try await api.send(.get, world.path + "/approval-counts", as: world.second).json
            #expect(counts["waiting"] == 0)
            #expect(try await world.decide(id, "approve", as: world.second).code == "approval-overdue")
            #expect(try await world.decide(id, "reject", ["comment": "Too late"], as: world.second).status == 200)
        }
    }

    @Test func approvalThatIsAWeekOldStartsNothing() async throws {
        try await APIFixture.run { api in
            let world = try await World(api)
            let id = try await world.request().text("id")
            #expect(try await world.decide(id, "approve", as: world.second).status == 200)
            try await api.pool.execute("UPDATE approvals SET decided_at = now() - interval '25 hours'")
            #expect(try await api.send(.post, world.draft + "/start").text("detail").contains("24 hours"))
            #expect(try await world.request().status == 201)
        }
    }

    @Test func marketersAskAndViewersOnlyLook() async throws {
        try await APIFixture.run { api in
            let world = try await World(api)
            let viewer = try await api.browser("vi@example.com", [RoleAssignment(.viewer)])
            let marketer = try await api.browser("max@example.com", [RoleAssignment(.marketer)])
            #expect(try await api.send(.post, world.draft + "/approvals", as: viewer).status == 403)
            let made = try await api.send(.post, world.draft + "/approvals", as: marketer)
            #expect(made.status == 201)
            #expect(try await world.decide(made.text("id"), "approve", as: marketer).status == 403)
            #expect(try await world.decide(made.text("id"), "withdraw", as: viewer).status == 403)
            let seen = try await api.send(.get, "\(world.path)/approvals/\(made.text("id"))", as: viewer)
            #expect(try seen.status == 200 && seen.json["may_decide"] == false)
            let audited = try await api.send(.get, "/v1/audit?action=campaigns.approvals").json["data"]
            #expect(audited?.elements?.isEmpty == false)
        }
    }

    @Test func webhooksHearOfARequestAndOfItsDecision() async throws {
        try await APIFixture.run { api in
            let world = try await World(api)
            let webhook = try await api.send(
                .post, world.path + "/webhooks",
                ["url": "https://hooks.example.com/x", "kinds": ["approval.requested", "approval.decided"]])
            #expect(webhook.status == 201, "\(webhook.text("detail"))")
            let id = try await world.request().text("id")
            _ = try await world.decide(id, "reject", ["comment": "No"], as: world.second)
            let rows = try await api.pool.query("SELECT kind, data::text FROM webhook_events ORDER BY id")
            let told = try rows.map { try ($0["kind", as: String.self], JSON(parsing: $0["data", as: String.self])) }
            #expect(told.map(\.0) == ["approval.requested", "approval.decided"])
            #expect(told.allSatisfy { $0.1["approval_id"]?.string == id && $0.1["campaign_name"] == "Sale" })
            #expect(told.last?.1["state"] == "rejected" && told.last?.1["comment"] == "No")
        }
    }
}
