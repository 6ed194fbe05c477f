import Administration
import Campaigns
import Foundation
import HTTPTypes
import JSON
import Postgres
import Testing

@testable import API
@testable import Store

@Suite struct LocalEventRoutesTests {
    private struct Fixture {
        let api: DeviceAPIFixture
        let plan: String
        var path: String { "/devices/phone-1/local-events" }

        static func run(_ body: @escaping @Sendable (Fixture) async throws -> Void) async throws {
            try await DeviceAPIFixture.run { api in
                let device = try await api.send(
                    .put, "/devices/phone-1",
                    #"{"token": "\#(String(repeating: "ab", count: 32))", "environment": "production"}"#)
                #expect(device.status == 200)
                let made = try await api.send(
                    .post, "/local-plans",
                    """
                    {"name": "Bells", "notifications": [{"identifier": "evening", "content": {"aps": {"alert": "x"}},
                      "trigger": {"type": "calendar", "components": {"hour": 20}, "repeats": true}}]}
                    """, key: api.secret)
                #expect(made.status == 201)
                let id = try #require(made.json["id"])
                guard case .string(let plan) = id else { throw CancellationError() }
                try await body(Fixture(api: api, plan: plan))
            }
        }

        func report(_ events: [String], sentAt: String? = nil, to path: String? = nil) async throws -> (Int, JSON) {
            let sent = sentAt.map { #", "sent_at": "\#($0)""# } ?? ""
            let answer = try await api.send(
                .post, path ?? self.path, #"{"events": [\#(events.joined(separator: ", "))]\#(sent)}"#)
            return (answer.status, answer.json)
        }

        func event(_ kind: String, id: String = UUID().uuidString, _ more: String = "") -> String {
            #"{"id": "\#(id)", "notification": "\#(plan)/evening", "version": 1, "kind": "\#(kind)"\#(more)}"#
        }

        var statistics: JSON? {
            get async throws {
                try await api.send(.get, "/local-plans/\(plan)/statistics", key: api.secret).json["notifications"]
            }
        }
    }

    @Test func eventsAreStoredOnceAndLeadBackToDeviceAndPlan() async throws {
        try await Fixture.run { fixture in
            let tap = fixture.event("opened", id: "6f0c2b1e-4b57-4e2b-9b0e-0a3f2d7c1a55")
            let action = fixture.event("action", #", "action": "later""#)
            let first = try await fixture.report([tap, action, fixture.event("presented"), tap])
            #expect(first.0 == 200)
            #expect(first.1 == ["stored": 3, "duplicates": 1, "failed": []])
            // The app did not get the answer.
            #expect(try await fixture.report([tap]).1 == ["stored": 0, "duplicates": 1, "failed": []])

            let expected: JSON = [
                ["identifier": "evening", "presented": 1, "opened": 1, "actions": 1, "dismissed": 0]
            ]
            #expect(try await fixture.statistics == expected)
            let rows = try await fixture.api.pool.query(
                """
                SELECT l.kind || ' ' || l.notification || ' of ' || d.installation || ': ' || l.action FROM bi.local_events l
                JOIN devices d ON d.app_id = l.app_id AND d.id = l.device_id WHERE l.plan = 'Bells' AND l.plan_version = 1
                ORDER BY 1
                """)
            #expect(
                try rows.map { try $0[0, as: String.self] } == [
                    "action evening of phone-1: later", "opened evening of phone-1: ",
                    "presented evening of phone-1: ",
                ])
        }
    }

    @Test func eachWrongEventIsRefusedByItself() async throws {
        try await Fixture.run { fixture in
            let id = UUID().uuidString
            let events = [
                fixture.event("opened", id: "7"), #"{"id": "\#(id)", "notification": "evening", "kind": "opened"}"#,
                #"{"id": "\#(id)", "notification": "999/evening", "kind": "opened"}"#,
                fixture.event("text", #", "text": "Gladly""#), fixture.event("action"), "7", fixture.event("dismissed"),
                fixture.event("opened", #", "at": "2020-01-01T00:00:00Z""#),
                #"{"id": "\#(id)", "notification": "\#(fixture.plan)/\u0000", "kind": "opened"}"#,
            ]
            let (status, json) = try await fixture.report(events, sentAt: Date().formatted(.iso8601))
            #expect(status == 200 && json["stored"] == 1)
            let failed = try #require(json["failed"]?.elements)
            #expect(failed.map { $0["index"] } == [0, 1, 2, 3, 4, 5, 7, 8])
            let codes: [JSON] = [
                "invalid-id", "unknown-notification", "unknown-notification", "unknown-kind", "invalid-action",
                "invalid-id", "too-late", "unknown-notification",
            ]
            #expect(failed.map { $0["code"] } == codes)
        }
    }

    @Test func tapAndDismissalAsIOSNamesThemAreNoActions() async throws {
        try await Fixture.run { fixture in
            let names = ["Default", "Dismiss"].map { "com.apple.UNNotification\($0)ActionIdentifier" }
            _ = try await fixture.report(names.map { fixture.event("action", #", "action": "\#($0)""#) })
            let expected: JSON = [
                ["identifier": "evening", "presented": 0, "opened": 1, "actions": 0, "dismissed": 1]
            ]
            #expect(try await fixture.statistics == expected)
        }
    }

    @Test func unknownDeviceIsAnError() async throws {
        try await Fixture.run { fixture in
            let (status, json) = try await fixture.report(
                [fixture.event("opened")], to: "/devices/phone-2/local-events")
            #expect(status == 404 && json["code"] == "device-not-found")
            let other = try await fixture.api.send(.post, fixture.path, #"{"events": {}}"#)
            #expect(other.status == 422)
        }
    }

    @Test func oldEventsAreDeletedAndTheNumbersStay() async throws {
        try await Fixture.run { fixture in
            _ = try await fixture.report([fixture.event("opened"), fixture.event("dismissed")])
            let pool = fixture.api.pool
            let retention = RetentionStore(pool: pool)
            _ = try await pool.query(
                "UPDATE local_events SET received_at = now() - interval '40 days' WHERE kind = \(EventKind.opened)")
            let policy = RetentionPolicy(eventDays: 39, replyDays: nil, recipientDays: nil)
            #expect(try await retention.preview(policy, app: fixture.api.app).events == 1)
            #expect(try await retention.deleteEvents() == 0)
            _ = try await pool.query("UPDATE apps SET event_days = 39")
            #expect(try await retention.deleteEvents() == 1)
            #expect(try await retention.deleteEvents() == 0)
            let left = try await pool.query("SELECT kind FROM local_events")
            #expect(try left.map { try $0[0, as: EventKind.self] } == [.dismissed])
            #expect(try await fixture.statistics?.elements?.first?["opened"] == 1)
        }
    }

    @Test func removedDeviceTakesItsEventsAlongAndTheNumbersStay() async throws {
        try await Fixture.run { fixture in
            _ = try await fixture.report([fixture.event("opened")])
            _ = try await fixture.api.send(.post, "/devices/phone-1/logout", #"{"user_id": "nobody"}"#)
            #expect(try await fixture.api.pool.query("SELECT FROM local_events").count == 1)
            _ = try await fixture.api.pool.query("DELETE FROM devices")
            #expect(try await fixture.api.pool.query("SELECT FROM local_events").isEmpty)
            #expect(try await fixture.statistics?.elements?.first?["opened"] == 1)
        }
    }
}
