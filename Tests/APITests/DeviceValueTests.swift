import Campaigns
import HTTPTypes
import JSON
import Postgres
import TestSupport
import Testing

@testable import API

/// They are made without the group commit of registrations, which has tests of its own.
@Suite struct DeviceValueTests {
    @Test func valuesAreCountedWithTheMostFrequentFirst() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            try await api.pool.insertDevices(
                1...10, of: app,
                [
                    "kind": "1", "locale": "CASE WHEN n % 4 = 0 THEN 'de' ELSE 'en' END",
                    "attributes":
                        "CASE WHEN n <= 8 THEN jsonb_build_object('city', 'Berlin', 'visits', n) ELSE '{}' END",
                    "tags": "CASE WHEN n <= 2 THEN '{vip}' ELSE '{}' END::text[]",
                ])
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
