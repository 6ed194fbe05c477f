import Administration
import Campaigns
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store
import TestSupport
import Testing

@Suite struct RunRoutesTests {
    @Test(arguments: APIFixture.Transport.allCases)
    func ledgerReasonsAndPeopleAreRead(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            let campaign = try await api.campaign(of: app)
            let run = try await api.run(of: campaign, app: app, isOver: false)
            let path = "/v1/apps/\(app)/runs/\(run)"

            let answer = try await api.send(.get, path)
            let json = try answer.json
            #expect(json["targeted"] == 4)
            #expect(json["accepted"] == 2)
            #expect(json["rejected"] == 1)
            #expect(json["pending"] == 1)
            #expect(json["balanced"] == true)
            #expect(json["verified_at"] == .null)
            #expect(json["reasons"] == [["outcome": "rejected", "reason": "Unregistered", "count": 1]])
            #expect(try await api.send(.get, "/v1/apps/\(app)/campaigns/\(campaign)/runs").page.ids == [run])

            let rejected = try await api.send(.get, path + "/deliveries?outcome=rejected&reason=Unregistered")
            let data = try #require(try rejected.json["data"]?.elements)
            #expect(data.map { $0["device_id"] } == ["2"])
            #expect(data.map { $0["reason"] } == ["Unregistered"])
            let first = try await api.send(.get, path + "/deliveries?limit=3")
            let cursor = try #require(try first.page.next)
            let rest = try await api.send(.get, path + "/deliveries?limit=3&cursor=\(cursor)")
            let last = try #require(try rest.json["data"]?.elements)
            #expect(last.map { $0["outcome"] } == ["pending"])
            #expect(try rest.page.next == nil)
            let odd = try await api.send(.get, path + "/deliveries?outcome=lost")
            #expect(odd.code == "invalid-outcome")
            #expect(try await api.send(.get, path + "/deliveries?reason=%00").status == 200)
        }
    }

    @Test func recipientsAreFoundByUserInstallationAndOpening() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let run = try await api.run(of: try await api.campaign(of: app), app: app, isOver: true)
            try await api.pool.insertDevices(
                1...4, of: app, ["installation": "'phone-' || n", "user_id": "CASE WHEN n <= 2 THEN 'ada' END"])
            try await api.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, happened_at, kind)
                SELECT app_id, message_number, device, '2026-11-22T10:00:00Z', kind
                FROM run_variants, (VALUES (1, 1), (3, 1), (3, 3)) AS e (device, kind)
                """)
            func found(_ query: String) async throws -> [String] {
                let answer = try await api.send(.get, "/v1/apps/\(app)/runs/\(run)/deliveries?\(query)")
                return try #require(try answer.json["data"]?.elements).map {
                    ($0["device_id"]?.string ?? "") + ($0["opened_at"] == .null ? "" : " opened")
                }
            }

            #expect(try await found("search=ada") == ["1", "2"])
            #expect(try await found("search=phone-3") == ["3 opened"])
            #expect(try await found("search=phone") == [])
            #expect(try await found("search=ada&outcome=rejected") == ["2"])
            #expect(try await found("opened=true") == ["3 opened"])
            #expect(try await found("opened=false") == ["1", "2", "4"])
            #expect(try await found("opened=true&search=ada") == [])
            #expect(try await found("opened=false&search=ada&outcome=accepted") == ["1"])

            // Pages go on behind the last recipient that was listed.
            let first = try await api.send(.get, "/v1/apps/\(app)/runs/\(run)/deliveries?opened=false&limit=2")
            let cursor = try #require(try first.page.next)
            #expect(try await found("opened=false&limit=2&cursor=\(cursor)") == ["4"])
        }
    }

    @Test func searchingForRecipientsNeedsToSeeDevices() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let run = try await api.run(of: try await api.campaign(of: app), app: app, isOver: true)
            let path = "/v1/apps/\(app)/runs/\(run)/deliveries"
            let key = try await api.keys.create(
                app: nil, kind: .secret, name: "reader", scopes: [.campaignsRead]
            ).text

            #expect(try await api.send(.get, path + "?opened=false", key: key).status == 200)
            #expect(try await api.send(.get, path + "?search=ada", key: key).code == "scope-missing")
            #expect(try await api.send(.get, path + "?opened=maybe").code == "invalid-parameter")
            let long = String(repeating: "x", count: 201)
            #expect(try await api.send(.get, path + "?search=\(long)").code == "invalid-search")
        }
    }

    @Test func destinationAndResponsesAreReported() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let campaign = try await api.campaign(of: app)
            let run = try await api.run(of: campaign, app: app, isOver: true)
            let path = "/v1/apps/\(app)/runs/\(run)"
            let before = try await api.send(.get, path).json
            #expect(before["destination"] == .null)
            #expect(before["delivered"] == 0 && before["opened"] == 0)

            try await api.pool.execute("UPDATE runs SET destination = 'simulator'")
            // Two of this run, one of whom opened it; one whose push Apple rejected; and one of another run.
            let number: Int64 = try await api.pool.query("SELECT message_number FROM run_variants")[0][0]
            let told: [(Int64, Int64, EventKind)] = [
                (0, 1, .delivered), (0, 3, .delivered), (0, 3, .opened), (0, 3, .dismissed), (0, 2, .opened),
                (1, 4, .delivered),
            ]
            let events = told.enumerated().map { index, event in
                Acknowledgement(
                    index: index, messageNumber: number + event.0, device: Device.ID(rawValue: event.1), kind: event.2,
                    time: .receipt)
            }
            _ = try await AcknowledgementStore(pool: api.pool).store([
                AcknowledgementRequest(app: try #require(App.ID(app)), events: events)
            ])
            var json = before
            // The count of unexpected ones before is believed for a moment.
            let end = ContinuousClock.now + .seconds(60)
            while json["unexpected_acknowledgements"] == 0, .now < end { json = try await api.send(.get, path).json }

            #expect(json["destination"] == "simulator")
            #expect(json["delivered"] == 3 && json["opened"] == 2 && json["unexpected_acknowledgements"] == 1)
            let listed = try await api.send(.get, "/v1/apps/\(app)/campaigns/\(campaign)/runs").json
            let data = try #require(listed["data"]?.elements)
            #expect(data.map { $0["destination"] } == ["simulator"])
        }
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func progressOfARunThatIsOverEndsAtOnce(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            let run = try await api.run(of: try await api.campaign(of: app), app: app, isOver: true)

            let answer = try await api.send(.get, "/v1/apps/\(app)/runs/\(run)/progress")

            #expect(answer.headers[.contentType] == "text/event-stream")
            let events = String(decoding: answer.body, as: UTF8.self).split(separator: "\n\n")
            #expect(events.count == 2)
            #expect(events[0].hasPrefix("event: progress\ndata: {"))
            #expect(events[0].contains(#""rate":0"#))
            #expect(events[1].hasPrefix("event: end\ndata: {"))
            #expect(events.allSatisfy { $0.contains(#""delivered":0,"opened":0"#) })
            #expect(events[1].contains(#""reasons":[{"outcome":"rejected""#))
        }
    }

    @Test func progressIsSentWhenSomethingChanges() async throws {
        try await APIFixture.run(.live) { api in
            let app = try await api.app()
            let run = try await api.run(of: try await api.campaign(of: app), app: app, isOver: false)

            async let stream = api.send(.get, "/v1/apps/\(app)/runs/\(run)/progress")
            // The stream has begun when its route was asked; what it sees first is either state.
            try await api.finishRuns()

            let text = String(decoding: try await stream.body, as: UTF8.self)
            #expect(text.contains("event: end\n"))
            #expect(text.contains(#""pending":0"#))
        }
    }

    @Test func progressOfARunThatIsNotThereIsNotFound() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()

            #expect(try await api.send(.get, "/v1/apps/\(app)/runs/1/progress").code == "run-not-found")
            #expect(try await api.send(.get, "/v1/apps/\(app)/runs/1/deliveries").code == "run-not-found")
        }
    }
}

extension APIFixture {
    /// A run of four recipients: accepted, rejected, accepted, and pending or accepted.
    func run(of campaign: String, app: String, isOver: Bool) async throws -> String {
        let outcomes: [UInt8] = [1, 45, 1, isOver ? 1 : 0]
        let rows = try await pool.query(
            """
            WITH run AS (
                INSERT INTO runs (app_id, campaign_id, expires_at, device_ceiling, estimated, expiration_seconds,
                    message_key_version, priority, push_type, unknown_policy, audience,
                    message_id_key, default_locale, default_time_zone, attachment_url_key, state, finished_at)
                VALUES (\(app)::text::bigint, \(campaign)::text::bigint, now(), 1000, 4, 86400, 1, 10, 'alert',
                    'resend', '{}', 'i', 'en', 'UTC', 'attachment-url', \(isOver ? "finished" : "sending"), CASE WHEN \(isOver) THEN now() END)
                RETURNING id, app_id
            ), content AS (
                INSERT INTO run_variants (app_id, run_id, variant, name, payload) SELECT app_id, id, 0, 'A', '{}' FROM run
            )
            INSERT INTO batches (run_id, app_id, first_id, last_id, size, pending, accepted, rejected, environment,
                outcomes, recipients, state)
            SELECT id, app_id, 1, 4, 4, \(isOver ? 0 : 1), \(isOver ? 3 : 2), 1, 0, \(outcomes), '{1,2,3,4}',
                \(isOver ? "done" : "ready")
            FROM run
            RETURNING run_id::text
            """)
        return try rows[0][0]
    }

    fileprivate func finishRuns() async throws {
        try await pool.transaction { connection in
            try await connection.execute(
                "UPDATE batches SET outcomes = set_byte(outcomes, 3, 1), pending = 0, accepted = 3, state = 'done'")
            try await connection.execute("UPDATE runs SET state = 'finished', finished_at = now()")
        }
    }
}
