import HTTPTypes
import JSON
import Notifications
import Postgres
import Testing

/// Who, when and how fast.
@Suite struct CampaignOptionTests {
    private static let options: JSON = [
        "audience": ["include": ["user_ids": ["ada", "bob"]], "exclude": ["tag": "staff"]],
        "schedule": ["kind": "local", "at": "2099-01-01T10:00:00", "if_past": "skip"],
        "missed_start": ["grace_seconds": 60, "policy": "send"], "goal": ["metric": "opened"],
        "quiet_hours": ["from": "20:00", "to": "10:00", "policy": "skip"],
        "frequency_cap": ["count": 1, "days": 2], "ignores_quiet_hours": false,
        "ignores_frequency_cap": false, "ignores_global_control": true, "pushes_per_second": 7,
        "rejection_threshold_percent": 5,
    ]

    private static let standard: JSON = [
        "audience": [:], "schedule": .null, "missed_start": ["grace_seconds": 1_800, "policy": "ask"],
        "goal": ["metric": "engaged"], "quiet_hours": .null, "frequency_cap": .null, "ignores_quiet_hours": false,
        "ignores_frequency_cap": false,
        "ignores_global_control": false,
        "pushes_per_second": .null,
        "rejection_threshold_percent": 50,
    ]

    /// Of an answer, what is expected to be there.
    private static func expect(
        _ answer: Answer, _ expected: JSON, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let members = try #require(expected.members)
        let json = try answer.json
        for member in members {
            #expect(json[member.key] == member.value, "\(member.key)", sourceLocation: sourceLocation)
        }
    }

