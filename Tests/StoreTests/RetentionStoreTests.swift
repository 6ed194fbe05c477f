import Administration
import Campaigns
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

struct RetentionStoreTests {
    /// A run of three recipients that ended 100 days ago, with deliveries and a reply, and the ranges of numbers since.
    private static func fill(_ fixture: StoreFixture, _ app: AppRecord) async throws -> Run.ID {
        let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending), state: .finished)
        try await fixture.batch(of: run, app: app.id, outcomes: [1, 1, 45])
        try await fixture.pool.execute(
            """
            UPDATE runs SET started_at = now() - interval '100 days', finished_at = now() - interval '100 days',
                targeted = 3, accepted = 2, rejected = 1, suppressed = 0, expired = 0, cancelled = 0, unknown = 0, deferred = 0, resent = 0,
                verified_at = now()
            WHERE id = \(run)
            """)
        try await fixture.pool.execute("UPDATE batches SET state = 'done', ended_at = now() - interval '100 days'")
        try await fixture.pool.execute(
            """
            INSERT INTO events (app_id, message_number, device_id, kind, happened_at, received_at, text)
            SELECT r.app_id, message_number, device, kind, started_at, started_at, CASE kind WHEN 6 THEN 'yes' END
            FROM runs r JOIN run_variants ON run_id = r.id, (VALUES (1, 1), (2, 1), (1, 6)) AS e (device, kind)
            WHERE id = \(run)
            """)
        try await fixture.rememberReplies()
        try await fixture.stores.runHistory.recount(app.id)
        return run
    }

    /// The range of the events ended 99 days ago.
    private static func openNextRange(_ fixture: StoreFixture) async throws {
        try await fixture.pool.execute(
            "UPDATE message_ranges SET opened_at = now() - interval '120 days' WHERE first_number = 1")
        let next: Int64 = try await fixture.pool.query(
            "SELECT first_number FROM message_ranges WHERE first_number > 1 ORDER BY 1 LIMIT 1")[0][0]
        try await fixture.pool.execute(
            "UPDATE message_ranges SET opened_at = now() - interval '99 days' WHERE first_number = \(next)")
        _ = try await fixture.pool.query("SELECT setval('message_numbers', \(next), false)")
    }

    private static func set(_ policy: RetentionPolicy, _ fixture: StoreFixture, _ app: AppRecord) async throws {
        let current = try await fixture.apps.find(app.id)
        var settings = current.settings
        settings.retention = policy
        #expect(
            try await fixture.apps.update(app.id, version: current.version, to: settings).settings.retention == policy)
    }

    private static func deleteAll(_ fixture: StoreFixture) async throws {
        let retention = fixture.stores.retention
        for _ in 0..<20 {
            let rows =
                try await retention.eraseReplies() + retention.deleteRecipients() + retention.deleteEvents()
            if rows == 0 { return }
        }
        Issue.record("something is left after 20 steps")
    }

    private static func count(_ fixture: StoreFixture, _ query: String) async throws -> Int {
        try await fixture.pool.query(PostgresQuery(unescaped: query))[0][0]
    }

    @Test func nothingIsDeletedUnlessItIsAsked() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            _ = try await Self.fill(fixture, app)
            try await Self.openNextRange(fixture)
            try await Self.deleteAll(fixture)
            #expect(try await Self.count(fixture, "SELECT count(*) FROM events") == 3)
            let preview = try await fixture.stores.retention.preview(.forever, app: app.id)
            #expect(preview.events == 0 && preview.replies == 0 && preview.recipients == 0 && preview.runs == 0)
            #expect(preview.eventsBefore == nil && preview.repliesBefore == nil && preview.recipientsBefore == nil)
        }
    }

    @Test func previewSaysWhatIsDeletedAndTotalsStay() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await Self.fill(fixture, app)
            try await Self.openNextRange(fixture)
            let policy = RetentionPolicy(eventDays: 90, replyDays: 30, recipientDays: 91)
            let preview = try await fixture.stores.retention.preview(policy, app: app.id)
            #expect(preview.events == 3 && preview.replies == 1 && preview.runs == 1 && preview.recipients == 3)
            #expect(preview.eventsBefore != nil)
            let before = try await fixture.runs.find(run, app: app.id)
            var tally = ReasonTally()
            try await fixture.runs.update(&tally, of: fixture.key(run))
            let reasons = tally.reasons.map { "\($0.reason.kind) \($0.count)" }
            #expect(reasons == ["rejected 1"])
            #expect(try await fixture.runs.unexpectedReports(fixture.key(run)) != nil)
            let totals = try await fixture.stores.statistics.totals(app: app.id, .init(), by: .total).map(\.counts)
            try await Self.set(policy, fixture, app)
            try await Self.deleteAll(fixture)
            #expect(try await Self.count(fixture, "SELECT count(*) FROM events") == 0)
            #expect(try await Self.count(fixture, "SELECT count(*) FROM device_replies") == 0)
            #expect(try await Self.count(fixture, "SELECT sum(cardinality(recipients))::bigint FROM batches") == 0)
            let after = try await fixture.runs.find(run, app: app.id)
            #expect(after.ledger == before.ledger && after.targeted == 3 && after.isBalanced)
            #expect(after.delivered == 2 && after.recipientsDeletedAt != nil)
            let counted = try await fixture.runs.countedReasons(of: fixture.key(run))
            #expect(counted.map { "\($0.reason.kind) \($0.count)" } == reasons)
            #expect(try await fixture.runs.unexpectedReports(fixture.key(run)) == nil)
            #expect(
                try await fixture.stores.statistics.totals(app: app.id, .init(), by: .total).map(\.counts) == totals)
            // All apps are due, so the partition is gone, and a late event is refused.
            #expect(try await Self.count(fixture, "SELECT count(*) FROM message_ranges WHERE first_number = 1") == 0)
            let number: Int64 = try await fixture.pool.query(
                "SELECT message_number FROM run_variants WHERE run_id = \(run)")[0][0]
            let late = Acknowledgement(
                index: 0, messageNumber: number, device: Device.ID(rawValue: 1), kind: .opened, time: .receipt)
            let counts = try await fixture.stores.acknowledgements.store([
                AcknowledgementRequest(app: app.id, events: [late])
            ])
            #expect(counts[0].refused.map(\.reason) == [.tooLate])
            // So is one of a test push, which has no run; and those of ranges in between.
            let test = Acknowledgement(
                index: 0, messageNumber: number + 1, device: Device.ID(rawValue: 1), kind: .opened, time: .receipt)
            let refusals = try await fixture.stores.acknowledgements.store([
                AcknowledgementRequest(app: app.id, events: [test])
            ])
            #expect(refusals[0].refused.map(\.reason) == [.tooLate])
            let page = try await fixture.runs.deliveries(run, app: app.id, DeliveryFilter(), from: nil, limit: 10)
            #expect(page.deliveries.isEmpty && page.next == nil)
            let again = try await fixture.stores.retention.preview(policy, app: app.id)
            #expect(again.events == 0 && again.replies == 0 && again.recipients == 0)
        }
    }

    @Test func otherAppsKeepTheirsUntilTheyAreDue() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let other = try await fixture.app("com.example.Other")
            _ = try await Self.fill(fixture, app)
            let kept = try await Self.fill(fixture, other)
            try await Self.openNextRange(fixture)
            try await Self.set(RetentionPolicy(eventDays: 31, replyDays: 1, recipientDays: 91), fixture, app)
            try await Self.deleteAll(fixture)
            #expect(try await Self.count(fixture, "SELECT count(*) FROM events WHERE app_id = \(app.id)") == 0)
            #expect(try await Self.count(fixture, "SELECT count(*) FROM events WHERE app_id = \(other.id)") == 3)
            #expect(try await Self.count(fixture, "SELECT count(*) FROM events WHERE text IS NOT NULL") == 1)
            #expect(try await fixture.pool.query("SELECT app_id FROM device_replies").map { try $0[0] } == [other.id])
            let page = try await fixture.runs.deliveries(kept, app: other.id, DeliveryFilter(), from: nil, limit: 10)
            #expect(page.deliveries.count == 3)
        }
    }

    @Test func eventsOfDeletedAppsGo() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let other = try await fixture.app("com.example.Other")
            try await fixture.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                SELECT app, n, n, 1, now() FROM unnest(ARRAY[\(app.id), \(other.id)]::bigint[]) AS app, generate_series(1, 5) AS n
                """)
            try await fixture.pool.execute(
                "INSERT INTO device_replies SELECT app_id, device_id, message_number FROM events")
            try await fixture.pool.execute(
                "INSERT INTO run_minutes SELECT app_id, message_number, now(), 1, 1, 0, 0 FROM events")
            try await fixture.pool.execute("DELETE FROM apps WHERE id = \(app.id)")
            try await Self.deleteAll(fixture)
            for table in ["events", "device_replies", "run_minutes"] {
                let left = try await fixture.pool.query("SELECT DISTINCT app_id FROM \(unescaped: table)")
                #expect(try left.map { try $0[0] as App.ID } == [other.id])
            }
            #expect(try await Self.count(fixture, "SELECT count(*) FROM deleted_apps") == 0)
        }
    }

    @Test func youngDataStay() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            _ = try await Self.fill(fixture, app)
            try await Self.openNextRange(fixture)
            // The range ended 99 days ago, though its first push is older.
            try await Self.set(RetentionPolicy(eventDays: 100, replyDays: 101, recipientDays: 101), fixture, app)
            try await Self.deleteAll(fixture)
            #expect(try await Self.count(fixture, "SELECT count(*) FROM events WHERE text IS NOT NULL") == 1)
            #expect(try await Self.count(fixture, "SELECT sum(cardinality(recipients))::bigint FROM batches") == 3)
        }
    }

    /// Two transactional pushes to device 2; the lists of the first are due.
    private static func push(_ fixture: StoreFixture, _ app: AppRecord) async throws {
        for (number, days) in [(77, 95), (78, 5)] {
            try await fixture.pool.execute(
                """
                INSERT INTO batches (app_id, message_number, message_key_version, first_id, last_id, size, pending,
                    accepted, sent_through, environment, outcomes, recipients, state, ended_at)
                VALUES (\(app.id), \(Int64(number)), 1, 2, 2, 1, 0, 1, 1, 0, '\\x01', '{2}', 'done',
                    now() - make_interval(days => \(Int32(days))))
                """)
            try await fixture.pool.execute("INSERT INTO push_recipients VALUES (\(app.id), 2, \(Int64(number)))")
        }
    }

    @Test func listsOfTransactionalPushesAreDeletedWhenTheyAreDue() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            try await Self.push(fixture, app)
            try await Self.set(RetentionPolicy(recipientDays: 91), fixture, app)
            try await Self.deleteAll(fixture)
            let left = try await fixture.pool.query("SELECT message_number FROM bi.device_history(\(app.id), 2)")
            #expect(try left.map { try $0[0] as Int64 } == [78])
            #expect(try await Self.count(fixture, "SELECT count(*) FROM bi.deliveries") == 1)
        }
    }

    @Test func partitionOfTransactionalPushesIsDroppedWhenAllAppsAreDue() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let other = try await fixture.app("com.example.other")
            try await Self.push(fixture, app)
            try await fixture.pool.execute("INSERT INTO push_recipients VALUES (\(other.id), 2, 79)")
            try await Self.openNextRange(fixture)
            try await Self.set(RetentionPolicy(recipientDays: 91), fixture, app)
            try await Self.deleteAll(fixture)
            let left = try await fixture.pool.query("SELECT message_number FROM push_recipients")
            #expect(try left.map { try $0[0] as Int64 } == [79])
            try await Self.set(RetentionPolicy(recipientDays: 91), fixture, other)
            try await Self.deleteAll(fixture)
            let tables = "SELECT count(*) FROM pg_class WHERE relname IN ('push_recipients_1', 'events_1')"
            #expect(try await Self.count(fixture, tables) == 1)
            // Its events are kept, and further ones accepted.
            let range = try await fixture.pool.query(
                "SELECT has_events, has_recipients FROM message_ranges WHERE first_number = 1")
            #expect(try (range[0][0] as Bool, range[0][1] as Bool) == (true, false))
        }
    }
}
