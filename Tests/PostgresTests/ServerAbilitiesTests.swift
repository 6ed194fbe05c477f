import FoundationEssentials
import TestSupport
import Testing

@testable import Postgres

/// Servers that were built without lz4, or don't let the role call some functions.
@Suite struct ServerAbilitiesTests {
    private static let migrations = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Migrations").standardized.path()

    private func text(of number: Int32) throws -> String {
        try #require(try Migrator(directory: Self.migrations).migrations.first { $0.number == number }).sql
    }

    @Test func serverWithEverythingGetsTheTextOfTheFile() throws {
        for migration in try Migrator(directory: Self.migrations).migrations {
            #expect(ServerAbilities().adapted(migration.sql) == migration.sql)
        }
    }

    @Test func nothingIsCompressedWithLZ4WithoutIt() throws {
        var abilities = ServerAbilities()
        abilities.hasLZ4 = false
        #expect(try text(of: 1).contains("COMPRESSION lz4"))
        for migration in try Migrator(directory: Self.migrations).migrations {
            #expect(!abilities.adapted(migration.sql).contains("lz4"))
        }
    }

    @Test func functionsThatTheRoleMayNotCallAreNotCalled() throws {
        let abilities = ServerAbilities(hasLZ4: true, hasSystemIdentifier: false, hasTimeline: false)
        for migration in try Migrator(directory: Self.migrations).migrations {
            let adapted = abilities.adapted(migration.sql)
            #expect(!adapted.contains("pg_control_system"))
            // The function `present_timeline` handles the refusal by itself.
            #expect(!adapted.contains("pg_walfile_name") || migration.number == 49)
        }
    }

    /// As providers of PostgreSQL set it up. Functions belong to a database, so others are not affected.
    @Test func roleWithoutAccessToTheServersStateGetsTheWholeSchema() async throws {
        try await withConnection { admin, configuration in
            let role = "app_\(configuration.database ?? "")"
            try await admin.queryScript(
                """
                DROP SCHEMA public, bi CASCADE;
                CREATE ROLE \(role) LOGIN PASSWORD 'test';
                CREATE SCHEMA public AUTHORIZATION \(role);
                GRANT CREATE ON DATABASE \(configuration.database ?? "") TO \(role);
                REVOKE EXECUTE ON FUNCTION pg_control_system(), pg_current_wal_lsn(), pg_walfile_name(pg_lsn)
                    FROM PUBLIC;
                """)
            var own = configuration
            own.user = role
            own = try PostgresConfiguration("\(own) password=test")
            let connection = try await PostgresConnection.connect(own, on: admin.loop, logger: quiet)
            let found = try await ServerAbilities.find(on: connection)
            #expect(!found.hasSystemIdentifier && !found.hasTimeline)

            let migrator = try Migrator(directory: Self.migrations)
            let applied = try await migrator.apply(on: connection)

            #expect(applied.count == migrator.migrations.count)
            let identity = try await connection.query("SELECT 1 FROM database_identity WHERE timeline IS NULL")
            #expect(identity.count == 1)
            await connection.close()
            try await admin.queryScript("DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)")
        }
    }

    /// The server of the tests may have lz4 or not; what the columns use must agree with that.
    @Test func columnsUseLZ4WhereTheServerHasIt() async throws {
        try await withConnection { connection, _ in
            let hasLZ4 = try await ServerAbilities.find(on: connection).hasLZ4
            let columns = try await connection.query(
                """
                SELECT attcompression::text FROM pg_attribute
                WHERE attrelid = 'batches'::regclass AND attname IN ('outcomes', 'recipients')
                """)
            #expect(columns.count == 2)
            for column in columns { #expect(try column.value(0, String.self) == (hasLZ4 ? "l" : "")) }
        }
    }
}
