import Administration
import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import TestSupport
import Testing

@testable import API

/// Recipients of a run: filters, export, and the ledger by due time.
struct DeliveryRoutesTests {
    /// Devices 1 to 4 of one user each, with profiles from before they changed; 1 and 3 accepted, 2 rejected, 4 pending.
    private static func fill(_ api: APIFixture) async throws -> (app: String, run: String) {
        let app = try await api.app()
        let id = try #require(App.ID(app))
        try await api.pool.insertDevices(
            1...4, of: app,
            [
                "installation": "'phone-' || n",
                "user_id": #"CASE n WHEN 1 THEN '=HYPERLINK("http://evil")' ELSE 'user ' || n END"#,
                "locale": "CASE WHEN n <= 2 THEN 'de' END", "os_version": "'18.' || n", "app_version": "'4'",
            ])
        let run = try await api.run(of: try await api.campaign(of: app), app: app, isOver: false)
        try await api.pool.execute(
            """
            UPDATE batches b SET profiles = (
                SELECT string_agg(profile_bytes(profile_at(b.app_id, r.id, now()), 1), '' ORDER BY r.number)
                FROM unnest(b.recipients) WITH ORDINALITY AS r (id, number))
            """)
        // The report stays as it was.
        try await api.pool.changeDevices("locale = 'fr', os_version = '19'")
        let number: Int64 = try await api.pool.query("SELECT message_number FROM run_variants")[0][0]
        let events: [(Int64, EventKind, EventDetails?)] = [
            (1, .opened, nil), (1, .action, EventDetails(action: "book")), (3, .delivered, nil),
            (3, .converted, EventDetails(action: "buy", valueMillionths: 9_950_000)),
        ]
        _ = try await AcknowledgementStore(pool: api.pool).store([
            AcknowledgementRequest(
                app: id,
                events: events.enumerated().map { index, event in
                    Acknowledgement(
                        index: index, messageNumber: number, device: Device.ID(rawValue: event.0), kind: event.1,
                        time: .receipt, details: event.2)
                })
        ])
        return (app, run)
    }

    @Test func recipientsAreFoundByWhatHeldWhenThePushWasSent() async throws {
        try await APIFixture.run { api in
            let (app, run) = try await Self.fill(api)
            func found(_ query: String) async throws -> [String] {
                let answer = try await api.send(.get, "/v1/apps/\(app)/runs/\(run)/deliveries?\(query)")
                return try #require(try answer.json["data"]?.elements).map { $0["device_id"]?.string ?? "?" }
            }
            #expect(try await found("locale=de") == ["1", "2"])
            #expect(try await found("locale=") == ["3", "4"])
            #expect(try await found("locale=fr") == [])
            #expect(try await found("os_version=18.3&app_version=4") == ["3"])
            #expect(try await found("os_version=18.3.0&app_version=v4.0") == ["3"])
            #expect(try await found("os_version=18") == [])
            #expect(try await found("locale=de&outcome=rejected") == ["2"])
            #expect(try await found("event=action") == ["1"])
            #expect(try await found("event=delivered") == ["1", "3"])
            #expect(try await found("event=delivered&opened=false") == ["3"])
            let odd = try await api.send(.get, "/v1/apps/\(app)/runs/\(run)/deliveries?event=read")
            #expect(odd.code == "invalid-event")
            let rejected = try await api.send(.get, "/v1/apps/\(app)/runs/\(run)/deliveries?outcome=rejected").json
            let entry = try #require(rejected["data"]?.elements?.first)
            #expect(entry["apple"] == ["status": 410, "reason": "Unregistered"])
            #expect(entry["locale"] == "de" && entry["os_version"] == "18.2")
        }
    }

    @Test func exportHasEachRecipientAndIsSafeInSpreadsheets() async throws {
        try await APIFixture.run { api in
            let (app, run) = try await Self.fill(api)
            let path = "/v1/apps/\(app)/runs/\(run)/deliveries/export"
            let csv = try await api.send(.get, path)
            #expect(csv.body.starts(with: [0xEF, 0xBB, 0xBF]))
            let rows = try #require(HTTPField.Name("Belfry-Rows"))
            #expect(csv.headers[rows] == "4")
            let text = String(decoding: csv.body.dropFirst(3), as: UTF8.self)
            let lines = text.split(separator: "\r\n")
            #expect(lines.count == 5)
            #expect(lines[0].hasPrefix("device_id,installation,user_id,variant,outcome,reason,apple_status"))
            #expect(lines[1].hasPrefix(#"1,phone-1,"'=HYPERLINK(""http://evil"")",0,accepted,,200"#))
            #expect(lines[1].contains(#""[""book""]""#))
            #expect(lines[3].hasSuffix(",9.95"))
            let filtered = try await api.send(.get, path + "?format=ndjson&outcome=rejected")
            #expect(filtered.headers[rows] == "1")
            #expect(try await api.send(.get, path + "?locale=de").headers[rows] == nil)
            let row = try JSON(parsing: filtered.body)
            #expect(row["device_id"] == "2" && row["reason"] == "Unregistered" && row["apple_status"] == 410)
            #expect(row["locale"] == "de" && row["opened_at"] == nil)
            let actions = try await api.pool.query("SELECT action FROM audit_log WHERE action LIKE '%export%'")
            #expect(try actions.map { try $0[0] as String } == Array(repeating: "runs.deliveries.export", count: 3))
            let reader = try await api.keys.create(
                app: nil, kind: .secret, name: "reader", scopes: [.campaignsRead, .devicesRead]
            ).text
            #expect(try await api.send(.get, path, key: reader).code == "scope-missing")
        }
    }

    @Test func dueTimesAddUpToTheRun() async throws {
        try await APIFixture.run { api in
            let (app, run) = try await Self.fill(api)
            try await api.pool.execute("UPDATE batches SET due_at = '2026-11-22T10:00:00.123456Z'")
            try await api.pool.execute(
                """
                INSERT INTO batches (run_id, app_id, due_at, first_id, last_id, size, pending, accepted, environment,
                    outcomes, recipients, state)
                SELECT run_id, app_id, '2026-11-22T11:00:00Z', 9, 9, 1, 0, 1, 0, '\\x01', '{9}', 'done'
                FROM batches LIMIT 1
                """)
            let path = "/v1/apps/\(app)/runs/\(run)"
            let times = try #require(try await api.send(.get, path + "/due-times").json["data"]?.elements)
            #expect(times.map { $0["due_at"] } == ["2026-11-22T10:00:00.123Z", "2026-11-22T11:00:00.000Z"])
            #expect(times.map { $0["targeted"] } == [4, 1])
            let report = try await api.send(.get, path).json
            for term in ["targeted", "accepted", "rejected", "pending"] {
                let sum = times.reduce(0) { $0 + ($1[term]?.integer ?? 0) }
                #expect(report[term]?.integer == sum)
            }
            let first = times[0]["due_at"]?.string ?? ""
            let people = try await api.send(.get, path + "/deliveries?due_at=\(first)&outcome=accepted").json
            #expect(people["data"]?.elements?.count == times[0]["accepted"]?.integer)
            let page = try await api.send(.get, path + "/due-times?limit=1").page
            let cursor = try #require(page.next)
            let rest = try await api.send(.get, path + "/due-times?cursor=\(cursor)").json
            #expect(rest["data"]?.elements?.count == 1)
        }
    }
}
