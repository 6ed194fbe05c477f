import Postgres
import Store

/// Whether the database has this program's schema.
enum MigrationState: Sendable {
    /// All of this many migrations are applied.
    case current(Int)
    /// All that the program needs are applied; this many are left that take away what older versions need.
    case unfinished(left: Int)
    /// Names of migrations, and how many are applied.
    case pending([String], applied: Int)
    /// `MigrationError`, for example: the schema of another or a newer build.
    case unusable(String)

    static func read(_ migrator: Migrator, on connection: PostgresConnection) async throws(PostgresError)
        -> MigrationState
    {
        do {
            let missing = try await migrator.missing(on: connection)
            let applied = migrator.migrations.count - missing.count
            guard !missing.isEmpty else { return .current(applied) }
            if missing.allSatisfy({ $0.number > migrator.program.needed }) { return .unfinished(left: missing.count) }
            return .pending(missing.map { "\($0.number) (\($0.name))" }, applied: applied)
        } catch let error as MigrationError {
            return .unusable("\(error)")
        } catch let error as PostgresError {
            throw error
        } catch {
            return .unusable("\(error)")
        }
    }

    var finding: DoctorFinding {
        switch self {
        case .current(let count): return .ok(.database, "migrations", "all \(count) are applied")
        case .unfinished(let left):
            return .warning(
                .database, "migrations",
                "the last upgrade is not finished: \(left == 1 ? "one migration is" : "\(left) migrations are") left",
                "When all processes have this version, run belfry migrate --finish.")
        case .pending(_, applied: 0):
            return .warning(
                .database, "migrations", "the database is empty",
                "Start belfry serve, which makes the schema, or run belfry migrate.")
        case .pending(let names, _):
            return .warning(
                .database, "migrations",
                "\(names.count == 1 ? "one is" : "\(names.count) are") pending: \(names.joined(separator: ", "))",
                "Back up the database, then run belfry migrate; serve and work apply them as well when they start.")
        case .unusable(let reason): return .error(.database, "migrations", reason, nil)
        }
    }

    /// Whether the program can run.
    var isCurrent: Bool {
        switch self {
        case .current, .unfinished: true
        case .pending, .unusable: false
        }
    }

    /// Whether there are no tables yet.
    var isEmpty: Bool { if case .pending(_, applied: 0) = self { true } else { false } }
}

extension MessageRangeStore.Supply {
    var finding: DoctorFinding {
        let remedy = "Start belfry serve or belfry work, which create them, and look for errors in their logs."
        guard hasCurrent else {
            return .error(
                .database, "partitions", "there is none for the present pushes and their events, which fail", remedy)
        }
        let message = "\(ahead == 0 ? "none is" : ahead == 1 ? "one is" : "\(ahead) are") ready for the weeks to come"
        return ahead >= wanted
            ? .ok(.database, "partitions", message)
            : .warning(.database, "partitions", "\(message); it should be \(wanted)", remedy)
    }
}
