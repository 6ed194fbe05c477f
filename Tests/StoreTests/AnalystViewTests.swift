import Campaigns
import Postgres
import StoreSupport
import Testing

@testable import Store

/// The views for analysts, and the role that reads them.
struct AnalystViewTests {
    /// A run with three recipients, one of whom was deferred; two acknowledged. And a transactional push.
    private static func fill(_ fixture: StoreFixture) async throws -> Run.ID {
        let app = try await fixture.app()
        try await fixture.pool.execute(
            """
            INSERT INTO devices (app_id, environment, installation, token, kind, authorization_status, tags)
            SELECT \(app.id), 1, 'phone ' || n, int8send(n), 1, 3, '{vip}' FROM generate_series(1, 3) AS n
            """)
        let run = try await fixture.run(of: fixture.campaign(of: app, state: .sending))
        let early = try await fixture.batch(of: run, app: app.id, outcomes: [45, 1 | 0x80, 2])
        try await fixture.batch(of: run, app: app.id, first: 3, outcomes: [1], deferredFrom: early)
        try await fixture.pool.execute(
            """
            INSERT INTO batches (app_id, message_number, message_key_version, first_id, last_id, size, pending, accepted,
                sent_through, environment, outcomes, recipients, state)
            VALUES (\(app.id), 77, 1, 2, 2, 1, 0, 1, 1, 0, '\\x01', '{2}', 'done')
            """)
        try await fixture.pool.execute(
            """
            INSERT INTO push_recipients (app_id, device_id, message_number)
            SELECT app_id, 2, message_number FROM batches WHERE message_number = 77
            """)
        try await fixture.pool.execute(
            """
            INSERT INTO events (app_id, message_number, device_id, kind, happened_at)
            SELECT \(app.id), coalesce(e.number, r.message_number), e.device, e.kind, now()
            FROM runs r, (VALUES (NULL, 2, 1), (NULL, 2, 3), (NULL, 3, 3), (77, 2, 3)) AS e (number, device, kind)
            """)
        return run
    }

