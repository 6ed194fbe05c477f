import Administration
import Foundation
import HTTPTypes
import JSON
import Postgres
import Testing

@testable import API
@testable import Store

@Suite struct CustomEventRoutesTests {
    private static let id = "6f0c2b1e-4b57-4e2b-9b0e-0a3f2d7c1a55"

    private static func register(_ api: DeviceAPIFixture, user: String? = nil) async throws {
        let user = user.map { #", "user_id": "\#($0)""# } ?? ""
        let answer = try await api.send(
            .put, "/devices/phone-1",
            #"{"token": "\#(String(repeating: "ab", count: 32))", "environment": "production"\#(user)}"#)
        #expect(answer.status == 200)
    }

    private static func event(_ more: String, id: String = UUID().uuidString) -> String {
        #"{"id": "\#(id)", "name": "purchase"\#(more)}"#
    }

    private static func report(
        _ api: DeviceAPIFixture, _ events: [String], sentAt: String? = nil, key: String? = nil
    ) async throws -> JSON {
        let sent = sentAt.map { #", "sent_at": "\#($0)""# } ?? ""
        let answer = try await api.send(
            .post, "/custom-events", #"{"events": [\#(events.joined(separator: ", "))]\#(sent)}"#, key: key)
        #expect(answer.status == 200)
        return answer.json
    }

    @Test func aPhoneReportsItsEventsOnceAndAServerThoseOfUsers() async throws {
        try await DeviceAPIFixture.run { api in
            try await Self.register(api, user: "ada")
            let purchase = Self.event(
                #", "installation": "phone-1", "value": 9.99, "properties": {"plan": "pro", "items": 3, "gift": null}"#,
                id: Self.id)
            let first = try await Self.report(api, [purchase, purchase])
            #expect(first == ["stored": 1, "duplicates": 1, "failed": [], "warnings": []])
            #expect(
                try await Self.report(api, [purchase]) == ["stored": 0, "duplicates": 1, "failed": [], "warnings": []])
            let ofServer = try await Self.report(api, [Self.event(#", "user_id": "ada""#)], key: api.secret)
            #expect(ofServer["stored"] == 1)

            let rows = try await api.pool.query(
                """
                SELECT concat_ws('|', n.name, e.user_id, d.installation, trim_scale(e.value), e.properties)
                FROM custom_events e JOIN custom_event_names n ON n.app_id = e.app_id AND n.id = e.name_id
                LEFT JOIN devices d ON d.app_id = e.app_id AND d.id = e.device_id
                ORDER BY e.device_id
                """)
            #expect(
                try rows.map { try $0[0, as: String.self] } == [
                    #"purchase|ada|phone-1|9.99|{"plan": "pro", "items": 3}"#, "purchase|ada",
                ])
        }
    }

    @Test func eachWrongEventIsRefusedByItselfWithThePathOfItsMember() async throws {
        try await DeviceAPIFixture.run { api in
            try await Self.register(api)
            let ofPhone = #", "installation": "phone-1""#
            let long = String(repeating: "x", count: CustomEvent.maximumPropertiesSize)
            let many = (0...CustomEvent.maximumProperties).map { #""p\#($0)": 1"# }.joined(separator: ", ")
            let wrong = [
                ("events[0].id: invalid-id", Self.event(ofPhone, id: "7")),
                ("events[1].id: missing", #"{"name": "purchase"\#(ofPhone)}"#),
                ("events[2].name: missing", #"{"id": "\#(Self.id)"\#(ofPhone)}"#),
                ("events[3].name: invalid-name", #"{"id": "\#(Self.id)", "name": ""\#(ofPhone)}"#),
                ("events[4].installation: missing", Self.event("")),
                ("events[5].installation: unknown-device", Self.event(#", "installation": "phone-2""#)),
                ("events[6].user_id: not-allowed", Self.event(#", "user_id": "ada""#)),
                ("events[7].value: invalid-value", Self.event(ofPhone + #", "value": "9""#)),
                ("events[8].properties: wrong-type", Self.event(ofPhone + #", "properties": [1]"#)),
                ("events[9].properties.a: wrong-type", Self.event(ofPhone + #", "properties": {"a": {"b": 1}}"#)),
                ("events[10].properties: too-long", Self.event(ofPhone + #", "properties": {"a": "\#(long)"}"#)),
                ("events[11].properties: too-many", Self.event(ofPhone + #", "properties": {\#(many)}"#)),
                ("events[12].properties.a: null-character", Self.event(ofPhone + #", "properties": {"a": "\u0000"}"#)),
                ("-: wrong-type", "7"),
                ("-: invalid-json", #"{"id": "\#(Self.id)", "id": 7}"#),
                ("events[15].at: too-late", Self.event(ofPhone + #", "at": "2020-01-01T00:00:00Z""#)),
                ("events[16].user_id: not-allowed", Self.event(ofPhone + #", "user_id": "ada""#)),
            ]
            let now = ISO8601DateFormatter().string(from: Date())
            let answer = try await Self.report(api, wrong.map(\.1) + [Self.event(ofPhone)], sentAt: now)
            #expect(answer["stored"] == 1)
            let failed = try #require(answer["failed"]?.elements)
            let found = failed.map { "\($0["path"]?.string ?? "-"): \($0["code"]?.string ?? "")" }
            #expect(found == wrong.map(\.0))
            #expect(failed.map { $0["index"]?.integer } == Array(0..<wrong.count))
        }
    }

    @Test func propertiesOfTheGreatestSizeAreStored() async throws {
        try await DeviceAPIFixture.run { api in
            let text = String(repeating: "x", count: CustomEvent.maximumPropertiesSize - #"{"a":""}"#.utf8.count)
            // White space does not count.
            let event = Self.event(#", "user_id": "ada", "properties": {  "a":  "\#(text)"  }"#)
            let answer = try await Self.report(api, [event], key: api.secret)
            #expect(answer["stored"] == 1)
        }
    }

    @Test func anUnreadableTimeAndUnknownMembersAreWarnings() async throws {
        try await DeviceAPIFixture.run { api in
            let event = Self.event(#", "user_id": "ada", "at": "yesterday", "price": 3"#)
            let answer = try await Self.report(api, [event], key: api.secret)
            #expect(answer["stored"] == 1)
            let warnings = try #require(answer["warnings"]?.elements)
            #expect(warnings.map { $0["code"]?.string } == ["invalid-time", "unknown-field"])
        }
    }

    @Test func theClockOfAServerIsTrustedAndThatOfAPhoneIsNot() async throws {
        try await DeviceAPIFixture.run { api in
            try await Self.register(api)
            let old = #", "at": "2020-01-01T00:00:00Z""#
            let ofServer = try await Self.report(api, [Self.event(#", "user_id": "ada""# + old)], key: api.secret)
            #expect(ofServer["stored"] == 0)
            // Without sent_at nobody knows its clock, so the event happens when it is received.
            let ofPhone = try await Self.report(api, [Self.event(#", "installation": "phone-1""# + old)])
            #expect(ofPhone["stored"] == 1)
            let isNow: Bool = try await api.pool.query(
                "SELECT is_time_corrected AND happened_at = received_at FROM custom_events")[0][0]
            #expect(isNow)
        }
    }

    @Test func aSecretKeyNeedsTheRightToWriteDevices() async throws {
        try await DeviceAPIFixture.run { api in
            let reader = try await api.keys.create(app: api.app, kind: .secret, name: "r", scopes: [.devicesRead]).text
            let body = #"{"events": [\#(Self.event(#", "user_id": "ada""#))]}"#
            let answer = try await api.send(.post, "/custom-events", body, key: reader)
            #expect(answer.status == 403)
        }
    }
}
