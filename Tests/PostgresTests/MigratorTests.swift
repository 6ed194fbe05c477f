import FoundationEssentials
import TestSupport
import Testing

@testable import Postgres

@Suite struct MigratorTests {
    /// A directory with these files.
    func directory(_ files: [String: String]) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "migrations-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files {
            #expect(FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(text.utf8)))
        }
        return path
    }

    let two = [
        "0001_first.sql": "CREATE TABLE m (n int); INSERT INTO m VALUES (1);",
        "0002_second.sql": "ALTER TABLE m ADD b int",
    ]

    func withEmpty(_ body: (PostgresConnection, PostgresConfiguration) async throws -> Void) async throws {
        try await withConnection { connection, configuration in
            // The template has the repository's own migrations.
            try await connection.queryScript(
                "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            try await body(connection, configuration)
        }
    }

    @Test func eachMigrationIsAppliedOnceInOrder() async throws {
        try await withEmpty { connection, _ in
            let migrator = try Migrator(directory: directory(two))
            #expect(try await migrator.apply(on: connection).map(\.name) == ["first", "second"])
            #expect(try await migrator.apply(on: connection).isEmpty)
            let row = try await connection.query("SELECT count(*), max(length(checksum)) FROM schema_migrations")[0]
            #expect(try row.value(0, Int.self) == 2)
            #expect(try row.value(1, Int.self) == 64)
        }
    }

    @Test func missingMigrationsAreFoundWithoutAChange() async throws {
        try await withEmpty { connection, _ in
            let migrator = try Migrator(directory: directory(two))
            #expect(try await migrator.missing(on: connection).map(\.name) == ["first", "second"])
            let table = try await connection.query("SELECT to_regclass('schema_migrations')::text")
            #expect(try table[0][0, as: String?.self] == nil)
            _ = try await Migrator(directory: directory(["0001_first.sql": two["0001_first.sql"]!])).apply(
                on: connection)
            #expect(try await migrator.missing(on: connection).map(\.name) == ["second"])
            _ = try await migrator.apply(on: connection)
            #expect(try await migrator.missing(on: connection).isEmpty)
        }
    }

    @Test func manyProcessesMayStartTogether() async throws {
        try await withEmpty { _, configuration in
            let path = try directory(two)
            let applied = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        var count = 0
                        try await TestLoop.run { loop in
                            let own = try await PostgresConnection.connect(configuration, on: loop, logger: quiet)
                            count = try await Migrator(directory: path).apply(on: own).count
                            await own.close()
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(applied == 2)
        }
    }

    /// The rounds are for the narrow windows of the race: PostgreSQL refuses the second table, type or index row.
    @Test func processesThatCreateTheTableTogetherAllSucceed() async throws {
        try await withEmpty { connection, configuration in
            let migrator = try Migrator(directory: directory([:]))
            var others: [PostgresConnection] = []
            for _ in 0..<8 {
                others.append(try await .connect(configuration, on: connection.loop, logger: quiet))
            }
            for _ in 0..<60 {
                try await withThrowingTaskGroup(of: Void.self) { [others] group in
                    for other in others { group.addTask { try await migrator.createTable(on: other) } }
                    try await group.waitForAll()
                }
                try await connection.execute("DROP TABLE schema_migrations")
            }
            for other in others { await other.close() }
        }
    }

    /// Every role that may connect can take all advisory locks.
    @Test func advisoryLockOfAnotherRoleDoesNotStopTheFirstStart() async throws {
        try await withEmpty { connection, configuration in
            _ = try await connection.query("SELECT pg_advisory_lock(\(Int64(0x62_65_6c_66_72_79)))")
            let own = try await PostgresConnection.connect(configuration, on: connection.loop, logger: quiet)
            try await own.execute("SET lock_timeout = '1s'")
            #expect(try await Migrator(directory: directory(two)).apply(on: own).count == 2)
            await own.close()
        }
    }

    @Test func changedMigrationIsRefused() async throws {
        try await withEmpty { connection, _ in
            _ = try await Migrator(directory: directory(two)).apply(on: connection)
            let changed = two.merging(["0001_first.sql": "SELECT 1"]) { $1 }
            let error = await #expect(throws: MigrationError.self) {
                try await Migrator(directory: directory(changed)).apply(on: connection)
            }
            #expect(error?.description.contains("its migration 1 (first) differs from this build's") == true)
        }
    }

    @Test func failedMigrationLeavesNothingBehind() async throws {
        try await withEmpty { connection, _ in
            let files = two.merging(["0002_second.sql": "CREATE TABLE half (n int); SELECT nonsense"]) { $1 }
            await #expect(throws: MigrationError.self) {
                try await Migrator(directory: directory(files)).apply(on: connection)
            }
            let found = try await connection.query("SELECT to_regclass('half')::text").value(0, String?.self)
            #expect(found == nil)
            #expect(try await Migrator(directory: directory(two)).apply(on: connection).map(\.number) == [2])
        }
    }

    @Test func gapsAndOddNamesAreRefused() throws {
        #expect(throws: MigrationError.self) {
            try Migrator(directory: directory(["0001_a.sql": "", "0003_c.sql": ""]))
        }
        #expect(throws: MigrationError.self) { try Migrator(directory: directory(["0002_b.sql": ""])) }
        #expect(throws: MigrationError.self) { try Migrator(directory: directory(["1_a.sql": ""])) }
        #expect(try Migrator(directory: "/nonexistent").migrations.isEmpty)
    }
}
