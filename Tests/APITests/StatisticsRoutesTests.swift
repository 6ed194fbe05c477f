import Campaigns
import HTTPTypes
import JSON
import Postgres
import Testing

@testable import API
@testable import Store

struct StatisticsRoutesTests {
    /// Four recipients, of whom two were reached; and their counts.
    private static func fill(_ api: APIFixture) async throws -> (app: String, campaign: String, run: String) {
        let app = try await api.app()
        let campaign = try await api.campaign(of: app)
        let run = try await api.run(of: campaign, app: app, isOver: true)
        let id = try #require(App.ID(app))
        try await api.pool.execute(
            """
            INSERT INTO events (app_id, message_number, device_id, kind, happened_at, delay_seconds, value, action)
            SELECT \(id), message_number, device, kind, now(), CASE WHEN kind = 3 THEN 42 END,
                CASE WHEN kind = 7 THEN 9.95 END, CASE WHEN kind = 7 THEN 'buy' ELSE '' END
            FROM runs, (VALUES (1, 1), (3, 1), (1, 2), (7, 1)) AS e (kind, device)
            """)
        try await RunHistoryStore(pool: api.pool).recount(id)
        return (app, campaign, run)
    }

    @Test func totalsAndGroupsAreRead() async throws {
        try await APIFixture.run { api in
            let (app, campaign, run) = try await Self.fill(api)
            let path = "/v1/apps/\(app)/statistics/totals"
            let total = try await api.send(.get, path).json
            #expect(total["total"]?["targeted"] == 4 && total["groups"] == [])
            #expect(total["total"]?["delivered"] == 2 && total["total"]?["opened"] == 1)
            #expect(total["total"]?["conversion_value"] == "9.95")
            for scope in ["campaigns=\(campaign)", "run=\(run)", "since=2020-01-01T00:00:00Z"] {
                #expect(try await api.send(.get, "\(path)?\(scope)").json["total"] == total["total"])
            }
            let none = try await api.send(.get, "\(path)?campaigns=999").json
            #expect(none["total"]?["targeted"] == 0)
            let byCampaign = try await api.send(.get, "\(path)?by=campaign").json["groups"]?.elements
            #expect(byCampaign?.map { $0["value"] } == [.string(campaign)])
            let byDelay = try await api.send(.get, "\(path)?by=delay").json["groups"]?.elements
            #expect(byDelay?.map { $0["value"] } == ["30"] && byDelay?.first?["opened"] == 1)
            let byReason = try await api.send(.get, "\(path)?by=reason").json["groups"]?.elements
            #expect(byReason?.map { $0["value"] } == ["Unregistered"])
        }
    }

    @Test func seriesHoursAndDevicesAreRead() async throws {
        try await APIFixture.run { api in
            let (app, _, run) = try await Self.fill(api)
            let path = "/v1/apps/\(app)/statistics"
            for query in ["unit=hour&time_zone=Asia/Kathmandu", "unit=day", "unit=minute&run=\(run)"] {
                let data = try await api.send(.get, "\(path)/series?\(query)").json["units"]?.elements ?? []
                #expect(data.count >= 1 && data.contains { $0["opened"] == 1 }, "\(query)")
            }
            let hours = try await api.send(.get, "\(path)/hours").json["hours"]?.elements
            #expect(hours?.count == 24)
            #expect(try await api.send(.get, "\(path)/devices").status == 200)
        }
    }

    @Test(arguments: [
        ("totals?by=color", "invalid-by"), ("totals?campaigns=1,x", "invalid-campaigns"),
        ("totals?run=x", "invalid-run"),
        ("series?unit=minute", "run-required"), ("series?time_zone=Mars", "unknown-time-zone"),
        ("series?since=2020-01-01T00:00:00Z", "invalid-period"),
        ("devices?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", "invalid-period"),
    ]) func wrongParametersAreRefused(_ query: String, _ code: String) async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let answer = try await api.send(.get, "/v1/apps/\(app)/statistics/\(query)")
            #expect(answer.status == 400 && answer.code == code)
            let missing = try await api.send(.get, "/v1/apps/999/statistics/totals")
            #expect(missing.status == 404)
        }
    }
}
