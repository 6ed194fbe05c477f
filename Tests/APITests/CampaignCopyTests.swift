import HTTPTypes
import JSON
import Notifications
import Postgres
import Testing

/// Campaigns are copied, and put out of the way.
@Suite struct CampaignCopyTests {
    /// Little of what a campaign can say is left at its standard.
    private static let everything: JSON = [
        "name": "Sale", "payload": ["z": 1.0, "aps": ["alert": "Hi"]], "push_type": "alert", "priority": 5,
        "expiration_seconds": 60, "collapse_id": "sale", "unknown_policy": "leave", "topic": "offers",
        "audience": ["include": ["user_ids": ["ada"]], "exclude": ["tag": "staff"]],
        "schedule": ["kind": "at", "at": "2099-01-01T10:00:00.000Z"],
        "missed_start": ["grace_seconds": 60, "policy": "skip"], "ignores_quiet_hours": true,
        "ignores_frequency_cap": true, "ignores_global_control": true, "pushes_per_second": 7,
        "rejection_threshold_percent": 5,
    ]

    /// Members of a campaign that are its own and not its content's.
    private static let own: Set<String> = [
        "id", "name", "state", "actions", "version", "next_at", "created_at", "updated_at",
    ]

    private static func content(_ answer: Answer) throws -> [JSON.Member] {
        guard case .object(let members) = try answer.json else { return [] }
        return members.filter { !own.contains($0.key) }
    }

    @Test func copyHasTheContentAndNothingOfTheSchedulesState() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            _ = try await api.send(.post, "/v1/apps/\(app)/topics", ["key": "offers", "name": "Offers"])
            let path = "/v1/apps/\(app)/campaigns"
            let made = try await api.send(.post, path, Self.everything)
            #expect(made.status == 201)
            let one = path + "/" + made.text("id")
            let original = try await api.send(.post, one + "/schedule")
            #expect(try original.json["state"] == "scheduled" && original.json["next_at"] != .null)

