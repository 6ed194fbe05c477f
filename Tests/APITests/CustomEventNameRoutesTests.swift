import HTTPTypes
import JSON
import Postgres
import TestSupport
import Testing

/// The names of custom events become known by being reported, and people describe them.
@Suite struct CustomEventNameRoutesTests {
    /// Events of a name that were reported just now. `CustomEventRoutesTests` report some themselves.
    private static func add(
        _ name: String, of app: String, count: Int, amount: Double = 0, properties: [String] = [], _ api: APIFixture
    ) async throws {
        try await api.pool.execute(
            """
            WITH named AS (
                INSERT INTO custom_event_names (app_id, name) VALUES (\(app)::text::bigint, \(name)) RETURNING app_id, id
            ), properties AS (
                INSERT INTO custom_event_properties (app_id, name_id, property)
                SELECT app_id, id, unnest(\(properties)) FROM named
            )
            INSERT INTO custom_event_quarters (app_id, name_id, quarter, shard, count, amount)
            SELECT app_id, id, to_quarter(now()), 1, \(count), \(amount) FROM named
            """)
    }

    @Test func reportedNamesAreListedWithTheirPropertiesAndCounts() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/custom-event-names"
            #expect(try await api.send(.get, path).json["data"] == [])
            try await Self.add("visit", of: app, count: 1, api)
            try await Self.add("purchase", of: app, count: 2, amount: 19.5, properties: ["plan", "items"], api)
            let names = try #require(try await api.send(.get, path).json["data"]?.elements)
            #expect(names.compactMap { $0["name"]?.string } == ["purchase", "visit"])
            #expect(names[0]["properties"] == ["items", "plan"])
            #expect(names[0]["last_30_days"] == ["count": 2, "amount": 19.5])
            #expect(names[1]["last_30_days"] == ["count": 1, "amount": 0] && names[1]["description"] == "")
            let page = try await api.send(.get, path + "?limit=1").json
            let next = try #require(page["next_cursor"]?.string)
            let second = try await api.send(.get, path + "?limit=1&cursor=\(next)").json["data"]
            #expect(second?.elements?.first?["name"] == "visit")
        }
    }

    @Test func descriptionSaysWhatANameMeans() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/custom-event-names"
            try await Self.add("cart/left", of: app, count: 1, api)
            let name = path + "/cart%2Fleft"
            let described = try await api.send(.patch, name, ["description": "Somebody left a cart."])
            #expect(described.status == 200 && described.text("description") == "Somebody left a cart.")
            #expect(try await api.send(.get, name).json["version"] == 2)
            let late = try await api.send(.patch, name, ["description": "x"], headers: [.ifMatch: "\"1\""])
            #expect(late.status == 412)
            let unknown = try await api.send(.patch, path + "/nothing", ["description": "x"])
            #expect(unknown.status == 404 && unknown.code == "custom-event-not-found")
            let long = try await api.send(.patch, name, ["description": .string(String(repeating: "x", count: 501))])
            #expect(long.status == 422)
        }
    }

    @Test func nameCountsAsAConversionWithinSomeDays() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.add("purchase", of: app, count: 1, api)
            let name = "/v1/apps/\(app)/custom-event-names/purchase"
            #expect(try await api.send(.get, name).json["conversion_days"] == .null)
            let set = try await api.send(.patch, name, ["conversion_days": 3])
            #expect(try set.json["conversion_days"] == 3)
            // Each of the two is kept when only the other is changed.
            let described = try await api.send(.patch, name, ["description": "Somebody bought."])
            #expect(try described.json["conversion_days"] == 3)
            let refused = try await api.send(.patch, name, ["conversion_days": 8])
            #expect(refused.status == 422 && refused.problems == ["conversion_days: out-of-range"])
            let ended = try await api.send(.patch, name, ["conversion_days": .null])
            #expect(try ended.json["conversion_days"] == .null && ended.text("description") == "Somebody bought.")
        }
    }

    @Test func nameIsDeletedUnlessItWasChangedMeanwhile() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.add("cart/left", of: app, count: 1, api)
            let path = "/v1/apps/\(app)/custom-event-names"
            let late = try await api.send(.delete, path + "/cart%2Fleft", headers: [.ifMatch: "\"7\""])
            #expect(late.status == 412)
            #expect(try await api.send(.delete, path + "/cart%2Fleft").status == 204)
            #expect(try await api.send(.get, path).json["data"] == [])
            #expect(try await api.send(.delete, path + "/cart%2Fleft").code == "custom-event-not-found")
        }
    }

    @Test func conversionsAreToldByEventCampaignAndVariant() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let path = "/v1/apps/\(app)/statistics/conversions"
            #expect(try await api.send(.get, path).json["groups"] == [])
            let campaign = try await api.send(
                .post, "/v1/apps/\(app)/campaigns", ["name": "Sale", "payload": ["aps": ["alert": "Hi"]]]
            ).text("id")
            try await Self.add("purchase", of: app, count: 1, api)
            try await api.pool.execute(
                """
                WITH run AS (
                    INSERT INTO runs (app_id, campaign_id, expires_at, device_ceiling, estimated, expiration_seconds,
                        message_key_version, priority, push_type, unknown_policy, audience, message_id_key, default_locale,
                        default_time_zone, attachment_url_key)
                    SELECT app_id, id, now(), 1, 1, 60, 1, 10, 'alert', 'leave', '{}', 'i', 'en', 'UTC', 'a' FROM campaigns
                    RETURNING app_id, id
                ), variant AS (
                    INSERT INTO run_variants (app_id, run_id, variant, name, payload) SELECT app_id, id, 0, 'A', '{}' FROM run
                    RETURNING app_id, message_number
                )
                INSERT INTO conversions
                    (app_id, message_number, name_id, direct, influenced, direct_amount, influenced_amount)
                SELECT v.app_id, v.message_number, n.id, 3, 7, 29.5, 70
                FROM variant v JOIN custom_event_names n ON n.app_id = v.app_id
                """)
            func group(_ query: String) async throws -> JSON {
                let groups = try await api.send(.get, path + query).json["groups"]?.elements
                return try #require(groups?.first)
            }
            #expect(
                try await group("") == [
                    "value": "purchase", "name": .null, "direct": 3, "influenced": 7, "direct_amount": 29.5,
                    "influenced_amount": 70,
                ])
            #expect(try await group("?by=campaign")["name"] == "Sale")
            #expect(try await group("?by=variant&campaigns=\(campaign)")["value"] == "0")
            #expect(try await api.send(.get, path + "?event_name=visit").json["groups"] == [])
            #expect(try await api.send(.get, path + "?since=2100-01-01T00:00:00Z").json["groups"] == [])
            #expect(try await api.send(.get, path + "?by=variant").code == "campaigns-required")
            #expect(try await api.send(.get, path + "?campaigns=99").status == 404)
            let file = try await api.send(.get, path + "?format=csv")
            let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\r\n")
            #expect(
                lines.map { String($0) } == [
                    "\u{feff}event,name,direct,influenced,direct_amount,influenced_amount", "purchase,,3,7,29.5,70",
                ])
        }
    }

    @Test func seriesCountsEventsByDayAndAsAFile() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await Self.add("purchase", of: app, count: 2, amount: 5, api)
            try await api.pool.execute(
                """
                INSERT INTO custom_event_quarters (app_id, name_id, quarter, shard, count, amount)
                SELECT app_id, id, timestamptz '2026-03-28 23:30:00Z', 1, 7, 70 FROM custom_event_names
                """)
            let path = "/v1/apps/\(app)/statistics/custom-events?name=purchase"
            let last = try await api.send(.get, path).json["units"]?.elements?.last
            #expect(last?["count"] == 2 && last?["amount"] == 5)
            // In Berlin it is the next day.
            let period = "&since=2026-03-28&until=2026-03-30"
            let berlin = try await api.send(.get, path + period + "&time_zone=Europe/Berlin").json["units"]
            #expect(berlin == [["starts_at": "2026-03-28T23:00:00.000Z", "count": 7, "amount": 70]])
            let file = try await api.send(.get, path + period + "&format=csv")
            #expect(String(decoding: file.body, as: UTF8.self).contains("7,70"))
            let unknown = try await api.send(.get, "/v1/apps/\(app)/statistics/custom-events?name=nothing")
            #expect(unknown.code == "custom-event-not-found")
        }
    }
}
