import EventLoop
import FoundationEssentials
import TestSupport
import Testing

@testable import Postgres

/// What each kind of migration does to a database that is in use.
@Suite struct MigrationWorkTests {
    private func directory(_ files: String...) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "work-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (index, text) in files.enumerated() {
            try Data(text.utf8).write(to: folder.appending(path: "000\(index + 1)_m.sql"))
        }
        return folder.path()
    }

    private func withEmpty(_ body: (PostgresConnection, PostgresConfiguration) async throws -> Void) async throws {
        try await withConnection { connection, configuration in
            try await connection.queryScript("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            try await body(connection, configuration)
        }
    }

    private static let table = """
        CREATE TABLE m (n int PRIMARY KEY, twice int);
        INSERT INTO m SELECT generate_series(1, 2500)
        """
    private static let index = "-- belfry: index m_twice\nCREATE INDEX CONCURRENTLY m_twice ON m (twice)"
    private static let steps = """
        -- belfry: steps
        UPDATE m SET twice = 2 * n WHERE n IN (SELECT n FROM m WHERE twice IS NULL ORDER BY n LIMIT 1000)
        """

    @Test func stepsAreRepeatedUntilNoRowChanges() async throws {
        try await withEmpty { connection, _ in
            let migrator = try Migrator(directory: directory(Self.table, Self.steps))
            #expect(try await migrator.apply(on: connection).map(\.number) == [1, 2])
            #expect(try await connection.query("SELECT count(*) FROM m WHERE twice = 2 * n")[0][0] == 2500)
            #expect(try await migrator.apply(on: connection).isEmpty)
        }
    }

    /// The first 1,000 rows were committed before the process ended.
    @Test func interruptedStepsGoOnWhereTheyWere() async throws {
        try await withEmpty { connection, _ in
            _ = try await Migrator(directory: directory(Self.table)).apply(on: connection)
            try await connection.execute("UPDATE m SET twice = -1 WHERE n <= 1000")
            _ = try await Migrator(directory: directory(Self.table, Self.steps)).apply(on: connection)
            #expect(try await connection.query("SELECT count(*) FROM m WHERE twice = -1")[0][0] == 1000)
            #expect(try await connection.query("SELECT count(*) FROM m WHERE twice = 2 * n")[0][0] == 1500)
        }
    }

    @Test func interruptedIndexIsBuiltAnew() async throws {
        try await withEmpty { connection, _ in
            _ = try await Migrator(directory: directory(Self.table)).apply(on: connection)
            // What is left when a process is killed while PostgreSQL builds.
            try await connection.queryScript(
                "CREATE INDEX m_twice ON m (twice); UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'm_twice'::regclass"
            )
            let migrator = try Migrator(directory: directory(Self.table, Self.index))
            #expect(try await migrator.apply(on: connection).count == 1)
            let isValid: Bool = try await connection.query(
                "SELECT indisvalid FROM pg_index WHERE indexrelid = 'm_twice'::regclass")[0][0]
            #expect(isValid)
        }
    }

    @Test func severalProcessesApplyEachKindOnce() async throws {
        try await withEmpty { connection, configuration in
            let migrator = try Migrator(directory: directory(Self.table, Self.index, Self.steps))
            let applied = try await withThrowingTaskGroup(of: [Int32].self) { group in
                for _ in 0..<4 {
                    let other = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
                    group.addTask {
                        let applied = try await migrator.apply(on: other).map(\.number)
                        await other.close()
                        return applied
                    }
                }
                return try await group.reduce([], +)
            }
            #expect(applied.sorted() == [1, 2, 3])
            #expect(try await connection.query("SELECT count(*) FROM m WHERE twice = 2 * n")[0][0] == 2500)
        }
    }

    /// Otherwise every other statement on the table would wait behind the migration.
    @Test func migrationThatGetsNoLockLetsOthersWorkAndTriesAgain() async throws {
        try await withEmpty { connection, configuration in
            _ = try await Migrator(directory: directory(Self.table)).apply(on: connection)
            let holder = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            let reader = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            try await holder.execute("BEGIN")
            _ = try await holder.query("SELECT n FROM m LIMIT 1")
            let migrator = try Migrator(directory: directory(Self.table, "ALTER TABLE m ADD other int"))
            let (waits, told) = AsyncStream.makeStream(of: String.self)
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    try await migrator.apply(on: connection) { told.yield($0) }.count
                }
                #expect(await waits.first { _ in true }?.contains("migration 2") == true)
                // Between two attempts nothing waits for the migration.
                _ = try await reader.query("SELECT n FROM m LIMIT 1")
                try await holder.execute("COMMIT")
                #expect(try await group.next() == 1)
            }
            await holder.close()
            await reader.close()
        }
    }

    @Test func programThatMayNotMigrateSaysWhatIsMissing() async throws {
        try await withEmpty { connection, _ in
            let (old, new) = (directory, try Migrator(directory: directory(Self.table, Self.index)))
            let error = await #expect(throws: MigrationError.self) { try await new.verify(on: connection) }
            #expect(error?.description.contains("the database is at migration 0, and this program needs 2") == true)
            _ = try await Migrator(directory: old(Self.table)).apply(on: connection)
            await #expect(throws: MigrationError.self) { try await new.verify(on: connection) }
            _ = try await new.apply(on: connection)
            try await new.verify(on: connection)
        }
    }

    /// A statement that returns all columns of a table was prepared before one was added.
    @Test func preparedStatementSurvivesANewColumn() async throws {
        try await withEmpty { connection, configuration in
            try await connection.queryScript(Self.table)
            let other = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            for _ in 0..<2 { _ = try await other.query("SELECT * FROM m WHERE n = \(1)") }
            try await connection.execute("ALTER TABLE m ADD other int NOT NULL DEFAULT 7")
            let row = try await other.query("SELECT * FROM m WHERE n = \(1)")[0]
            #expect(try row["other"] == 7)
            await other.close()
        }
    }
}
