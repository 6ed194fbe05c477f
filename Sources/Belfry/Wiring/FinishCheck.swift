import Application
import Postgres
import Store

/// Refuses to finish an upgrade while a process runs that would fail without what the last migrations take away.
struct FinishCheck {
    let migrator: Migrator

    func run(on connection: PostgresConnection) async throws {
        let missing = try await migrator.missing(on: connection)
        // A new database has no processes.
        guard missing.first?.number != 1, let oldest = missing.compactMap(\.oldestProgram).max() else { return }
        let old = try await ProcessStore.running(
            below: oldest, seenWithin: SystemStatus.longestSilence, on: connection)
        guard old.isEmpty else { throw CommandFailure(Self.refusal(old)) }
    }

    private static func refusal(_ old: [(process: ProcessIdentity, silence: Duration)]) -> String {
        let lines = old.map { process, silence in
            """
              \(process.name.printable) (\(process.kind.rawValue), version \(process.version.printable), host \
            \(process.host.printable), PID \(process.pid), seen \(StatusText.length(silence)) ago)
            """
        }
        return """
            \(old.count == 1 ? "A process of an older version runs" : "\(old.count.grouped) processes of older versions run") \
            and would fail without what these migrations take away:
            \(lines.joined(separator: "\n"))
            Nothing was changed. Replace them by this version, and run belfry migrate --finish again. A process that was killed \
            counts for a minute.
            """
    }
}
