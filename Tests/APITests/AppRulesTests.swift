import HTTPTypes
import JSON
import Notifications
import Testing

/// The rules that all campaigns of an app keep to.
@Suite struct AppRulesTests {
    private static let rules: JSON = [
        "quiet_hours": ["from": "22:00", "to": "08:30", "policy": "skip"], "frequency_cap": ["count": 3, "days": 7],
        "pushes_per_second": 500,
    ]

    /// The three members of an answer.
    private static func rules(_ answer: Answer) throws -> JSON {
        guard case .object(let members) = try answer.json else { return .null }
        let keys = ["quiet_hours", "frequency_cap", "pushes_per_second"]
        return .object(members.filter { keys.contains($0.key) })
    }

    private static let none: JSON = ["quiet_hours": .null, "frequency_cap": .null, "pushes_per_second": .null]

    @Test(arguments: APIFixture.Transport.allCases)
    func rulesAreSetKeptAndCleared(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let path = "/v1/apps/\(try await api.app())"
            #expect(try Self.rules(try await api.send(.get, path)) == Self.none)

            let set = try await api.send(.patch, path, Self.rules)
            #expect(set.status == 200)
            #expect(try Self.rules(set) == Self.rules)
            #expect(try await api.send(.get, path).body == set.body)
            // Members that an edit does not name stay.
            #expect(try Self.rules(try await api.send(.patch, path, ["name": "Store"])) == Self.rules)
            let holding = try await api.send(.patch, path, ["quiet_hours": ["from": "23:00", "to": "07:00"]])
            #expect(try holding.json["quiet_hours"]?["policy"] == "hold")
            let cleared = try await api.send(.patch, path, Self.none)
            #expect(try Self.rules(cleared) == Self.none)
            #expect(try await api.send(.get, path).body == cleared.body)

            let members = try #require(Self.rules.members)
            let named: [JSON.Member] = [
                JSON.Member("name", "Other"), JSON.Member("bundle_id", "com.example.Other"),
            ]
            let born = try await api.send(.post, "/v1/apps", .object(named + members))
            #expect(born.status == 201)
            #expect(try Self.rules(born) == Self.rules)
        }
    }

    @Test func invalidRulesAreRefusedWithTheirPaths() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())"
            _ = try await api.send(.patch, path, Self.rules)
            let cases: [(JSON, [String])] = [
                (["quiet_hours": "22:00"], ["quiet_hours: wrong-type"]),
                (["quiet_hours": ["from": "22:00"]], ["quiet_hours.to: missing"]),
                (
                    ["quiet_hours": ["from": "24:00", "to": "8:00", "policy": "wait"]],
                    [
                        "quiet_hours.from: invalid-time-of-day", "quiet_hours.policy: unknown-value",
                        "quiet_hours.to: invalid-time-of-day",
                    ]
                ),
                (["quiet_hours": ["from": "22:00", "to": "22:00"]], ["quiet_hours.to: same-time"]),
                (
                    ["frequency_cap": ["count": 0]],
                    ["frequency_cap.count: out-of-range", "frequency_cap.days: missing"]
                ),
                (
                    ["frequency_cap": ["count": 101, "days": 91]],
                    [
                        "frequency_cap.count: out-of-range", "frequency_cap.days: out-of-range",
                    ]
                ),
                (["frequency_cap": 3], ["frequency_cap: wrong-type"]),
                (["pushes_per_second": 0], ["pushes_per_second: out-of-range"]),
                (["pushes_per_second": 1_000_001], ["pushes_per_second: out-of-range"]),
                (["pushes_per_second": 1.5], ["pushes_per_second: wrong-type"]),
            ]
            for (body, problems) in cases {
                let answer = try await api.send(.patch, path, body)
                #expect(answer.status == 422)
                #expect(answer.problems.sorted() == problems)
            }
            #expect(try Self.rules(try await api.send(.get, path)) == Self.rules)
        }
    }
}
