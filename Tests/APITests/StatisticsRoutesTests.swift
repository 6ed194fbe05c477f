import Campaigns
import HTTPTypes
import JSON
import Notifications
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
            FROM run_variants, (VALUES (1, 1), (3, 1), (1, 2), (7, 1)) AS e (kind, device)
            """)
        try await RunHistoryStore(pool: api.pool).recount(id)
        return (app, campaign, run)
    }

    private static func double(_ json: JSON?) -> Double {
        if case .number(let number)? = json { number.double ?? .nan } else { .nan }
    }

    @Test func totalsAndGroupsAreRead() async throws {
        try await APIFixture.run { api in
            let (app, campaign, run) = try await Self.fill(api)
            let path = "/v1/apps/\(app)/statistics/totals"
            let total = try await api.send(.get, path).json
            #expect(total["total"]?["targeted"] == 4 && total["groups"] == [])
            #expect(total["total"]?["delivered"] == 2 && total["total"]?["opened"] == 1)
            #expect(total["total"]?["conversion_value"] == 9.95)
            for scope in ["campaigns=\(campaign)", "run=\(run)", "since=2020-01-01T00:00:00Z"] {
                #expect(try await api.send(.get, "\(path)?\(scope)").json["total"] == total["total"])
            }
            let byCampaign = try await api.send(.get, "\(path)?by=campaign").json["groups"]?.elements
            #expect(byCampaign?.map { $0["value"] } == [.string(campaign)])
            #expect(byCampaign?.map { $0["name"] } == ["Sale"])
            // One of the three accepted was opened, by Wilson's formula with z = 1.959964.
            let opened = byCampaign?.first?["intervals"]?["opened"]
            #expect(byCampaign?.first?["accepted"] == 3)
            #expect(abs(Self.double(opened?["lower"]) - 0.061492) < 1e-6)
            #expect(abs(Self.double(opened?["upper"]) - 0.792340) < 1e-6)
            #expect(byCampaign?.first?["intervals"]?["influenced"]?["lower"] != nil)
            let byDelay = try await api.send(.get, "\(path)?by=delay").json["groups"]?.elements
            #expect(byDelay?.map { $0["value"] } == ["30"] && byDelay?.first?["opened"] == 1)
            let byReason = try await api.send(.get, "\(path)?by=reason").json["groups"]?.elements
            #expect(byReason?.map { $0["value"] } == ["Unregistered"])
        }
    }

    /// Zeros would look like a campaign that nobody got.
    @Test func unknownCampaignsAreRefusedByTheirIDs() async throws {
        try await APIFixture.run { api in
            let (app, campaign, _) = try await Self.fill(api)
            for path in ["statistics/totals", "statistics/series", "statistics/hours", "events/export", "replies"] {
                let answer = try await api.send(.get, "/v1/apps/\(app)/\(path)?campaigns=999,\(campaign),998")
                #expect(answer.status == 404 && answer.code == "campaign-not-found", "\(path)")
                #expect(answer.text("detail").hasPrefix("This app does not have these campaigns: 999, 998."), "\(path)")
            }
        }
    }

    @Test(arguments: [false, true])
    func variantsFollowFromTheLocaleAndCategoriesFromThePayload(_ isOwn: Bool) async throws {
        try await APIFixture.run { api in
            let (app, campaign, run) = try await Self.fill(api)
            let payload: JSON = ["aps": ["alert": "Hello", "category": "EVENT"]]
            let template = try await api.send(
                .post, "/v1/apps/\(app)/templates",
                ["name": "Bells", "content": ["payload": payload, "variants": ["de": payload, "zh-Hant": payload]]])
            #expect(template.status == 201)
            try await api.pool.execute(
                """
                UPDATE run_variants SET payload = NULL, template_id = \(template.text("id"))::text::bigint, template_version = 1
                """
            )
            if isOwn {
                try await api.pool.execute(
                    """
                    UPDATE run_variants m SET template_id = NULL, template_version = NULL, content = v.content
                    FROM template_versions v
                    """)
            }
            try await api.pool.execute("DELETE FROM message_totals WHERE dimension = 1")
            try await api.pool.execute(
                """
                INSERT INTO message_totals (app_id, message_number, campaign_id, sent_on, dimension, measure, value, shard, count)
                SELECT r.app_id, message_number, campaign_id, (started_at AT TIME ZONE 'UTC')::date, 1, 11, l.locale, 0, l.count
                FROM runs r JOIN run_variants ON run_id = r.id CROSS JOIN (VALUES ('de-AT', 1), ('de', 2), ('zh-Hant-TW', 4), ('zh-Hans-CN', 8), ('', 16)) AS l (locale, count)
                """)
            let path = "/v1/apps/\(app)/statistics/totals"
            let variants = try await api.send(.get, "\(path)?by=language&run=\(run)").json["groups"]?.elements
            #expect(variants?.map { $0["value"] } == ["", "zh-Hant", "de"])
            #expect(variants?.map { $0["accepted"] } == [24, 4, 3])
            let categories = try await api.send(.get, "\(path)?by=category&campaigns=\(campaign)").json["groups"]
            #expect(categories?.elements?.map { $0["value"] } == ["EVENT"])
            #expect(categories?.elements?.first?["targeted"] == 4)
            #expect(try await api.send(.get, "\(path)?by=language").code == "campaigns-required")
        }
    }

    @Test func statisticsAreFilesWithARowForEachGroup() async throws {
        try await APIFixture.run { api in
            let (app, campaign, _) = try await Self.fill(api)
            let path = "/v1/apps/\(app)/statistics"
            let csv = try await api.send(.get, "\(path)/totals?by=campaign&format=csv")
            #expect(csv.headers[.contentDisposition] == "attachment; filename=\"totals.csv\"")
            let lines = String(decoding: csv.body.dropFirst(3), as: UTF8.self).split(separator: "\r\n")
            #expect(lines.count == 2 && lines[0].hasPrefix("campaign,campaign_name,targeted,accepted"))
            #expect(lines[1].hasPrefix("\(campaign),Sale,4,3,1,") && lines[1].hasSuffix(",1,9.95"))
            for name in ["series", "hours", "devices"] {
                let file = try await api.send(.get, "\(path)/\(name)?format=ndjson")
                #expect(file.status == 200)
                #expect(try file.body.split(separator: 0x0A).allSatisfy { try JSON(parsing: Array($0)).members != nil })
            }
            #expect(try await api.send(.get, "\(path)/totals?format=xls").code == "invalid-format")
        }
    }

    @Test func periodIsHalfOpenAndReturned() async throws {
        try await APIFixture.run { api in
            let (app, _, run) = try await Self.fill(api)
            try await api.pool.execute(
                "UPDATE runs SET started_at = '2026-11-08T10:00:00Z' WHERE id = \(run)::text::bigint")
            try await api.pool.execute("UPDATE message_totals SET sent_on = '2026-11-08'")
            let path = "/v1/apps/\(app)/statistics/totals"
            func targeted(_ period: String) async throws -> JSON? {
                try await api.send(.get, "\(path)?\(period)").json["total"]?["targeted"]
            }
            for (period, count) in [
                ("since=2026-11-01&until=2026-11-08", 0), ("since=2026-11-08&until=2026-11-15", 4),
                ("since=2026-11-08T10:00:00Z", 4), ("since=2026-11-08T10:00:01Z", 0),
                ("until=2026-11-08T10:00:00Z", 0), ("until=2026-11-08T10:00:01Z", 4),
                ("since=2026-11-09&time_zone=Pacific/Kiritimati", 4),
                ("until=2026-11-08&time_zone=Pacific/Kiritimati", 0),
            ] {
                for more in ["", "&run=\(run)"] {
                    #expect(try await targeted(period + more) == .number(JSON.Number(count)), "\(period)\(more)")
                }
            }
            let answer = try await api.send(.get, "\(path)?since=2026-11-08&time_zone=asia/calcutta").json
            #expect(answer["begins_at"] == "2026-11-07T18:30:00.000Z" && answer["ends_at"] == .null)
            #expect(answer["time_zone"] == "Asia/Kolkata")
            let none = try await api.send(.get, "\(path)?since=2026-11-08&until=2026-11-08")
            #expect(none.code == "invalid-period")
            let days = try await api.send(
                .get, "/v1/apps/\(app)/statistics/devices?since=2026-11-08T10:00:00Z&until=2026-11-15T10:00:00Z"
            ).json
            #expect(days["begins_at"] == "2026-11-08T00:00:00.000Z" && days["ends_at"] == "2026-11-15T00:00:00.000Z")
        }
    }

    /// Their totals are kept by day in UTC, and by nothing finer.
    @Test func transactionalPushesCountByTheDaysThatTheAnswerNames() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await api.pool.execute(
                """
                INSERT INTO message_totals (app_id, message_number, campaign_id, sent_on, dimension, measure, value, shard, count)
                SELECT id, 0, 0, '2026-11-08', 0, \(Measure.accepted.rawValue), '', 0, 3 FROM apps
                """)
            try await api.pool.execute(
                """
                INSERT INTO day_totals (app_id, count, sent_on, dimension, measure, value)
                SELECT app_id, count, sent_on, dimension, measure, value FROM message_totals
                """)
            let path = "/v1/apps/\(app)/statistics/totals"
            for (period, begin, end) in [
                ("since=2026-11-07T12:00:00Z&until=2026-11-08T12:00:00Z", "2026-11-08", "2026-11-09"),
                ("since=2026-11-08T12:00:00Z&until=2026-11-09T12:00:00Z", "2026-11-09", "2026-11-10"),
                ("since=2026-11-08&until=2026-11-09", "2026-11-08", "2026-11-09"),
                ("since=2026-11-08&until=2026-11-09&time_zone=America/Los_Angeles", "2026-11-08", "2026-11-09"),
                ("since=2026-11-07&until=2026-11-08&time_zone=America/New_York", "2026-11-07", "2026-11-08"),
                ("since=2026-11-08&until=2026-11-09&time_zone=Asia/Tokyo", "2026-11-08", "2026-11-09"),
                ("since=2026-11-08T01:00:00Z&until=2026-11-08T02:00:00Z", "2026-11-08", "2026-11-08"),
            ] {
                let answer = try await api.send(.get, "\(path)?\(period)").json
                #expect(answer["transactional_begins_at"] == .string("\(begin)T00:00:00.000Z"), "\(period)")
                #expect(answer["transactional_ends_at"] == .string("\(end)T00:00:00.000Z"), "\(period)")
                let isIncluded = begin <= "2026-11-08" && "2026-11-08" < end
                #expect(answer["total"]?["accepted"] == (isIncluded ? 3 : 0), "\(period)")
            }
            for by in ["campaign", "category"] {
                let groups = try await api.send(.get, "\(path)?by=\(by)").json["groups"]?.elements
                #expect(groups?.map { $0["value"] } == ["0"], "\(by)")
            }
            let open = try await api.send(.get, path).json
            #expect(open["transactional_begins_at"] == .null && open["total"]?["accepted"] == 3)
            let campaign = try await api.campaign(of: app)
            let campaigns = try await api.send(.get, "\(path)?campaigns=\(campaign)&since=2026-11-08").json
            #expect(campaigns["transactional_begins_at"] == .null)
        }
    }

    /// Of the quarters before, in and after the hour that comes twice, and of a change by half an hour.
    @Test(arguments: [
        (
            "America/Havana", "day", ["2026-11-01T03:45:00Z", "2026-11-01T04:00:00Z", "2026-11-01T05:00:00Z"],
            ["2026-10-31T04:00:00.000Z", "2026-11-01T04:00:00.000Z"]
        ),
        (
            "America/Havana", "hour", ["2026-11-01T04:15:00Z", "2026-11-01T05:15:00Z"],
            ["2026-11-01T04:00:00.000Z", "2026-11-01T05:00:00.000Z"]
        ),
        (
            "America/Havana", "day", ["2026-03-08T04:45:00Z", "2026-03-08T05:00:00Z"],
            ["2026-03-07T05:00:00.000Z", "2026-03-08T05:00:00.000Z"]
        ),
        (
            "Australia/Lord_Howe", "hour", ["2026-04-04T14:45:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:30:00Z"],
            ["2026-04-04T14:00:00.000Z", "2026-04-04T15:00:00.000Z", "2026-04-04T15:30:00.000Z"]
        ),
        ("Asia/Calcutta", "hour", ["2026-04-04T14:45:00Z"], ["2026-04-04T14:30:00.000Z"]),
    ])
    func unitBeginsWithTheFirstMomentOfItsDateOrHour(
        _ zone: String, _ unit: String, _ times: [String], _ starts: [String]
    ) async throws {
        try await APIFixture.run { api in
            let (app, campaign, _) = try await Self.fill(api)
            try await api.pool.execute("DELETE FROM app_quarters")
            try await api.pool.execute(
                """
                INSERT INTO app_quarters (app_id, campaign_id, quarter, measure, shard, count)
                SELECT id, \(campaign)::text::bigint, t.time, \(Measure.opened.rawValue), 0, 1
                FROM apps, unnest(\(times)::text[]::timestamptz[]) AS t (time)
                """)
            let path = "/v1/apps/\(app)/statistics/series?unit=\(unit)&time_zone=\(zone)"
            let period = "&since=\(times[0].prefix(7))-01T00:00:00Z&until=\(times[0].prefix(7))-09T00:00:00Z"
            let units = try await api.send(.get, path + period).json["units"]?.elements
            #expect(units?.map { $0["starts_at"] } == starts.map { .string($0) })
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

    /// Counts are kept by quarter of an hour, and those of a run by minute.
    @Test func seriesHaveThePeriodThatTheyReturn() async throws {
        try await APIFixture.run { api in
            let (app, _, run) = try await Self.fill(api)
            try await api.pool.execute("UPDATE app_quarters SET quarter = '2026-11-25T03:45:00Z'")
            try await api.pool.execute("UPDATE run_minutes SET minute = '2026-11-25T03:57:00Z'")
            try await api.pool.execute(
                "UPDATE runs SET started_at = '2026-11-25T03:56:30Z' WHERE id = \(run)::text::bigint")
            let path = "/v1/apps/\(app)/statistics"
            for (query, list) in [("series?unit=hour&", "units"), ("hours?", "hours")] {
                let answer = try await api.send(
                    .get, "\(path)/\(query)since=2026-11-25T03:50:00Z&until=2026-11-25T03:52:00Z"
                ).json
                #expect(answer["begins_at"] == "2026-11-25T03:45:00.000Z", "\(query)")
                #expect(answer["ends_at"] == "2026-11-25T04:00:00.000Z", "\(query)")
                #expect(answer[list]?.elements?.contains { $0["targeted"] == 4 } == true, "\(query)")
            }
            // A run of two days ago or more, from its start.
            for unit in ["minute", "hour", "day"] {
                let answer = try await api.send(.get, "\(path)/series?unit=\(unit)&run=\(run)").json
                #expect(answer["begins_at"] == "2026-11-25T03:56:00.000Z", "\(unit)")
                #expect(answer["units"]?.elements?.first?["targeted"] == 4, "\(unit)")
            }
            let minute = try await api.send(
                .get, "\(path)/series?unit=minute&run=\(run)&since=2026-11-25T03:57:59Z&until=2026-11-25T03:58:00Z"
            ).json
            #expect(minute["units"]?.elements?.first?["targeted"] == 4)
            for query in ["totals?run=99999", "series?run=99999"] {
                #expect(try await api.send(.get, "\(path)/\(query)").code == "run-not-found", "\(query)")
            }
        }
    }

    /// A day that is shown as a whole is one.
    @Test(arguments: ["Europe/Berlin", "America/Los_Angeles", "Asia/Kathmandu"])
    func periodThatIsNotGivenBeginsWithAWholeUnit(_ zone: String) async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/statistics"
            let clock = try #require(ZoneClock(named: zone))
            for (query, unit) in [("series?unit=day", 86_400), ("hours?", 86_400), ("series?unit=hour", 3_600)] {
                let answer = try await api.send(.get, "\(path)/\(query)&time_zone=\(zone)").json
                let begin = try #require(answer["begins_at"]?.string.flatMap { Timestamp(rfc3339: $0) })
                #expect(clock.local(Int(begin.microseconds / 1_000_000)) % unit == 0, "\(query)")
            }
            let days = try await api.send(.get, "\(path)/devices").json
            let end = try #require(days["ends_at"]?.string.flatMap { Timestamp(rfc3339: $0) })
            #expect(end >= .now && end.microseconds % 86_400_000_000 == 0)
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
