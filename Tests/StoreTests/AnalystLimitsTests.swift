import Administration
import Campaigns
import Logging
import Postgres
import StoreSupport
import TestSupport
import Testing

@testable import Store

/// A role of analysts can't stop the server.
struct AnalystLimitsTests {
    /// A session of a new role, which is removed afterwards.
    private static func withAnalyst(
        _ body: @escaping @Sendable (StoreFixture, PostgresConnection, String) async throws -> Void
    ) async throws {
        try await StoreFixture.run { fixture in
            // Roles belong to the server, which the tests share.
            let name = "analyst_of_test_\(UInt32.random(in: 0...UInt32.max))"
            #expect(
                try await fixture.stores.analystRoles.grant(to: name, password: nil, first: "secret")
                    == .created(unlimited: []))
            var configuration = fixture.pool.configuration
            configuration.user = name
            configuration = try PostgresConfiguration("\(configuration) password=secret")
            configuration.allowsReadOnly = true
            let connection = try await PostgresConnection.connect(
                configuration, on: fixture.pool.loop, logger: Logger(label: "test"))
            let result: Result<Void, any Error>
            do { result = .success(try await body(fixture, connection, name)) } catch { result = .failure(error) }
            await connection.close()
            try await fixture.pool.execute("DROP OWNED BY \(unescaped: name)")
            try await fixture.pool.execute("DROP ROLE \(unescaped: name)")
            try result.get()
        }
    }

    @Test func otherDatabasesThatTheRoleCanOpenAreNamed() async throws {
        try await Self.withAnalyst { fixture, _, name in
            let roles = fixture.stores.analystRoles
            let others = try await roles.otherDatabases(of: name)
            #expect(others.contains("postgres") && !others.contains("template0"))
            let own: String = try await fixture.pool.query("SELECT current_database()::text")[0][0]
            #expect(!others.contains(own))
            // A superuser can open all, a role without a right to connect none.
            let closed = "closed_\(own)"
            try await fixture.pool.execute("CREATE DATABASE \(unescaped: closed)")
            #expect(try await roles.otherDatabases(of: name).contains(closed))
            try await fixture.pool.execute("REVOKE CONNECT ON DATABASE \(unescaped: closed) FROM PUBLIC")
            #expect(try await !roles.otherDatabases(of: name).contains(closed))
            try await fixture.pool.execute("DROP DATABASE \(unescaped: closed)")
        }
    }

    private static let refused = [
        "SELECT pg_advisory_lock(27692727011014913)", "SELECT pg_advisory_xact_lock(1)",
        "SELECT pg_try_advisory_lock(1, 2)", "SELECT pg_advisory_lock_shared(1)", "SELECT pg_advisory_unlock_all()",
        "SELECT lo_creat(-1)", "SELECT lo_from_bytea(0, 'x')", "SELECT pg_logical_emit_message(false, 'a', 'b')",
        "CREATE TEMPORARY TABLE t (n int)", "CREATE TABLE t (n int)", "CREATE SCHEMA s",
        "SELECT * FROM public.locks FOR UPDATE", "SELECT * FROM public.locks", "LOCK TABLE public.runs IN SHARE MODE",
        "LOCK TABLE public.schema_migrations IN ACCESS SHARE MODE", "SELECT * FROM public.runs FOR UPDATE",
        "SELECT public.present_generation()", "SELECT * FROM apps FOR KEY SHARE", "SET temp_file_limit = -1",
    ]

    @Test func analystMayNeitherLockNorFillTheServer() async throws {
        try await Self.withAnalyst { _, analyst, _ in
            for statement in Self.refused {
                try await analyst.execute("BEGIN READ WRITE")
                let error = await #expect(throws: PostgresError.self) {
                    _ = try await analyst.query(PostgresQuery(unescaped: statement))
                }
                #expect(error?.sqlState == "42501", "\(statement)")
                try await analyst.execute("ROLLBACK")
            }
        }
    }

    @Test func analystHasLimitsAndThoseOfAnAdministratorStay() async throws {
        try await Self.withAnalyst { fixture, analyst, name in
            let limits = try await analyst.query(
                """
                SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
                    current_setting('idle_in_transaction_session_timeout'), current_setting('idle_session_timeout'),
                    current_setting('temp_file_limit'), current_setting('default_transaction_read_only'),
                    current_setting('search_path'), current_setting('jit'),
                    (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user)::text
                """)[0]
            let texts = try (0..<9).map { column in try limits[column, as: String.self] }
            #expect(texts == ["5min", "5s", "1min", "1h", "2GB", "on", "bi", "off", "10"])
            try await fixture.pool.execute("ALTER ROLE \(unescaped: name) SET statement_timeout = '2h'")
            _ = try await fixture.stores.analystRoles.grant(to: name, password: nil, first: "")
            let kept = try await fixture.pool.query(
                """
                SELECT c FROM pg_db_role_setting r, unnest(r.setconfig) AS c
                WHERE setrole = \(name)::regrole AND starts_with(c, 'statement_timeout')
                """)
            #expect(try kept.map { try $0[0, as: String.self] } == ["statement_timeout=2h"])
        }
    }

    /// What the analyst did: registrations, sign-ins and audited changes go on while every lock that the analyst
    /// can take is taken, and a transaction stays open.
    @Test func openTransactionOfAnAnalystStopsNobodyAndIsEnded() async throws {
        try await Self.withAnalyst { fixture, analyst, _ in
            let app = try await fixture.app()
            try await analyst.execute("BEGIN")
            _ = try await analyst.query("SELECT count(*) FROM campaign_funnel, acknowledgements, devices_current, apps")
            let stored = try await fixture.stores.registrations.store([try .make("i-1", app: app.id)])
            #expect(stored.count == 1)
            try await fixture.stores.audit.add(
                AuditEntry(actor: .init(.user, id: 1, name: "ada"), action: "x", resource: "/v1/x"))
            try await fixture.stores.messageRanges.maintain()
            #expect(try await fixture.stores.analystRoles.endLongTransactions() == 0)
            #expect(try await fixture.stores.analystRoles.endLongTransactions(after: .zero) == 1)
            await #expect(throws: PostgresError.self) { _ = try await analyst.query("SELECT 1") }
        }
    }

    /// A session that listens in a transaction keeps every notification of others in PostgreSQL's queue.
    @Test func transactionsEndWhenNotificationsFillTheirQueue() async throws {
        try await Self.withAnalyst { fixture, analyst, _ in
            try await analyst.execute("LISTEN x")
            try await analyst.execute("BEGIN")
            _ = try await analyst.query("SELECT 1")
            let analysts = fixture.stores.analystRoles
            #expect(try await analysts.endLongTransactions(orIfNotificationsFill: 0.05) == 0)
            #expect(try await analysts.endLongTransactions(orIfNotificationsFill: -1) == 1)
        }
    }

    @Test func everyLockHasItsRow() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            let rows = try await fixture.pool.query("SELECT app_id, name FROM locks")
            let found = Set(try rows.map { "\(try $0[0, as: Int64.self]) \(try $0[1, as: String.self])" })
            let all =
                RowLock.allCases.map { "0 \($0.rawValue)" } + RowLock.OfApp.allCases.map { "\(app.id) \($0.rawValue)" }
            #expect(found == Set(all))
        }
    }

    @Test func lockIsHeldUntilTheTransactionEnds() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.pool.transaction { connection in
                let held = try await connection.query(RowLock.audit.wait).count
                let others = try await fixture.pool.query(RowLock.audit.attempt).count
                let another = try await fixture.pool.query(RowLock.reader.attempt).count
                #expect([held, others, another] == [1, 0, 1])
            }
            #expect(try await fixture.pool.query(RowLock.audit.attempt).count == 1)
        }
    }

    /// No statement of the program takes a lock that any role may take.
    @Test func programUsesNoAdvisoryLocks() async throws {
        try await StoreFixture.run { fixture in
            let functions = try await fixture.pool.query(
                """
                SELECT proname::text FROM pg_proc
                WHERE pronamespace = 'public'::regnamespace AND prosrc LIKE '%PERFORM pg\\_%advisory%'
                """)
            #expect(try functions.map { try $0[0, as: String.self] } == [])
        }
    }
}
