import ArgumentParser
import Configuration
import FoundationEssentials

/// The number of sessions with which a backup reads the database, or a restore writes it.
struct JobsOption: ParsableArguments {
    static let limits = 1...64
    /// More rarely help, because one table is most of a database.
    private static let standardMaximum = 4

    @Option(
        help: """
            Sessions of PostgreSQL that work at the same time, from 1 to 64. [BELFRY_BACKUP_JOBS; default: the number of \
            cores, at most 4]
            """)
    var jobs: Int?

    func count(_ reader: ConfigReader) throws -> Int {
        guard let number = jobs ?? reader.int(forKey: "belfry.backup.jobs") else {
            return min(Self.standardMaximum, max(1, ProcessInfo.processInfo.activeProcessorCount))
        }
        guard Self.limits.contains(number) else {
            throw ValidationError("\(number) is not a possible number of jobs; it must be from 1 to 64.")
        }
        return number
    }
}
