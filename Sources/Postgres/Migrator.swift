import Crypto
import FoundationEssentials

/// Applies the numbered SQL files of a directory, each once and in order, forward only.
///
/// A file is called `0001_name.sql`; numbers start at 1 without gaps. Each runs in its own
/// transaction that locks the table of migrations, so several processes may start at the same time.
public struct Migrator: Sendable {
    public struct Migration: Hashable, Sendable {
        public let number: Int32
        public let name: String
        /// SHA-256 of the file, in hexadecimal.
        public let checksum: String
        let sql: String
    }

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
                Migration(
                    number: number, name: String(parts[1]), checksum: SHA256.hex(bytes),
                    sql: String(decoding: bytes, as: UTF8.self)))
        }
        migrations = found.sorted { $0.number < $1.number }
        for (index, migration) in migrations.enumerated() where migration.number != index + 1 {
            throw MigrationError.gap(expected: Int32(index + 1), found: migration.number)
        }
    }

    /// Applies missing migrations and returns them. Throws `MigrationError` or `PostgresError`.
    public func apply(on connection: PostgresConnection) async throws -> [Migration] {
        if try await !hasTable(on: connection) { try await createTable(on: connection) }
        guard try next(after: try await recorded(on: connection)) != nil else { return [] }
        var applied: [Migration] = []
        while let migration = try await applyNext(on: connection) { applied.append(migration) }
        return applied
    }

    private func hasTable(on connection: PostgresConnection) async throws(PostgresError) -> Bool {
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
                    applied_at timestamptz NOT NULL DEFAULT now())
                """)
        } catch {
            guard try await hasTable(on: connection) else { throw error }
        }
    }

    private func applyNext(on connection: PostgresConnection) async throws -> Migration? {
        try await connection.transaction { connection -> Migration? in
            try await takeLock(on: connection)
            guard let migration = try next(after: try await recorded(on: connection)) else { return nil }
            do throws(PostgresError) {
                try await connection.queryScript(migration.sql)
            } catch {
                throw MigrationError.failed(migration.number, migration.name, error)
            }
            try await connection.execute(
                """
                INSERT INTO schema_migrations (number, name, checksum)
                VALUES (\(migration.number), \(migration.name), \(migration.checksum))
                """)
            return migration
        }
    }

    /// The migration to apply next; nil if all are applied. `recorded` are the applied migrations, in order.
    func next(after recorded: [(number: Int32, name: String, checksum: String)]) throws(MigrationError) -> Migration? {
        for (index, old) in recorded.enumerated() {
            guard old.number == index + 1 else { throw .gap(expected: Int32(index + 1), found: old.number) }
            guard index < migrations.count else {
                throw .databaseIsNewer(database: recorded.last?.number ?? 0, files: Int32(migrations.count))
            }
            guard migrations[index].checksum == old.checksum else { throw .changed(old.number, old.name) }
        }
        return recorded.count < migrations.count ? migrations[recorded.count] : nil
    }

    /// Others can read the table meanwhile.
    private func takeLock(on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.execute("LOCK TABLE schema_migrations IN EXCLUSIVE MODE")
    }

    private func recorded(
        on connection: PostgresConnection
    ) async throws(PostgresError) -> [(number: Int32, name: String, checksum: String)] {
        let rows = try await connection.query(
            "SELECT number, name, checksum FROM schema_migrations ORDER BY number")
        var recorded: [(number: Int32, name: String, checksum: String)] = []
        for row in rows { recorded.append((try row[0], try row[1], try row[2])) }
        return recorded
    }

    private static func files(in directory: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: directory) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".sql") }
    }
}

/// The reason why the migrations could not be applied.
public enum MigrationError: Error, CustomStringConvertible {
    case badName(String)
    case unreadable(String)
    case gap(expected: Int32, found: Int32)
    case changed(Int32, String)
    case databaseIsNewer(database: Int32, files: Int32)
    case failed(Int32, String, PostgresError)

    /// Whether the database has a schema that this program can neither use nor upgrade.
    public var isAboutAnotherSchema: Bool {
        switch self {
        case .changed, .databaseIsNewer: true
        case .badName, .unreadable, .gap, .failed: false
        }
    }

    public var description: String {
        switch self {
        case .badName(let file): "invalid migration file name \(file); expected a name such as 0001_first.sql"
        case .unreadable(let file): "cannot read the migration \(file)"
        case .gap(let expected, let found): "migration \(expected) is missing; the next one is \(found)"
        case .changed(let number, let name):
            "the database was made by another build: its migration \(number) (\(name)) differs from this build's. Databases of "
                + "builds before the first release are not upgraded; start that build again, or use an empty database"
        case .databaseIsNewer(let database, let files):
            "the database is at migration \(database), but this program knows only \(files); start a newer version"
        case .failed(let number, let name, let error):
            "migration \(number) (\(name)) failed: \(error.withSQL(nil))"
        }
    }
}
