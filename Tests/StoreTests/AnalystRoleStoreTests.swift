import Campaigns
import Logging
import Postgres
import StoreSupport
import Testing

@testable import Store

@Suite struct AnalystRoleStoreTests {
    @Test func roleThatCantCreateOthersIsToldSoWithoutThePassword() async throws {
        try await StoreFixture.run { fixture in
            let role = "plain_\(fixture.configuration.database ?? "")"
            try await fixture.pool.execute("CREATE ROLE \(unescaped: role) LOGIN PASSWORD 'test'")
            try await fixture.pool.execute("GRANT belfry TO \(unescaped: role)")
            var configuration = fixture.configuration
            configuration.user = role
            configuration = try PostgresConfiguration("\(configuration) password=test")
            let pool = PostgresPool(configuration, on: fixture.loop, logger: Logger(label: "test"))
            let refusal = await #expect(throws: RolesAreForbidden.self) {
                try await AnalystRoleStore(pool: pool).grant(
                    to: "analyst_\(role)", password: nil, first: "three bells at noon")
            }
            #expect(refusal?.description.contains("CREATEROLE") == true)
            await pool.close()
            try await fixture.pool.execute("DROP ROLE \(unescaped: role)")
        }
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
            try await fixture.pool.execute("DROP OWNED BY \(unescaped: name)")
            try await fixture.pool.execute("DROP ROLE \(unescaped: name)")
        }
        for name in ["", "1a", "pg_x", "Ada", "a-b", "a\"b", String(repeating: "a", count: 64)] {
            #expect(!AnalystRoleStore.isRoleName(name))
        }
        #expect(AnalystRoleStore.isRoleName("analyst_1"))
    }

    /// Also a role that could read tables before.
    @Test func readerReadsTheSchemaBIAndNothingElse() async throws {
        try await StoreFixture.run { fixture in
            let app = try await fixture.app()
            _ = try await fixture.stores.registrations.store([try .make("i-1", app: app.id)])
            await #expect(throws: RolledBack.self) {
                try await fixture.pool.transaction { connection in
                    try await connection.execute("CREATE ROLE reader_of_a_test")
                    try await connection.execute("GRANT SELECT ON runs, batches TO reader_of_a_test")
                    try await connection.execute("GRANT SELECT (id, user_id) ON devices TO reader_of_a_test")
                    try await AnalystRoleStore.allowReading("reader_of_a_test", on: connection)
                    let views = try await Self.names(
                        "SELECT relname FROM pg_class WHERE relnamespace = 'bi'::regnamespace", on: connection)
                    #expect(views.count == 23)
                    let readable = try await Self.names(
                        """
                        SELECT format('%s.%s', relnamespace::regnamespace, relname) FROM pg_class
                        WHERE relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
                            AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
                            AND CASE relkind WHEN 'S' THEN has_sequence_privilege('reader_of_a_test', oid, 'SELECT, USAGE')
                                ELSE has_any_column_privilege('reader_of_a_test', oid, 'SELECT') END
                        """, on: connection)
                    #expect(readable == Set(views.map { "bi.\($0)" }))
                    let changeable = try await Self.names(
                        """
                        SELECT relname FROM pg_class
                        WHERE relkind IN ('r', 'p', 'v')
                            AND has_any_column_privilege('reader_of_a_test', oid, 'INSERT, UPDATE, REFERENCES')
                        """, on: connection)
                    #expect(changeable == ["pg_settings"])  // Its rows change the session only.
                    let schemas = try await Self.names(
                        """
                        SELECT nspname FROM pg_namespace
                        WHERE nspname !~ '^(pg_|information_schema)' AND has_schema_privilege('reader_of_a_test', oid, 'USAGE')
                        """, on: connection)
                    #expect(schemas == ["bi"])

                    try await connection.execute("SET LOCAL ROLE reader_of_a_test")
                    for view in views { _ = try await connection.query("SELECT * FROM bi.\(unescaped: view)") }
                    #expect(try await connection.query("SELECT * FROM bi.devices_current").count == 1)
                    _ = try await connection.query("SELECT * FROM bi.device_history(1, 1)")
                    _ = try await connection.query("SELECT bi.user_at(1, 1, now())")
                    throw RolledBack()
                }
            }
        }
    }

    @Test func everyViewFunctionAndColumnOfBIHasAComment() async throws {
        try await StoreFixture.run { fixture in
            let rows = try await fixture.pool.query(
                """
                SELECT c.relname::text, obj_description(c.oid, 'pg_class') FROM pg_class c
                WHERE c.relnamespace = 'bi'::regnamespace
                UNION ALL
                SELECT p.proname, obj_description(p.oid, 'pg_proc') FROM pg_proc p
                WHERE p.pronamespace = 'bi'::regnamespace
                UNION ALL
                SELECT format('%s.%s', c.relname, a.attname), col_description(c.oid, a.attnum)
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE c.relnamespace = 'bi'::regnamespace AND a.attnum > 0
                """)
            #expect(rows.count > 200)
            for row in rows {
                let comment: String? = try row[1]
                let name: String = try row[0]
                #expect(comment?.hasSuffix(".") == true, "\(name)")
            }
        }
    }

    private static func names(_ query: String, on connection: PostgresConnection) async throws -> Set<String> {
        let rows = try await connection.query("SELECT name::text FROM (\(unescaped: query)) AS n (name)")
        return Set(try rows.map { try $0[0, as: String.self] })
    }

    private struct RolledBack: Error {}
}