    private static func named(_ options: JSON) -> JSON {
        guard case .object(let members) = options else { return options }
        let named: [JSON.Member] = [
            JSON.Member("name", "Sale"), JSON.Member("payload", ["aps": ["alert": "Hi"]]),
        ]
        return .object(named + members)
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func optionsAreSetKeptAndCleared(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let plain = try await api.send(.post, path, Self.named([:]))
            try Self.expect(plain, Self.standard)
            let one = path + "/" + plain.text("id")
            func patch(_ json: JSON) async throws -> Answer {
                let answer = try await api.send(.patch, one, json, headers: [.ifMatch: "*"])
                #expect(answer.status == 200)
                return answer
            }

            let made = try await api.send(.post, path, Self.named(Self.options))
            #expect(made.status == 201)
            try Self.expect(made, Self.options)
            let set = try await patch(Self.options)
            try Self.expect(set, Self.options)
            #expect(try await api.send(.get, one).body == set.body)
            try Self.expect(try await patch(["name": "Renamed"]), Self.options)

            let cleared = try await patch([
                "audience": .null, "schedule": .null, "missed_start": .null, "goal": .null,
                "quiet_hours": .null, "frequency_cap": .null, "ignores_quiet_hours": false,
                "ignores_frequency_cap": false, "ignores_global_control": false, "pushes_per_second": .null,
                "rejection_threshold_percent": 50,
            ])
            try Self.expect(cleared, Self.standard)
            #expect(try await api.send(.get, one).body == cleared.body)
            // Null turns the rejection threshold off, and omitted members of a rule get their defaults.
            let unlimited = try await patch(["rejection_threshold_percent": .null])
            #expect(try unlimited.json["rejection_threshold_percent"] == .null)
            let partly = try await patch(["missed_start": ["policy": "skip"], "audience": [:]])
            #expect(try partly.json["missed_start"] == ["grace_seconds": 1_800, "policy": "skip"])
            #expect(try partly.json["audience"] == [:])
            // A campaign can't ignore a rule and have its own.
            _ = try await patch(["ignores_frequency_cap": true])
            let both = try await api.send(
                .patch, one,
                [
                    "ignores_quiet_hours": true, "quiet_hours": ["from": "20:00", "to": "10:00"],
                    "frequency_cap": ["count": 1, "days": 1],
                ], headers: [.ifMatch: "*"])
            #expect(
                both.problems.sorted()
                    == ["frequency_cap: frequency-cap-ignored", "quiet_hours: quiet-hours-ignored"])
        }
    }

    @Test func invalidOptionsAreRefusedWithTheirPaths() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let answer = try await api.send(
                .post, path,
                Self.named([
                    "audience": ["include": ["field": "shoe_size", "op": "is", "value": 44]],
                    "schedule": ["kind": "local", "at": "2099-01-01T10:00:00", "if_past": "never"],
                    "missed_start": ["grace_seconds": 604_801, "policy": "hope"],
                    "goal": ["metric": "opened", "event_name": "purchase"], "ignores_quiet_hours": "yes",
                    "ignores_frequency_cap": .null, "pushes_per_second": 0, "rejection_threshold_percent": 101,
                ]))

            #expect(answer.status == 422)
            let expected = [
                "audience.include.field: unknown-field", "goal.event_name: unknown-field",
                "ignores_frequency_cap: wrong-type", "ignores_quiet_hours: wrong-type",
                "missed_start.grace_seconds: out-of-range", "missed_start.policy: unknown-value",
                "pushes_per_second: out-of-range", "rejection_threshold_percent: out-of-range",
                "schedule.if_past: unknown-value",
            ]
            #expect(answer.problems.sorted() == expected)
            #expect(try await api.send(.get, path).page.ids.isEmpty)
        }
    }

    /// Words by which people find campaigns. Like the name, they are no part of what is sent.
    @Test func tagsOfACampaignThatWasSentCanBeChanged() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/campaigns"
            let made = try await api.send(.post, path, Self.named([:]))
            let campaign = path + "/\(made.text("id"))"
            try await api.pool.execute("UPDATE campaigns SET state = 'sent'")
            let match: HTTPFields = [.ifMatch: made.headers[.eTag] ?? ""]
            let other = try await api.send(.patch, campaign, ["tags": ["sale"], "name": "Other"], headers: match)
            #expect(other.status == 409)
            let tagged = try await api.send(.patch, campaign, ["tags": ["sale", "sale "]], headers: match)
            #expect(try tagged.status == 200 && tagged.json["tags"] == ["sale"] && tagged.text("state") == "sent")
            #expect(try await api.send(.patch, campaign, ["tags": []], headers: match).status == 412)
            let long = try await api.send(
                .patch, campaign, ["tags": [.string(String(repeating: "x", count: 51))]],
                headers: [.ifMatch: tagged.headers[.eTag] ?? ""])
            #expect(long.status == 422 && long.problems == ["tags[0]: too-long"])
        }
    }

    @Test func campaignsAreFoundByTheirTags() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/campaigns"
            let tagged = try await api.send(.post, path, Self.named(["tags": [" spring ", "sale", "spring"]]))
            #expect(try tagged.json["tags"] == ["spring", "sale"])
            let other = try await api.send(.post, path, Self.named(["tags": ["sale"]]))
            let plain = try await api.send(.post, path, Self.named([:]))
            #expect(try plain.json["tags"] == [])
            #expect(try await api.send(.get, path + "?tag=spring").page.ids == [tagged.text("id")])
            #expect(try await api.send(.get, path + "?tag=sale").page.ids == [other.text("id"), tagged.text("id")])
            #expect(try await api.send(.get, path + "?tag=autumn").page.ids.isEmpty)
            let counts = try await api.send(.get, "/v1/apps/\(app)/campaign-counts").json
            #expect(counts["tags"] == [["tag": "sale", "count": 2], ["tag": "spring", "count": 1]])

            let one = path + "/" + tagged.text("id")
            let cleared = try await api.send(.patch, one, ["tags": []], headers: [.ifMatch: "*"])
            #expect(try cleared.json["tags"] == [])
            for tags in [["  "], [String(repeating: "a", count: 51)], (1...21).map { "t\($0)" }] {
                let refused = try await api.send(
                    .patch, one, ["tags": .array(tags.map { .string($0) })], headers: [.ifMatch: "*"])
                #expect(refused.status == 422, "\(tags.count)")
            }
        }
    }
}
