import FoundationEssentials
import Postgres
import TestSupport
import Testing

/// The schema on servers that were built without lz4, or don't let the role call some functions.
@Suite struct LimitedServerTests {
    private static let migrations = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Migrations").standardized.path()

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
            for refused in ["pg_control_system()", "pg_current_wal_lsn()"] {
                await #expect(throws: PostgresError.self) {
                    try await connection.query("SELECT \(unescaped: refused)")
                }
            }

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
            let methods = try await connection.query(
                "SELECT 1 FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)")
            #expect(try await compression(on: connection) == (methods.isEmpty ? "" : "l"))
        }
    }

    /// A server without lz4 refuses each statement that names it. Here the question to the server finds nothing.
    @Test func nothingIsCompressedWithLZ4WithoutIt() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "migrations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.migrations) {
            let text = try String(contentsOfFile: "\(Self.migrations)/\(name)", encoding: .utf8)
            try text.replacing("'lz4' = ANY (enumvals)", with: "false").replacing(
                "COMPRESSION lz4", with: "COMPRESSION missing"
            )
            .write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        try await withConnection { connection, _ in
            try await connection.queryScript("DROP SCHEMA public, bi CASCADE; CREATE SCHEMA public")
            _ = try await Migrator(directory: folder.path()).apply(on: connection)
            #expect(try await compression(on: connection) == "")
        }
    }

    /// PostgreSQL's letter for the compression of the columns of batches; empty: the server's default.
    private func compression(on connection: PostgresConnection) async throws -> String? {
        let columns = try await connection.query(
            """
            SELECT DISTINCT attcompression::text FROM pg_attribute
            WHERE attrelid = 'batches'::regclass AND attname IN ('outcomes', 'recipients')
            """)
        #expect(columns.count == 1)
        return try columns.first?.value(0, String.self)
    }
}
