import Campaigns
import HTTPTypes
import JSON
import Postgres
import Testing

@testable import API

/// They are made without the group commit of registrations, which has tests of its own.
@Suite struct DeviceValueTests {
    @Test func valuesAreCountedWithTheMostFrequentFirst() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await api.pool.execute(
                """
                INSERT INTO devices (app_id, installation, kind, environment, authorization_status, token, locale, attributes, tags)
                SELECT \(App.ID(app)), 'i' || n, 1, 1, 2, decode(lpad(to_hex(n), 8, '0'), 'hex'),
                    CASE WHEN n % 4 = 0 THEN 'de' ELSE 'en' END,
                    CASE WHEN n <= 8 THEN jsonb_build_object('city', 'Berlin', 'visits', n) ELSE '{}' END,
                    CASE WHEN n <= 2 THEN ARRAY['vip'] ELSE ARRAY[]::text[] END
                FROM generate_series(1, 10) AS n
                """)
            let answer = try await api.send(.get, "/v1/apps/\(app)/device-values").json
            #expect(answer["devices"] == 10)
            let locale = answer["fields"]?.elements?.first { $0["name"] == "locale" }
            #expect(locale?["count"] == 10)
            #expect(locale?["values"] == [["value": "en", "count": 8], ["value": "de", "count": 2]])
            let attributes = answer["attributes"]?.elements ?? []
            #expect(attributes.map { $0["name"] } == ["city", "visits"] && attributes.map { $0["count"] } == [8, 8])
            #expect(attributes.map { $0["type"] } == ["string", "number"])
            #expect(answer["tags"] == [["value": "vip", "count": 2]])
        }
    }

    @Test func appWithoutDevicesHasNoValuesAndAMissingAppIsNotFound() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let answer = try await api.send(.get, "/v1/apps/\(app)/device-values")
            #expect(try answer.json["devices"] == 0 && answer.json["attributes"] == [] && answer.json["tags"] == [])
            #expect(try await api.send(.get, "/v1/apps/999/device-values").status == 404)
        }
    }
}
