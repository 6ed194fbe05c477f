import FoundationEssentials
import TestSupport
import Testing

@testable import Postgres

/// The decisions: which migration comes next, and which programs work with a schema.
@Suite struct MigrationKindTests {
    private static let expand = "SELECT 1"
    private static let contract = "-- belfry: contract 2\nSELECT 1"

    private func migrator(_ files: String...) throws -> Migrator {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kinds-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (index, text) in files.enumerated() {
            try Data(text.utf8).write(to: folder.appending(path: "000\(index + 1)_m.sql"))
        }
        return try Migrator(directory: folder.path())
    }

    /// As a program with all of these files records the first `count`.
    private func records(_ migrator: Migrator, _ count: Int) -> [Migrator.Record] {
        migrator.migrations.prefix(count).map { migration in
            var oldest: Int32 = 0
            if case .contract(let needs) = migration.kind { oldest = needs }
            return .init(
                number: migration.number, name: migration.name, checksum: migration.checksum, oldestProgram: oldest)
        }
    }

    @Test func firstLineSaysTheKind() throws {
        let migrator = try migrator(
            "CREATE TABLE a ()", "-- belfry: index a_b\nCREATE", "-- belfry: steps\nUPDATE", Self.contract,
            "-- belfry: expand\nALTER")
        #expect(migrator.migrations.map(\.kind) == [.expand, .index("a_b"), .steps, .contract(needs: 2), .expand])
    }

    @Test(arguments: ["shrink", "index", "contract", "contract x", "contract 2", "steps 5", ""])
    func unknownKindIsRefused(_ words: String) {
        #expect(throws: MigrationError.self) { try migrator("SELECT 1", "-- belfry: \(words)\nSELECT 1") }
    }

    @Test func olderProgramWorksWithASchemaThatOnlyAdded() throws {
        let newer = try migrator(Self.expand, Self.expand, "-- belfry: steps\nSELECT 1")
        let older = try migrator(Self.expand, Self.expand)
        #expect(try older.next(after: records(newer, 3), .needed, isNew: false) == nil)
        #expect(older.program.works(with: Migrator.state(records(newer, 3))))
    }

    @Test func olderProgramIsRefusedOnceItsPartsAreGone() throws {
        let newer = try migrator(Self.expand, Self.expand, Self.contract)
        let older = try migrator(Self.expand)
        let error = #expect(throws: MigrationError.self) {
            try older.next(after: records(newer, 3), .needed, isNew: false)
        }
        #expect(
            error?.description.contains("works with programs of schema 2 or newer, but this program has schema 1")
                == true)
        #expect(!older.program.works(with: Migrator.state(records(newer, 3))))
        // The program before that one knows nothing of the contract, and does not need what it took away.
        #expect(try migrator(Self.expand, Self.expand).next(after: records(newer, 3), .needed, isNew: false) == nil)
    }

    @Test func contractWaitsUntilItIsAskedForExceptInANewDatabase() throws {
        let migrator = try migrator(Self.expand, Self.expand, Self.contract)
        #expect(try migrator.next(after: records(migrator, 2), .needed, isNew: false) == nil)
        #expect(migrator.program.works(with: Migrator.state(records(migrator, 2))))
        #expect(try migrator.next(after: records(migrator, 2), .all, isNew: false)?.number == 3)
        #expect(try migrator.next(after: records(migrator, 2), .needed, isNew: true)?.number == 3)
    }

    @Test func neededMigrationBehindAContractAsksForTheEndOfTheEarlierUpgrade() throws {
        let migrator = try migrator(Self.expand, Self.expand, Self.contract, Self.expand)
        let error = #expect(throws: MigrationError.self) {
            try migrator.next(after: records(migrator, 2), .needed, isNew: false)
        }
        #expect(error?.description.contains("belfry migrate --finish") == true)
        #expect(try migrator.next(after: records(migrator, 2), .all, isNew: false)?.number == 3)
    }

    @Test func programNeedsItsLastMigrationThatAdds() throws {
        let migrator = try migrator(Self.expand, Self.expand, Self.contract)
        #expect(migrator.program == ProgramSchema(number: 3, needed: 2))
        #expect(!migrator.program.works(with: Migrator.state(records(migrator, 1))))
    }
}
