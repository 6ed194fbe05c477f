import Campaigns
import Foundation
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

struct CustomEventStoreTests {
    private static let day = Duration.seconds(24 * 60 * 60)

    @Test func eventsAreStoredOncePerPersonNameAndIDAndCounted() async throws {
        try await DeviceFixture.run { fixture in
            try await fixture.pool.insertDevice("phone", of: "\(fixture.app)", ["id": "7", "user_id": "'ada'"])
            let store = fixture.stores.customEvents
            let purchase = CustomEvent.make("purchase", of: .installation("phone"), value: 12_500_000)
            let first = try await store.store([
                CustomEventRequest(app: fixture.app, events: [purchase, purchase, .make("search", of: .user("ada"))]),
                CustomEventRequest(app: fixture.app, events: [.make("search", id: purchase.id, of: .user("ada"))]),
            ])
            #expect(first == [CustomEventCount(stored: 2, duplicates: 1), CustomEventCount(stored: 1)])
            // The answer was lost.
            let again = try await store.store([
                CustomEventRequest(app: fixture.app, events: [purchase, .make("purchase", of: .user("ada"))])
            ])
            #expect(again == [CustomEventCount(stored: 1, duplicates: 1)])

            let rows = try await fixture.pool.query(
                """
                SELECT n.name || ' ' || sum(q.count) || ' ' || trim_scale(sum(q.amount))
                FROM custom_event_quarters q JOIN custom_event_names n ON n.app_id = q.app_id AND n.id = q.name_id
                GROUP BY n.name ORDER BY 1
                """)
            #expect(try rows.map { try $0[0, as: String.self] } == ["purchase 2 12.5", "search 2 0"])
            // The device leads to its user, so both are one person.
            let people: Int = try await fixture.pool.query("SELECT count(DISTINCT person) FROM custom_events")[0][0]
            #expect(people == 1)
        }
    }

    @Test func deletedNameDisappearsWithItsEventsAndCanBeReportedAnew() async throws {
        try await DeviceFixture.run { fixture in
            let (names, pool) = (fixture.stores.customEventNames, fixture.pool)
            // Two processes, each with the name in its cache.
            let stores = [CustomEventStore(pool: pool), CustomEventStore(pool: pool)]
            func report(_ name: String, by store: CustomEventStore) async throws -> CustomEventCount {
                try await store.store([CustomEventRequest(app: fixture.app, events: [.make(name, of: .user("ada"))])])[
                    0]
            }
            for store in stores { #expect(try await report("purchse", by: store).stored == 1) }
            #expect(try await report("visit", by: stores[0]).stored == 1)
            _ = try await names.update("purchse", app: fixture.app, description: "", conversionDays: 3)

            try await names.delete("purchse", app: fixture.app)
            #expect(try await names.list(app: fixture.app, after: nil, limit: 10).map(\.name) == ["visit"])
            await #expect(throws: Refusal.notFound(.customEvent)) {
                try await names.delete("purchse", app: fixture.app)
            }
            // Both notice that their cache is old.
            for store in stores { #expect(try await report("purchse", by: store).stored == 1) }
            #expect(try await names.find("purchse", app: fixture.app).count == 2)
            #expect(try await names.find("purchse", app: fixture.app).conversionDays == nil)

            while try await names.deleteStep() > 0 {}
            let left = try await pool.query(
                """
                SELECT n.name, count(*) FROM custom_events e
                JOIN custom_event_names n ON n.app_id = e.app_id AND n.id = e.name_id GROUP BY 1 ORDER BY 1
                """
            ).map { "\(try $0[0, as: String.self]) \(try $0[1, as: Int.self])" }
            #expect(left == ["purchse 2", "visit 1"])
            #expect(try await pool.query("SELECT FROM custom_event_names").count == 2)
        }
    }

    @Test func aDeviceWithoutUserIsAPersonOfItsOwn() async throws {
        try await DeviceFixture.run { fixture in
            try await fixture.pool.insertDevice("a", of: "\(fixture.app)", ["id": "1"])
            try await fixture.pool.insertDevice("b", of: "\(fixture.app)", ["id": "2"])
            let counts = try await fixture.stores.customEvents.store([
                CustomEventRequest(
                    app: fixture.app,
                    events: [
                        .make("open", of: .installation("a")), .make("open", index: 1, of: .installation("b")),
                        .make("open", index: 2, of: .installation("c")),
                    ])
            ])
            #expect(
                counts == [
                    CustomEventCount(stored: 2, refused: [CustomEventCount.Refused(index: 2, reason: .unknownDevice)])
                ])
            let rows = try await fixture.pool.query(
                "SELECT device_id, person = person_number(NULL, d.installation), e.user_id IS NULL FROM custom_events e "
                    + "JOIN devices d ON d.id = e.device_id ORDER BY 1")
            #expect(try rows.map { try $0[0, as: Int64.self] } == [1, 2])
            #expect(try rows.allSatisfy { try $0[1, as: Bool.self] && $0[2, as: Bool.self] })
        }
    }

