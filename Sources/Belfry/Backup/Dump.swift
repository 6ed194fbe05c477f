import EventLoop
import Foundation
import Postgres

/// A dump of pg_dump in a directory, which is put back.
///
/// The rows of the table of migrations are put back last. So a restore that was broken off leaves a database that no
/// Belfry starts with.
struct Dump {
    static let lastTable = "schema_migrations"
    /// Roles belong to the server, not to the database. Whoever restores owns everything, and analysts get their rights
    /// again.
    private static let options = ["--exit-on-error", "--no-owner", "--no-privileges", "--no-password"]

    let program: PostgresProgram
    let connection: PostgresConfiguration.ForPrograms
    let jobs: Int
    let directory: String
    let progress: StepProgress

    /// `check` runs when everything is there but the rows of the last table.
    func restore(to database: String, check: () async throws -> Void) async throws {
        let list = FileManager.default.temporaryDirectory.path + "/belfry-restore-\(UUID().uuidString)"
        defer { unlink(list) }
        try await program.run(["--list", "--file=\(list)", directory])
        let entries = try TextFile.read(list).split(separator: "\n").filter { !$0.hasPrefix(";") }
        let last = entries.filter { $0.contains(" TABLE DATA public \(Self.lastTable) ") }
        guard last.count == 1 else { throw CommandFailure("The dump in \(directory) has no table of migrations.") }
        let others = entries.filter { !last.contains($0) }

        try TextFile.write(others.joined(separator: "\n") + "\n", to: list, isSecret: true)
        let finished = Lock(0)
        try await progress.step(
            "restoring \(others.count) objects into the database \(database), in \(jobs) sessions",
            state: { "\(finished.withLock { $0 }) of \(others.count) done" }
        ) {
            try await run(["--use-list=\(list)", "--jobs=\(jobs)", "--verbose"]) { line in
                if line.contains("finished item ") || line.contains(": creating ") { finished.withLock { $0 += 1 } }
            }
        }
        try await check()
        try TextFile.write(last.joined() + "\n", to: list, isSecret: true)
        try await run(["--use-list=\(list)"]) { _ in }
    }

    private func run(_ arguments: [String], onLine: @escaping @Sendable (String) -> Void) async throws {
        try await program.run(
            Self.options + arguments + ["--dbname=\(connection.connection)", directory],
            environment: connection.environment, onLine: onLine)
    }
}
