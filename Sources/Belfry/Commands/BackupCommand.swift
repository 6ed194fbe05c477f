import ArgumentParser
import EventLoop
import Foundation
import JSON
import Logging

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the database and the media to a directory, or check a backup.",
        discussion: """
            Works while Belfry runs. The directory must be missing or empty; until the backup is complete, it has the suffix \
            ".incomplete". The sealing key is not part of it: keep a copy elsewhere. manifest.json names the keys that are \
            needed.

            Exit status: 0 if the backup is complete, or was found whole; 1 if it failed, or the backup is damaged; 2 if it \
            could not be checked.
            """)

    @OptionGroup var options: SettingsOptions
    @OptionGroup var jobs: JobsOption

    @Argument(help: "Directory of the backup.")
    var directory: String

    @Flag(help: "Check an existing backup: its checksums, and that pg_restore can read it. Needs no database.")
    var verify = false

    @Flag(help: "Print the result as JSON, for scripts. Progress is on standard error.")
    var json = false

    func run() async throws {
        // The files are for this account only, those of pg_dump as well.
        umask(0o077)
        let loop = try EventLoop(name: "backup")
        defer { loop.stop() }
        try await withTaskExecutorPreference(loop) {
            if verify { try await check(on: loop) } else { try await backUp(on: loop) }
        }
    }

    private func backUp(on loop: EventLoop) async throws {
        let reader = try await options.reader()
        let settings = try options.load(reader)
        let run = BackupRun(
            settings: settings, jobs: try jobs.count(reader), progress: StepProgress(on: loop), loop: loop,
            logger: Logger.make(level: .warning))
        let outcome = try await run.run(to: directory)
        let manifest = outcome.manifest
        if json {
            print(
                Self.text(["status": "ok", "directory": .string(outcome.directory), "manifest": manifest.json]))
        } else {
            print(
                """
                \(outcome.directory) has \(outcome.bytes.byteText): \(manifest.rows) rows of \(manifest.tables.count) tables\
                \(manifest.mediaFiles > 0 ? ", and \(manifest.mediaFiles) media files" : "").
                A restore needs the sealing key \(manifest.sealingKeys.joined(separator: ", ")), which is not in it.
                """)
        }
    }

    private func check(on loop: EventLoop) async throws {
        let found: BackupCheck.Finding
        do {
            found = try await BackupCheck(
                directory: BackupDraft.absolute(directory), progress: StepProgress(on: loop), loop: loop
            ).run()
        } catch {
            if json { print(Self.text(["status": "unknown", "message": .string("\(error)")])) }
            FileHandle.standardError.write(Data("Error: \(Self.message(for: error))\n".utf8))
            throw ExitCode(2)
        }
        switch found {
        case .whole(let manifest):
            print(
                json
                    ? Self.text(["status": "ok", "manifest": manifest.json])
                    : """
                    The backup is whole. It is of \(manifest.time), has \(manifest.rows) rows of \(manifest.tables.count) \
                    tables, and needs the sealing key \(manifest.sealingKeys.joined(separator: ", ")).
                    """)
        case .damaged(let problems):
            print(
                json
                    ? Self.text(["status": "damaged", "problems": .array(problems.map { .string($0) })])
                    : "The backup is damaged:\n" + problems.map { "  \($0)" }.joined(separator: "\n"))
            throw ExitCode(1)
        }
    }

    private static func text(_ json: JSON) -> String { String(decoding: json.encoded(), as: UTF8.self) }
}