    @Test func anEventThatWasStoredInAnEarlierWeekIsNotStoredAgain() async throws {
        try await DeviceFixture.run { fixture in
            let sent = Timestamp.now - Self.day * 10
            let event = CustomEvent.make("visit", of: .user("ada"), time: .device(sent))
            let untimed = CustomEvent.make("visit", of: .user("ada"))
            let request = CustomEventRequest(
                app: fixture.app, events: [event, untimed], clock: EventClock(sentAt: .now))
            #expect(try await fixture.stores.customEvents.store([request]) == [CustomEventCount(stored: 2)])
            try await fixture.moveCustomEvents(weeks: 1)
            #expect(try await fixture.stores.customEvents.store([request]) == [CustomEventCount(duplicates: 2)])
        }
    }

    @Test func anEventOfMoreThanThirtyDaysAgoIsRefused() async throws {
        try await DeviceFixture.run { fixture in
            func counts(_ days: Int) async throws -> [CustomEventCount] {
                let event = CustomEvent.make("visit", of: .user("ada"), time: .device(.now - Self.day * days))
                let clock = EventClock(sentAt: .now)
                return try await fixture.stores.customEvents.store([
                    CustomEventRequest(app: fixture.app, events: [event], clock: clock)
                ])
            }
            let (inTime, tooLate) = (try await counts(29), try await counts(31))
            #expect(inTime == [CustomEventCount(stored: 1)])
            #expect(
                tooLate == [CustomEventCount(refused: [CustomEventCount.Refused(index: 0, reason: .tooLate)])])
        }
    }

    @Test func aNameAboveTheLimitIsRefusedWithTheOneThatIsMeant() async throws {
        try await DeviceFixture.run { fixture in
            let store = fixture.stores.customEvents
            func request(_ names: [String]) -> CustomEventRequest {
                CustomEventRequest(
                    app: fixture.app,
                    events: names.enumerated().map { .make($0.element, index: $0.offset, of: .user("ada")) })
            }
            let names = ["purchase"] + (1..<CustomEvent.maximumNames).map { "name \($0)" }
            let filled = try await store.store([request(names)])
            #expect(filled == [CustomEventCount(stored: names.count)])
            let refused = CustomEventCount(
                stored: 1,
                refused: [
                    CustomEventCount.Refused(index: 1, reason: .unknownName(meant: "purchase")),
                    CustomEventCount.Refused(index: 2, reason: .unknownName(meant: nil)),
                ])
            #expect(try await store.store([request(["purchase", "purchsae", "quite another"])]) == [refused])
            // Another process, which has read no names yet.
            let other = fixture.stores.customEvents
            #expect(try await other.store([request(["purchase", "purchsae", "quite another"])]) == [refused])
        }
    }

    /// A publishable key is in every copy of an app.
    @Test func phonesMakeNoMoreNamesThanTheirPartAndServersDo() async throws {
        try await DeviceFixture.run { fixture in
            let store = fixture.stores.customEvents
            func report(_ name: String, isFromServer: Bool) async throws -> CustomEventCount {
                let event = CustomEvent.make(name, of: .user("ada"))
                return try await store.store([
                    CustomEventRequest(app: fixture.app, events: [event], isFromServer: isFromServer)
                ])[0]
            }
            try await fixture.pool.execute(
                """
                INSERT INTO custom_event_names (app_id, name)
                SELECT \(fixture.app), 'n' || lpad(n::text, 3, '0') FROM generate_series(1, 399) AS n
                """)
            #expect(try await report("of a phone", isFromServer: false).stored == 1)
            let refused = try await report("of another phone", isFromServer: false).refused
            #expect(refused.map(\.reason) == [.unknownName(meant: nil)])
            #expect(try await report("n001", isFromServer: false).stored == 1)
            #expect(try await report("of a server", isFromServer: true).stored == 1)
            #expect(try await report("of a server", isFromServer: false).stored == 1)
        }
    }

    @Test func propertiesBecomeKnownUpToTheirLimit() async throws {
        try await DeviceFixture.run { fixture in
            let store = fixture.stores.customEvents
            for part in 0..<3 {
                let names = (0..<30).map { String(format: "p%02d", part * 20 + $0) }
                let event = CustomEvent.make("visit", of: .user("ada"), properties: names)
                let request = CustomEventRequest(app: fixture.app, events: [event])
                #expect(try await store.store([request]) == [CustomEventCount(stored: 1)])
            }
            let known = try await fixture.pool.query("SELECT property FROM custom_event_properties ORDER BY 1")
            #expect(try known.map { try $0[0, as: String.self] } == (0..<50).map { String(format: "p%02d", $0) })
        }
    }

    @Test func concurrentGroupsWithTheSameEventsStoreThemOnce() async throws {
        try await DeviceFixture.run { fixture in
            let events = (0..<200).map { CustomEvent.make("visit", index: $0, of: .user("user \($0 % 20)")) }
            let stored = try await withThrowingTaskGroup(of: Int.self) { group in
                for turn in 0..<4 {
                    group.addTask {
                        // Each process has names of its own.
                        let request = CustomEventRequest(
                            app: fixture.app, events: turn.isMultiple(of: 2) ? events : events.reversed())
                        return try await fixture.stores.customEvents.store([request])[0].stored
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(stored == 200)
            let counted: Int = try await fixture.pool.query("SELECT sum(count)::bigint FROM custom_event_quarters")[0][
                0]
            #expect(counted == 200)
        }
    }

    @Test func eventsOfAPersonAreErasedWithThem() async throws {
        try await DeviceFixture.run { fixture in
            try await fixture.pool.insertDevice("phone", of: "\(fixture.app)", ["id": "1"])
            let store = fixture.stores.customEvents
            func report(_ senders: CustomEvent.Sender...) async throws {
                _ = try await store.store([
                    CustomEventRequest(app: fixture.app, events: senders.map { .make("visit", of: $0) })
                ])
            }
            // Before the person signs in, after it, and of somebody else.
            try await report(.installation("phone"))
            try await fixture.pool.execute("UPDATE devices SET user_id = 'ada'")
            try await report(.installation("phone"), .user("ada"), .user("ben"))

            _ = try await fixture.stores.people.erase("ada", app: fixture.app)
            let rows = try await fixture.pool.query("SELECT user_id FROM custom_events")
            #expect(try rows.map { try $0[0, as: String?.self] } == ["ben"])
        }
    }

    @Test func theWeeksToComeHavePartitions() async throws {
        try await DeviceFixture.run { fixture in
            let weeks: PostgresQuery = """
                SELECT count(*) FROM generate_series(0, \(CustomEventWeekStore.ahead)) AS n
                WHERE to_regclass('custom_events_' || to_char(week_of(now()) + 7 * n, 'YYYYMMDD')) IS NOT NULL
                """
            try await fixture.pool.execute(
                """
                DO $$ BEGIN EXECUTE 'DROP TABLE custom_events_' || to_char(week_of(now()) + 14, 'YYYYMMDD'); END $$
                """)
            #expect(try await fixture.pool.query(weeks)[0][0, as: Int64.self] == Int64(CustomEventWeekStore.ahead))
            try await fixture.stores.customEventWeeks.maintain()
            #expect(try await fixture.pool.query(weeks)[0][0, as: Int64.self] == Int64(CustomEventWeekStore.ahead + 1))
        }
    }

    @Test func weeksAreDroppedWhenEveryAppIsDoneWithThem() async throws {
        try await DeviceFixture.run { fixture in
            let other = try await DeviceFixture.makeApp(fixture.pool, "two")
            for app in [fixture.app, other] {
                _ = try await fixture.stores.customEvents.store([
                    CustomEventRequest(app: app, events: [.make("visit", of: .user("ada"))])
                ])
            }
            try await fixture.moveCustomEvents(weeks: 10)
            func left() async throws -> [Int64] {
                while try await fixture.stores.retention.deleteCustomEvents() > 0 {}
                return try await fixture.pool.query("SELECT app_id FROM custom_events").map { try $0[0] }
            }
            #expect(try await left() == [fixture.app.rawValue, other.rawValue])
            try await fixture.pool.execute("UPDATE apps SET custom_event_days = 31 WHERE id = \(fixture.app)")
            #expect(try await left() == [other.rawValue])
            try await fixture.pool.execute("UPDATE apps SET custom_event_days = 100 WHERE id = \(other)")
            #expect(try await left() == [other.rawValue])
            try await fixture.pool.execute("UPDATE apps SET custom_event_days = 60 WHERE id = \(other)")
            #expect(try await left() == [])
            let weeks: Int = try await fixture.pool.query(
                """
                SELECT count(*) FROM pg_inherits
                WHERE inhparent = 'custom_events'::regclass
                    AND inhrelid::regclass::text < 'custom_events_' || to_char(week_of(now()), 'YYYYMMDD')
                """)[0][0]
            #expect(weeks == 0)
            // Counts stay.
            let counted: Int = try await fixture.pool.query("SELECT count(*) FROM custom_event_quarters")[0][0]
            #expect(counted == 2)
        }
    }
}

extension CustomEvent {
    static func make(
        _ name: String, index: Int = 0, id: UUID = UUID(), of sender: Sender, time: EventTime = .receipt,
        value: Int64? = nil, properties: [String] = []
    ) -> CustomEvent {
        CustomEvent(
            index: index, id: id, sender: sender, name: name, time: time, valueMillionths: value,
            properties: properties.isEmpty
                ? nil
                : Properties(
                    JSONText("{" + properties.map { "\"\($0)\":1" }.joined(separator: ",") + "}"), names: properties))
    }
}

extension DeviceFixture {
    /// Makes all custom events older, as if time had passed.
    func moveCustomEvents(weeks: Int) async throws {
        try await pool.execute(
            """
            DO $$
            DECLARE
                days CONSTANT integer := \(unescaped: "\(weeks * 7)");
                first_day CONSTANT date := week_of(now()) - days;
            BEGIN
                EXECUTE format('CREATE TABLE custom_events_%s PARTITION OF custom_events FOR VALUES FROM (%L) TO (%L)',
                    to_char(first_day, 'YYYYMMDD'), first_day, first_day + 7);
                UPDATE custom_events SET week = week - days, received_at = received_at - make_interval(days => days);
            END $$
            """)
    }
}
