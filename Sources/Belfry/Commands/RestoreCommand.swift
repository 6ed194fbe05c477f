import ArgumentParser
import EventLoop
import JSON
import Logging

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Check a backup and put it into an empty database.",
        discussion: """
            Takes the database and the media directory of the settings; --private-database restores into Belfry's own \
            PostgreSQL. Afterwards, runs that were open are paused, and ask whether to go on.

            Exit status: 0 if everything was restored, 1 if not. A database that was restored in part is used by no Belfry; \
            restore again with --replace.
            """)

    @OptionGroup var options: SettingsOptions
    @OptionGroup var jobs: JobsOption

    @Argument(help: "Directory of the backup.")
    var directory: String

    @Flag(help: "Delete everything that the database has first. All Belfry processes must have ended.")
    var replace = false

    @Flag(help: "Print the result as JSON, for scripts. Progress is on standard error.")
    var json = false

    func run() async throws {
        let loop = try EventLoop(name: "restore")
        defer { loop.stop() }
        let reader = try await options.reader()
        let settings = try options.load(reader, privateDatabase: .ifNamed)
        let run = RestoreRun(
            settings: settings, jobs: try jobs.count(reader), replaces: replace, progress: StepProgress(on: loop),
            loop: loop, logger: Logger.make(level: .warning))
        let outcome = try await withTaskExecutorPreference(loop) { try await run.run(from: directory) }
        if json {
            let answer: JSON = [
                "status": "ok", "database": .string(outcome.database), "manifest": outcome.manifest.json,
                "next": .array(outcome.instructions.map { .string($0) }),
            ]
            print(String(decoding: answer.encoded(), as: UTF8.self))
        } else {
            let manifest = outcome.manifest
            let next = outcome.instructions.enumerated().map { "  \($0.offset + 1). \($0.element)" }
            print(
                """
                The database \(outcome.database) has all \(manifest.rows) rows of the backup of \(manifest.time).
                Next:
                \(next.joined(separator: "\n"))
                """)
        }
    }
}
