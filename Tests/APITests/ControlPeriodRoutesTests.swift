import HTTPTypes
import JSON
import Postgres
import Testing

/// The settings of the global control group, and its periods.
@Suite struct ControlPeriodRoutesTests {
    @Test func settingBeginsAPeriodThatTheAPIShows() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)"
            #expect(try await api.send(.get, path).json["global_control"] == .null)
            #expect(try await api.send(.get, path + "/control-periods").json["data"] == [])

            let set = try await api.send(.patch, path, ["global_control": ["share": 50, "event_name": "purchase"]])
            #expect(set.status == 200)
            #expect(try set.json["global_control"] == ["share": 50, "days": 90, "event_name": "purchase"])

            let list = try await api.send(.get, path + "/control-periods").json["data"]
            let period = try #require(list?.elements?.first)
            #expect(list?.elements?.count == 1 && period["effect"]?["control_share"] == 50)
            #expect(period["effect"]?["goal"] == ["metric": "event", "event_name": "purchase"])
            #expect(period["effect"]?["finding"] == "not_yet" && period["effect"]?["counted_at"] == .null)
            #expect(try await api.send(.patch, path, ["global_control": .null]).json["global_control"] == .null)
        }
    }

    @Test func sharesAndPeriodsHaveLimits() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())"
            let wrong: [(JSON, [String])] = [
                (["share": 5, "event_name": "x"], ["global_control.share: out-of-range"]),
                (["share": 201, "event_name": "x"], ["global_control.share: out-of-range"]),
                (["share": 50, "days": 29, "event_name": "x"], ["global_control.days: out-of-range"]),
                (["share": 50, "days": 91, "event_name": "x"], ["global_control.days: out-of-range"]),
                (["share": 50], ["global_control.event_name: missing"]),
                (["event_name": ""], ["global_control.event_name: too-short", "global_control.share: missing"]),
            ]
            for (value, problems) in wrong {
                let answer = try await api.send(.patch, path, ["global_control": value])
                #expect(answer.status == 422 && answer.problems.sorted() == problems, "\(answer.problems)")
            }
            #expect(try await api.pool.query("SELECT FROM control_periods").isEmpty)
        }
    }
}
