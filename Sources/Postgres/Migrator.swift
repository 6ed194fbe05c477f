import Crypto
import EventLoop
import FoundationEssentials

/// Applies the numbered SQL files of a directory, each once and in order, forward only.
///
/// A file is called `0001_name.sql`; numbers start at 1 without gaps. Several processes may do so at the same time, and
/// programs of older versions may go on running: `Migration.Kind` says how far. Docs/decisions/upgrades.md explains it.
public struct Migrator: Sendable {
    /// Attempts to get the locks of a migration, each for `lockWait`, with a pause of as long between two.
    static let maximumLockAttempts = 30
    /// Statements of other sessions wait behind one that waits for a lock, so it must not wait for long.
    static let lockWait = Duration.seconds(2)

    public let migrations: [Migration]

    /// Reads the directory. A missing or empty directory has no migrations. Throws `MigrationError`.
    public init(directory: String) throws {
        var found: [Migration] = []
        for file in try Self.files(in: directory) {
            let parts = file.dropLast(4).split(separator: "_", maxSplits: 1)
            guard parts.count == 2, parts[0].count == 4, let number = Int32(parts[0]), number > 0 else {
                throw MigrationError.badName(file)
            }
            guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(file)") else {
                throw MigrationError.unreadable(file)
            }
            found.append(
                try Migration(
                    number: number, name: String(parts[1]), checksum: SHA256.hex(bytes),
                    sql: String(decoding: bytes, as: UTF8.self)))
        }
        migrations = found.sorted { $0.number < $1.number }
        for (index, migration) in migrations.enumerated() where migration.number != index + 1 {
            throw MigrationError.gap(expected: Int32(index + 1), found: migration.number)
        }
    }

    private static func files(in directory: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: directory) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".sql") }
    }

    /// The schemas with which a program with these files works.
    public var program: ProgramSchema {
        ProgramSchema(
            number: Int32(migrations.count), needed: migrations.last { !$0.kind.isContract }?.number ?? 0)
    }

    // MARK: Decisions

    /// A migration as the database has it recorded.
    struct Record: Equatable {
        let number: Int32
        let name: String
        let checksum: String
        let oldestProgram: Int32
    }

    /// How far to go.
    public enum Extent: Sendable {
        /// All that this program needs. A migration that takes something away is left to `all`, except in a new database.
        case needed
        /// All. The caller knows that no program runs that needs what is taken away.
        case all
    }

    /// The migration to apply next; nil if the program can run. `recorded` are the applied ones, in order. `isNew` is
    /// true for a database that was empty when the caller began.
    func next(after recorded: [Record], _ extent: Extent, isNew: Bool) throws(MigrationError) -> Migration? {
        for (index, old) in recorded.enumerated() {
            guard old.number == index + 1 else { throw .gap(expected: Int32(index + 1), found: old.number) }
            guard index < migrations.count else { break }
            guard migrations[index].checksum == old.checksum else { throw .changed(old.number, old.name) }
        }
        let state = Self.state(recorded)
        guard state.oldestProgram <= migrations.count else {
            throw .databaseIsNewer(
                database: state.number, oldestProgram: state.oldestProgram, files: Int32(migrations.count))
        }
        guard recorded.count < migrations.count else { return nil }
        let next = migrations[recorded.count]
        guard next.kind.isContract, extent == .needed, !isNew else { return next }
        guard program.works(with: state) else {
            throw .contractIsPending(next.number, next.name, needed: program.needed)
        }
        return nil
    }

    static func state(_ recorded: [Record]) -> SchemaState {
        SchemaState(
            number: recorded.last?.number ?? 0, oldestProgram: recorded.map(\.oldestProgram).max() ?? 0)
    }

    // MARK: Applying

    /// Applies missing migrations and returns them. `onProgress` gets a sentence now and then while one takes long.
    /// Throws `MigrationError` or `PostgresError`.
    public func apply(
        _ extent: Extent = .needed, on connection: PostgresConnection,
        onProgress: @Sendable (String) -> Void = { _ in }
    ) async throws -> [Migration] {
        if try await !hasTable(on: connection) { try await createTable(on: connection) }
        let before = try await recorded(on: connection)
        let work = MigrationWork(migrator: self, extent: extent, isNew: before.isEmpty, connection: connection)
        var applied: [Migration] = []
        while let migration = try next(
            after: try await recorded(on: connection), extent, isNew: before.isEmpty)
        {
            if try await work.apply(migration, onProgress: onProgress) { applied.append(migration) }
        }
        return applied
    }

    /// Throws a `MigrationError` unless the program can work with the database as it is.
    public func verify(on connection: PostgresConnection) async throws {
        let recorded = try await hasTable(on: connection) ? try await recorded(on: connection) : []
        _ = try next(after: recorded, .all, isNew: false)
        let state = Self.state(recorded)
        guard program.works(with: state) else {
            throw MigrationError.notApplied(database: state.number, needed: program.needed)
        }
    }

    func hasTable(on connection: PostgresConnection) async throws(PostgresError) -> Bool {
        try await connection.query("SELECT to_regclass('schema_migrations')::text")[0][0, as: String?.self] != nil
    }

    /// Without a lock: an advisory lock could be taken by every role that may connect. `IF NOT EXISTS` looks first and
    /// creates later. Of several processes that do so at the same time one succeeds, and each other gets an error that
    /// depends on how far it had come: of the table's name, of its type's, or of an index of the catalog. So the table
    /// decides, not the error.
    func createTable(on connection: PostgresConnection) async throws(PostgresError) {
        do throws(PostgresError) {
            try await connection.queryScript(
                """
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    number int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT now(),
                    oldest_program int NOT NULL)
                """)
        } catch {
            guard try await hasTable(on: connection) else { throw error }
        }
    }

    func recorded(on connection: PostgresConnection) async throws -> [Record] {
        let rows: PostgresRows
        do throws(PostgresError) {
            rows = try await connection.query(
                "SELECT number, name, checksum, oldest_program FROM schema_migrations ORDER BY number")
        } catch  where error.sqlState == Self.undefinedColumn {
            // Of a build before the first release.
            throw MigrationError.changed(1, "schema_migrations")
        }
        return try rows.map {
            Record(number: try $0[0], name: try $0[1], checksum: try $0[2], oldestProgram: try $0[3])
        }
    }

    private static let undefinedColumn = "42703"
}