            let copy = try await api.send(.post, one + "/duplicate")
            #expect(copy.status == 201)
            #expect(try Self.content(copy) == Self.content(original))
            let json = try copy.json
            #expect(json["id"] != (try original.json["id"]) && json["name"] == "Sale (copy)")
            #expect(json["state"] == "draft" && json["version"] == 1 && json["next_at"] == .null)
            let unplanned = try await api.pool.query(
                """
                SELECT FROM campaigns
                WHERE id = \(copy.text("id"))::text::bigint AND next_check_at IS NULL AND handled_until IS NULL
                """)
            #expect(unplanned.count == 1)
            // The original goes on, and the copy is scheduled by what it says.
            #expect(try await api.send(.get, one).body == original.body)
            let scheduled = try await api.send(.post, "\(path)/\(copy.text("id"))/schedule")
            #expect(try scheduled.json["next_at"] == "2099-01-01T10:00:00.000Z")
        }
    }

    @Test func copyOfASentCampaignIsADraft() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns"
            let campaign = try await api.campaign(of: app)
            _ = try await api.send(.post, "\(path)/\(campaign)/start")
            _ = try await api.send(.post, "\(path)/\(campaign)/cancel")
            _ = try await api.send(.post, "\(path)/\(campaign)/archive")

            let copy = try await api.send(.post, "\(path)/\(campaign)/duplicate", ["name": "Again"])

            #expect(try copy.json["state"] == "draft" && copy.json["name"] == "Again")
            #expect(try copy.json["archived_at"] == .null)
            #expect(try await api.send(.get, path).page.ids == [copy.text("id")])
            #expect(try await api.send(.post, "\(path)/\(copy.text("id"))/start").status == 201)
        }
    }

    @Test func nameOfACopyIsNeverTooLong() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/campaigns"
            let long = String(repeating: "ü", count: 200)
            let made = try await api.send(
                .post, path, ["name": .string(long), "payload": ["aps": ["alert": "Hi"]]])
            let one = path + "/" + made.text("id")

            #expect(try await api.send(.post, one + "/duplicate").text("name") == long.prefix(193) + " (copy)")
            let tooLong = try await api.send(.post, one + "/duplicate", ["name": .string(long + "x")])
            #expect(tooLong.problems == ["name: too-long"])
            #expect(try await api.send(.post, path + "/999/duplicate").code == "campaign-not-found")
        }
    }

    @Test func scheduledAndSendingCampaignsCannotBeArchived() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"
            func refused(as state: String) async throws {
                let answer = try await api.send(.post, path + "/archive")
                #expect(answer.status == 409)
                #expect(answer.code == "campaign-active")
                #expect(answer.text("detail").hasPrefix("A campaign that is \(state) can't be archived. "))
                #expect(try await api.send(.get, path).json["archived_at"] == .null)
            }

            _ = try await api.send(
                .post, path + "/schedule", ["schedule": ["kind": "at", "at": "2099-01-01T10:00:00.000Z"]])
            try await refused(as: "scheduled")
            _ = try await api.send(.post, path + "/start")
            try await refused(as: "sending")
            _ = try await api.send(.post, path + "/pause")
            try await refused(as: "paused")
            _ = try await api.send(.post, path + "/cancel")
            #expect(try await api.send(.post, path + "/archive").json["state"] == "cancelled")
        }
    }

    @Test func manyAreArchivedEachOnItsOwn() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns"
            var ids: [String] = []
            for name in ["a", "b", "c"] {
                let made = try await api.send(
                    .post, path, ["name": .string(name), "payload": ["aps": ["alert": "Hi"]]])
                ids.append(made.text("id"))
            }
            _ = try await api.send(.post, path + "/\(ids[1])/start")
            let texts: JSON = .array((ids + ["999", "x"]).map { .string($0) })
            let answer = try await api.send(.post, path + "/archive", ["ids": texts])
            #expect(try answer.status == 200 && answer.json["changed"] == 2)
            let failed = try answer.json["failed"]?.elements ?? []
            #expect(failed.map { $0["index"] } == [1, 3, 4])
            #expect(failed.map { $0["code"] } == ["campaign-active", "campaign-not-found", "campaign-not-found"])
            #expect(try await api.send(.get, path).page.ids == [ids[1]])
            let back = try await api.send(.post, path + "/unarchive", ["ids": [.string(ids[0])]])
            #expect(try back.json == ["changed": 1, "failed": []])
            #expect(try await api.send(.get, path).page.ids == [ids[1], ids[0]])
            let wrong: [(JSON, String)] = [
                ([:], "ids: missing"), (["ids": []], "ids: wrong-type"), (["ids": ["1", "1"]], "ids[1]: duplicate"),
                (["ids": .array((1...201).map { .string("\($0)") })], "ids: wrong-type"),
            ]
            for (body, problem) in wrong {
                #expect(try await api.send(.post, path + "/archive", body).problems == [problem])
            }
            let others: [(String, JSON)] = [
                ("templates", ["name": "T", "content": ["payload": ["aps": ["alert": "Hello"]]]]),
                ("segments", ["name": "S", "audience": ["include": ["tag": "vip"]]]),
                ("local-plans", ["name": "P", "notifications": []]),
            ]
            for (collection, body) in others {
                let path = "/v1/apps/\(app)/\(collection)"
                let id = try await api.send(.post, path, body).text("id")
                for (action, left) in [("archive", 0), ("unarchive", 1)] {
                    let answer = try await api.send(.post, "\(path)/\(action)", ["ids": [.string(id)]])
                    #expect(try answer.json == ["changed": 1, "failed": []], "\(collection)")
                    #expect(try await api.send(.get, path).page.ids.count == left, "\(collection)")
                }
            }
        }
    }

    @Test func archivedCampaignsAreListedSeparately() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns"
            let one = try await api.campaign(of: app)
            let other = try await api.campaign(of: app)
            func lists() async throws -> [[String]] {
                [
                    try await api.send(.get, path).page.ids,
                    try await api.send(.get, path + "?archived=true").page.ids,
                ]
            }

            let archived = try await api.send(.post, "\(path)/\(one)/archive")
            #expect(archived.status == 200)
            #expect(try await lists() == [[other], [one]])
            #expect(try await api.send(.get, "\(path)/\(one)").body == archived.body)
            let again = try await api.send(.post, "\(path)/\(one)/archive")
            #expect(try again.json["archived_at"] == archived.json["archived_at"])
            let back = try await api.send(.post, "\(path)/\(one)/unarchive")
            #expect(try back.json["archived_at"] == .null && back.json["state"] == "draft")
            #expect(try await lists() == [[other, one], []])
        }
    }

    @Test func archivedCampaignCannotBeEditedOrSent() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns/\(try await api.campaign(of: app))"
            let archived = try await api.send(.post, path + "/archive")

            let schedule: JSON = ["schedule": ["kind": "at", "at": "2099-01-01T10:00:00.000Z"]]
            for refused in [
                try await api.send(.patch, path, ["name": "B"], headers: [.ifMatch: "*"]),
                try await api.send(.post, path + "/schedule", schedule), try await api.send(.post, path + "/start"),
            ] {
                #expect(refused.status == 409 && refused.code == "campaign-archived")
                #expect(refused.text("detail").contains("Take it out of the archive first"))
            }
            #expect(try await api.send(.get, path).body == archived.body)
            _ = try await api.send(.post, path + "/unarchive")
            #expect(try await api.send(.post, path + "/start").json["state"] == "sending")
        }
    }
}