    @Test func everyRecipientHasOneRowWithTheLastOutcome() async throws {
        try await StoreFixture.run { fixture in
            let run = try await Self.fill(fixture)
            let rows = try await fixture.pool.query(
                """
                SELECT concat_ws(' ', device_id, outcome, reason, is_resent, was_deferred) FROM deliveries
                WHERE run_id = \(run) ORDER BY device_id
                """)
            #expect(
                try rows.map { try $0[0] } == [
                    "1 rejected Unregistered f f", "2 accepted  t f", "3 accepted  f t",
                ])
            let deferrals = try await fixture.pool.query("SELECT device_id FROM deferrals WHERE run_id = \(run)")
            #expect(try deferrals.map { try $0[0] as Int64 } == [3])
            let pushes = try await fixture.pool.query(
                "SELECT device_id, outcome FROM deliveries WHERE message_number = 77 AND run_id IS NULL")
            #expect(try pushes.count == 1 && pushes[0][1] == "accepted")
        }
    }

    @Test func obviousJoinFindsTheAcknowledgements() async throws {
        try await StoreFixture.run { fixture in
            let run = try await Self.fill(fixture)
            let rows = try await fixture.pool.query(
                """
                SELECT count(DISTINCT d.device_id), count(DISTINCT a.device_id) FILTER (WHERE a.kind = 'opened')
                FROM deliveries d LEFT JOIN acknowledgements a USING (run_id, device_id)
                WHERE run_id = \(run)
                """)
            #expect(try rows[0][0] == 3 && rows[0][1] == 2)
            let pushes = try await fixture.pool.query(
                """
                SELECT a.kind FROM deliveries d JOIN acknowledgements a USING (app_id, message_number, device_id)
                WHERE d.message_number = 77
                """)
            #expect(try pushes.map { try $0[0] } == ["opened"])
            let history = try await fixture.pool.query(
                """
                SELECT h.outcome, h.run_id IS NULL
                FROM devices_current l CROSS JOIN LATERAL device_history(l.app_id, l.device_id) h
                WHERE l.installation = '~2'
                """)
            #expect(try history.map { try $0[0] } == ["accepted", "accepted"])
            #expect(try history.map { try $0[1] as Bool } == [true, false])
        }
    }

    @Test func devicesHaveTextsInPlaceOfNumbers() async throws {
        try await StoreFixture.run { fixture in
            _ = try await Self.fill(fixture)
            let rows = try await fixture.pool.query(
                "SELECT DISTINCT concat_ws(' ', kind, environment, authorization_status, registered) FROM devices_current"
            )
            #expect(try rows.map { try $0[0] } == ["voip development provisional t"])
        }
    }

    @Test func viewsOfCountsAgreeWithTheAPI() async throws {
        try await StoreFixture.run { fixture in
            let run = try await Self.fill(fixture)
            try await fixture.pool.execute(
                """
                UPDATE runs SET state = 'finished', finished_at = now(), verified_at = now(), targeted = 3, accepted = 2,
                    rejected = 1, suppressed = 0, expired = 0, cancelled = 0, unknown = 0, deferred = 0, resent = 0
                """)
            let app = try await Self.owner(of: run, fixture)
            try await fixture.stores.runHistory.recount(app)
            let record = try await fixture.runs.find(run, app: app)
            let funnel = try await fixture.pool.query("SELECT * FROM campaign_funnel WHERE run_id = \(run)")[0]
            #expect(try funnel["delivered"] == record.delivered && funnel["opened"] == record.opened)
            #expect(try funnel["accepted"] == record.ledger[.accepted] && funnel["is_verified"] == true)
            let totals = try #require(
                try await fixture.stores.counts.totals(app: app, .init(), by: .total).first?.counts)
            for (view, condition) in [
                ("events_daily", "true"), ("breakdowns", "dimension = 'total'"), ("events_by_quarter", "true"),
            ] {
                let isNamed = view != "events_daily"
                let sums: [(String, Measure)] = [("opened", .opened), ("accepted", .accepted), ("rejected", .rejected)]
                for (name, measure) in sums {
                    let sum = isNamed ? "sum(count) FILTER (WHERE measure = '\(name)')" : "sum(\(name))"
                    let rows = try await fixture.pool.query(
                        PostgresQuery(unescaped: "SELECT coalesce(\(sum), 0)::bigint FROM \(view) WHERE \(condition)"))
                    #expect(try rows[0][0] == totals[measure], "\(name) of \(view)")
                }
            }
            let new = try await fixture.pool.query("SELECT sum(new)::bigint FROM devices_daily")
            #expect(try new[0][0] == 3)
        }
    }

    private static func owner(of run: Run.ID, _ fixture: StoreFixture) async throws -> App.ID {
        try await fixture.pool.query("SELECT app_id FROM runs WHERE id = \(run)")[0][0]
    }

    @Test func analystRoleIsCreatedOnceAndLeavesPrivilegedRolesAlone() async throws {
        try await StoreFixture.run { fixture in
            // Roles belong to the server, which the tests share.
            let name = "analyst_of_test_\(UInt32.random(in: 0...UInt32.max))"
            let roles = fixture.stores.analystRoles
            #expect(try await roles.grant(to: name, password: nil, first: "it's") == .created(unlimited: []))
            #expect(try await roles.grant(to: name, password: nil, first: "other") == .updated(unlimited: []))
            let owner: String = try await fixture.pool.query("SELECT current_user::text")[0][0]
            let isSuper = try await roles.grant(to: owner, password: nil, first: "x")
            #expect(isSuper == .privileged)
            // One that belongs to another, replicates, or owns something in another database.
            for (make, undo): (String, String) in [
                ("GRANT \(owner) TO \(name)", "REVOKE \(owner) FROM \(name)"),
                ("ALTER ROLE \(name) REPLICATION", "ALTER ROLE \(name) NOREPLICATION"),
                ("GRANT INSERT ON events TO \(name)", "REVOKE INSERT ON events FROM \(name)"),
            ] {
                try await fixture.pool.execute(PostgresQuery(unescaped: make))
                #expect(try await roles.grant(to: name, password: "new", first: "x") == .privileged, "\(make)")
                try await fixture.pool.execute(PostgresQuery(unescaped: undo))
            }
            let may = try await fixture.pool.query(
                """
                SELECT has_table_privilege(\(name), 'campaign_funnel', 'SELECT'),
                    has_table_privilege(\(name), 'api_keys', 'SELECT'), has_column_privilege(\(name), 'devices', 'token', 'SELECT')
                """)[0]
            #expect(try may[0] == true && may[1] == false && may[2] == false)
            try await fixture.pool.execute("DROP OWNED BY \(unescaped: name)")
            try await fixture.pool.execute("DROP ROLE \(unescaped: name)")
        }
        for name in ["", "1a", "pg_x", "Ada", "a-b", "a\"b", String(repeating: "a", count: 64)] {
            #expect(!AnalystRoleStore.isRoleName(name))
        }
        #expect(AnalystRoleStore.isRoleName("analyst_1"))
    }

    /// Every table is either granted or has a reason not to be.
    @Test func readerReadsWithoutSecretsAndChangesNothing() async throws {
        let secret: Set = [
            "api_keys", "app_quarters", "audit_log", "counted_events", "counted_outcomes", "credentials",
            "database_identity", "day_totals", "deleted_apps", "device_days", "device_replies", "idempotency_keys",
            "message_ranges",
            "identity_keys", "instance", "known_networks", "locks", "media_pieces", "message_keys", "message_totals",
            "processes",
            "profile_values", "provider_tokens", "push_keys", "quarter_counts", "quarter_days", "rate_limits",
            "recounted_app_quarters",
            "recounted_message_totals", "recounted_run_minutes", "run_minutes", "schema_migrations", "sessions",
            "sign_in_links", "suspect_tokens", "user_roles", "users",
        ]
        try await StoreFixture.run { fixture in
            _ = try await Self.fill(fixture)
            await #expect(throws: RolledBack.self) {
                try await fixture.pool.transaction { connection in
                    try await connection.execute("CREATE ROLE reader_of_a_test")
                    _ = try await connection.query("SELECT grant_reading('reader_of_a_test')")
                    let denied = try await connection.query(
                        """
                        SELECT c.relname::text FROM pg_class c
                        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
                            AND NOT has_any_column_privilege('reader_of_a_test', c.oid, 'SELECT')
                        """)
                    #expect(Set(try denied.map { try $0[0] as String }) == secret)
                    let changed = try await connection.query(
                        """
                        SELECT c.relname::text FROM pg_class c
                        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
                            AND has_table_privilege('reader_of_a_test', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
                        """)
                    #expect(changed.isEmpty)
                    let columns = try await connection.query(
                        """
                        SELECT attname::text FROM pg_attribute
                        WHERE attrelid IN ('devices'::regclass, 'media'::regclass) AND attnum > 0
                            AND NOT has_column_privilege('reader_of_a_test', attrelid, attname, 'SELECT')
                        """)
                    #expect(
                        Set(try columns.map { try $0[0] as String }) == [
                            "token", "capability", "hash", "installation", "imported_as_of",
                        ])
                    try await connection.execute("SET LOCAL ROLE reader_of_a_test")
                    #expect(try await connection.query("SELECT * FROM deliveries").count == 4)
                    #expect(try await connection.query("SELECT * FROM devices_current").count == 3)
                    throw RolledBack()
                }
            }
        }
    }

    private struct RolledBack: Error {}
}
