import Campaigns
import Foundation
import Notifications
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// Events that pushes led to: each counts once.
struct ConversionTests {
    /// An app with the devices 1 to 4 (1 and 2 belong to Ada, 3 to Bob), and `purchase` as a conversion within three days.
    private struct World {
        let fixture: StoreFixture
        let app: AppRecord

        /// A run whose push was sent to all four this many hours ago.
        func run(hoursAgo: Int, to outcomes: [UInt8] = [1, 1, 1, 1]) async throws -> Run.ID {
            let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending), state: .finished)
            try await fixture.batch(of: run, app: app.id, outcomes: outcomes)
            let sent: PostgresQuery = "now() - make_interval(hours => \(Int32(hoursAgo)))"
            try await fixture.pool.execute(
                "UPDATE runs SET started_at = \(sent), finished_at = \(sent) WHERE id = \(run)")
            try await fixture.pool.execute(
                "UPDATE batches SET due_at = \(sent), ended_at = \(sent) WHERE run_id = \(run)")
            return run
        }

        func engaged(_ device: Int64, with run: Run.ID, hoursAgo: Int) async throws {
            try await fixture.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                SELECT \(app.id), message_number, \(device), 9, now() - make_interval(hours => \(Int32(hoursAgo)))
                FROM run_variants WHERE run_id = \(run)
                """)
        }

        func happens(_ name: String = "purchase", to sender: CustomEvent.Sender, value: Int64 = 2_500_000) async throws
        {
            let counts = try await fixture.stores.customEvents.store([
                CustomEventRequest(app: app.id, events: [.make(name, of: sender, value: value)])
            ])
            #expect(counts[0].stored == 1)
        }

        /// By run: direct, influenced and their amounts.
        func counts(_ grouping: ConversionStore.Grouping = .run) async throws -> [String: String] {
            try await fixture.pool.execute("UPDATE conversion_queue SET queued_at = now() - interval '10 minutes'")
            while try await fixture.stores.conversions.attributeStep() > 0 {}
            let counts = try await fixture.stores.conversions.counts(
                app: app.id, StatisticsStore.Scope(), by: grouping, name: nil, limit: 10)
            return Dictionary(
                uniqueKeysWithValues: counts.map {
                    ($0.group, "\($0.direct) \($0.influenced) \($0.directAmount) \($0.influencedAmount)")
                })
        }
    }

    private static func run(_ body: (World) async throws -> Void) async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let users: [PostgresQuery] = ["'ada'", "'ada'", "'bob'", "NULL"]
            for (index, user) in users.enumerated() {
                try await fixture.pool.insertDevice(
                    "phone-\(index + 1)", of: app.id, ["id": "\(Int64(index + 1))", "user_id": user])
            }
            let world = World(fixture: fixture, app: app)
            // A name becomes known by its first event, which counts for nothing.
            try await world.happens(to: .user("eve"))
            _ = try await fixture.stores.customEventNames.update(
                "purchase", app: app.id, description: "", conversionDays: 3)
            try await body(world)
        }
    }

    @Test func eventOfSomebodyWhoEngagedIsDirect() async throws {
        try await Self.run { world in
            let run = try await world.run(hoursAgo: 5)
            try await world.engaged(3, with: run, hoursAgo: 4)
            try await world.happens(to: .installation("phone-3"))
            #expect(try await world.counts() == ["\(run)": "1 0 2.5 0"])
        }
    }

    @Test func eventOfSomebodyWhoOnlyGotThePushIsInfluenced() async throws {
        try await Self.run { world in
            let run = try await world.run(hoursAgo: 5)
            try await world.happens(to: .installation("phone-4"))
            #expect(try await world.counts() == ["\(run)": "0 1 0 2.5"])
            // Attributed once.
            #expect(try await world.counts() == ["\(run)": "0 1 0 2.5"])
            try await world.happens(to: .installation("phone-4"), value: 1_000_000)
            #expect(try await world.counts() == ["\(run)": "0 2 0 3.5"])
        }
    }

    /// The engagement counts more than a later push that nobody engaged with.
    @Test func lastEngagementComesBeforeTheLastPush() async throws {
        try await Self.run { world in
            let first = try await world.run(hoursAgo: 30)
            let second = try await world.run(hoursAgo: 20)
            let third = try await world.run(hoursAgo: 10)
            try await world.engaged(3, with: first, hoursAgo: 29)
            try await world.engaged(3, with: second, hoursAgo: 19)
            try await world.happens(to: .user("bob"))
            try await world.happens(to: .installation("phone-4"))
            #expect(try await world.counts() == ["\(second)": "1 0 2.5 0", "\(third)": "0 1 0 2.5"])
        }
    }

    @Test func personIsAllTheirDevices() async throws {
        try await Self.run { world in
            let run = try await world.run(hoursAgo: 5, to: [1, 20, 20, 20])
            try await world.engaged(1, with: run, hoursAgo: 4)
            try await world.happens(to: .installation("phone-2"))
            #expect(try await world.counts(.event) == ["purchase": "1 0 2.5 0"])
        }
    }

    @Test func pushesThatWereNotSentOrTooEarlyOrTooLateCountForNothing() async throws {
        try await Self.run { world in
            // Four days before, within the hour after, and rejected or suppressed.
            _ = try await world.run(hoursAgo: 96)
            _ = try await world.run(hoursAgo: -1)
            _ = try await world.run(hoursAgo: 5, to: [20, 20, 10, 20])
            try await world.happens(to: .user("bob"))
            try await world.happens(to: .installation("phone-4"))
            #expect(try await world.counts() == [:])
            #expect(try await world.fixture.pool.query("SELECT FROM conversion_queue").isEmpty)
        }
    }

    @Test func otherNamesAreNotQueuedAndWaitingEventsAreErasedWithTheirPerson() async throws {
        try await Self.run { world in
            _ = try await world.run(hoursAgo: 5)
            try await world.happens("search", to: .user("bob"))
            #expect(try await world.fixture.pool.query("SELECT FROM conversion_queue").isEmpty)
            try await world.happens(to: .user("bob"))
            #expect(try await world.fixture.stores.conversions.attributeStep() == 0)
            _ = try await world.fixture.stores.people.erase("bob", app: world.app.id)
            #expect(try await world.fixture.pool.query("SELECT FROM conversion_queue").isEmpty)
        }
    }
}
