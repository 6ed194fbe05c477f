/// The reason why the migrations could not be applied.
public enum MigrationError: Error, CustomStringConvertible {
    case badName(String)
    case badKind(Int32, String)
    case unreadable(String)
    case gap(expected: Int32, found: Int32)
    case changed(Int32, String)
    /// The program works only with databases whose `oldestProgram` is at most the number of its files.
    case databaseIsNewer(database: Int32, oldestProgram: Int32, files: Int32)
    /// The program may not apply the migrations that it needs.
    case notApplied(database: Int32, needed: Int32)
    /// A migration that older programs do not survive comes before one that this program needs.
    case contractIsPending(Int32, String, needed: Int32)
    case failed(Int32, String, PostgresError)
    /// Another transaction had a lock that the migration needs, in all attempts.
    case locked(Int32, String, attempts: Int)

    /// Whether the database has a schema that this program can neither use nor upgrade.
    public var isAboutAnotherSchema: Bool {
        switch self {
        case .changed, .databaseIsNewer: true
        case .badName, .badKind, .unreadable, .gap, .notApplied, .contractIsPending, .failed, .locked: false
        }
    }

    public var description: String {
        switch self {
        case .badName(let file): "invalid migration file name \(file); expected a name such as 0001_first.sql"
        case .badKind(let number, let line):
            "migration \(number) begins with \"\(Migration.marker)\(line)\"; expected expand, steps, \"index NAME\", or "
                + "\"contract N\" with the lowest schema of programs that can run afterwards"
        case .unreadable(let file): "cannot read the migration \(file)"
        case .gap(let expected, let found): "migration \(expected) is missing; the next one is \(found)"
        case .changed(let number, let name):
            "the database was made by another build: its migration \(number) (\(name)) differs from this build's. Databases of "
                + "builds before the first release are not upgraded; start that build again, or use an empty database"
        case .databaseIsNewer(let database, let oldest, let files):
            "the database is at migration \(database), which works with programs of schema \(oldest) or newer, but this "
                + "program has schema \(files); start a newer version"
        case .notApplied(let database, let needed):
            "the database is at migration \(database), and this program needs \(needed), but it may not apply migrations "
                + "itself (--no-migrate). Run belfry migrate of the same version first"
        case .contractIsPending(let number, let name, let needed):
            "migration \(number) (\(name)) ends an earlier upgrade, and this program needs \(needed), which comes after it. "
                + "End all processes of older versions, and run belfry migrate --finish"
        case .failed(let number, let name, let error):
            "migration \(number) (\(name)) failed: \(error.withSQL(nil))"
        case .locked(let number, let name, let attempts):
            "migration \(number) (\(name)) got no lock in \(attempts) attempts, because another transaction has it. End "
                + "long transactions (pg_stat_activity shows them), and start again"
        }
    }
}
