import Campaigns
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// `bi.deliveries`: one row per recipient, with the last outcome, the user of the time, and what the device reported.
struct AnalystDeliveriesTests {
    private static let everyone = 1...9

    /// Outcomes of the devices 1 to 9: rejected, accepted and sent twice, moved, suppressed, expired, unknown, accepted ×3.
    private static let outcomes: [UInt8] = [45, 1 | 0x80, 2, 10, 3, 5, 1, 1, 1]

    /// Adds devices of u1 to u9; then a run to them, after which u2's device goes to "later" and u7 is erased.
    private static func fill(_ fixture: StoreFixture, app: AppRecord) async throws -> Run.ID {
        try await fixture.pool.insertDevices(everyone, of: app.id, ["user_id": "'u' || n", "locale": "'de'"])
        let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
        let early = try await fixture.batch(of: run, app: app.id, outcomes: outcomes)
        try await fixture.batch(of: run, app: app.id, first: 3, outcomes: [1], deferredFrom: early)
        try await fixture.pool.changeDevices("user_id = 'later'", where: "id = 2")
        try await fixture.pool.changeDevices("user_id = 'latest'", where: "id = 2")
        #expect(try await fixture.stores.people.erase("u7", app: app.id) == 1)
        return run
    }

    /// Adds events; "n" is the minute.
    private static func report(
        _ fixture: StoreFixture, _ events: [(device: Int64, kind: Int16, action: String, value: Int64?, minute: Int64)]
    ) async throws {
        for event in events {
            try await fixture.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, action, value, happened_at)
                SELECT app_id, message_number, \(event.device), \(event.kind), \(event.action), \(event.value),
                    '2026-11-27 10:00Z'::timestamptz + \(event.minute) * interval '1 minute'
                FROM run_variants
                """)
        }
    }

    private static func rows(_ columns: String, _ condition: String, _ fixture: StoreFixture) async throws -> [String] {
        try await fixture.pool.query(
            """
            SELECT concat_ws(' ', device_id, \(unescaped: columns)) FROM bi.deliveries
            WHERE \(unescaped: condition) ORDER BY device_id
            """
        ).map { try $0[0] }
    }

    @Test func recipientHasOneRowWithTheLastOutcomeAndTheUserOfTheTime() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await Self.fill(fixture, app: app)
            #expect(
                try await Self.rows(
                    "coalesce(user_id, '-'), outcome, coalesce(reason, '-'), is_resent, was_deferred",
                    "run_id = \(run)", fixture) == [
                        "1 u1 rejected Unregistered f f", "2 u2 accepted - t f", "3 u3 accepted - f t",
                        "4 u4 suppressed notifications denied f f", "5 u5 expired - f f",
                        "6 u6 unknown worker lost f f",
                        "7 - accepted - f f", "8 u8 accepted - f f", "9 u9 accepted - f f",
                    ])
            let names = try await fixture.pool.query(
                "SELECT DISTINCT app, campaign, campaign_id::text FROM bi.deliveries WHERE run_id = \(run)")
            #expect(try names.count == 1 && names[0][0] == "Shop" && names[0][1] == "Sale")
        }
    }

    @Test func severalEventsOfADeviceAreSummedInItsRow() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await Self.fill(fixture, app: app)
            try await Self.report(
                fixture,
                [
                    (2, 1, "", nil, 1), (2, 3, "", nil, 2), (2, 9, "", nil, 2), (2, 4, "later", nil, 4),
                    (2, 4, "buy", nil, 3), (2, 7, "order", 5, 6), (2, 7, "visit", 7, 5), (2, 5, "", nil, 9),
                    (3, 6, "answer", nil, 1), (3, 9, "", nil, 1), (8, 7, "visit", nil, 1), (9, 8, "", nil, 1),
                    (77, 3, "", nil, 1),  // No recipient of the run.
                ])
            #expect(
                try await Self.rows(
                    """
                    to_char(opened_at AT TIME ZONE 'UTC', 'HH24:MI'), engaged, acted, coalesce(action, '-'), replied,
                    conversions, coalesce(value, -1), delivered_at IS NULL, dismissed_at IS NULL, influenced_at IS NULL,
                    to_char(engaged_at AT TIME ZONE 'UTC', 'HH24:MI')
                    """, "run_id = \(run) AND device_id IN (1, 2, 3, 8, 9)", fixture) == [
                        "1 f f - f 0 -1 t t t", "2 10:02 t t buy f 2 12 f f t 10:02", "3 t t answer t 0 -1 t t t 10:01",
                        "8 f f - f 1 -1 t t t", "9 f f - f 0 -1 t t f",
                    ])
        }
    }

    /// Most devices between the first and the last are not in the batch, as with local times.
    @Test func rowsOfASparseBatchAreThoseOfADenseOne() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let run = try await Self.fill(fixture, app: app)
            try await Self.report(fixture, [(2, 3, "", nil, 2), (7, 1, "", nil, 1), (5, 3, "", nil, 1)])
            let columns = "coalesce(user_id, '-'), outcome, opened_at, delivered_at, locale"
            let dense = try await Self.rows(columns, "run_id = \(run) AND device_id IN (2, 7)", fixture)
            try await fixture.pool.execute(
                """
                UPDATE batches SET recipients = '{2,7}', outcomes = '\\x8101', size = 2, accepted = 2, rejected = 0,
                    suppressed = 0, expired = 0, unknown = 0, deferred = 0, first_id = 2, last_id = 1000
                WHERE deferred_from IS NULL
                """)
            #expect(try await Self.rows(columns, "run_id = \(run) AND device_id IN (2, 7)", fixture) == dense)
            #expect(try await Self.rows("outcome", "run_id = \(run)", fixture).count == 3)
        }
    }

    @Test func transactionalPushHasTheUserOfItsTimeAndNoCampaign() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            _ = try await Self.fill(fixture, app: app)
            try await fixture.pool.execute(
                """
                INSERT INTO batches (app_id, message_number, message_key_version, first_id, last_id, size, pending, accepted,
                    suppressed, sent_through, environment, outcomes, recipients, state, due_at)
                SELECT \(app.id), 77, 1, 2, 8, 2, 0, 1, 1, 2, 0, '\\x010a', '{2,8}', 'done', started_at FROM runs
                """)
            try await fixture.pool.execute(
                "INSERT INTO push_recipients (app_id, device_id, message_number) VALUES (\(app.id), 2, 77)")
            try await fixture.pool.execute(
                """
                INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
                SELECT \(app.id), 77, 2, k, now() FROM unnest('{1,3,9}'::int[]) AS k
                """)
            #expect(
                try await Self.rows(
                    "user_id, outcome, coalesce(reason, '-'), opened_at IS NOT NULL, campaign IS NULL, app",
                    "app_id = \(app.id) AND message_number = 77", fixture) == [
                        "2 u2 accepted - t t Shop", "8 u8 suppressed notifications denied f t Shop",
                    ])
            let history = try await fixture.pool.query("SELECT user_id FROM bi.device_history(\(app.id), 2)")
            #expect(try history.map { try $0[0] } == ["u2", "u2"])
            let erased = try await fixture.pool.query("SELECT bi.user_at(\(app.id), 7, now()) IS NULL")
            #expect(try erased[0][0] == true)
        }
    }
}
