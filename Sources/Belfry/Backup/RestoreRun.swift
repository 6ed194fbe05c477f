import ArgumentParser
import EventLoop
import Logging
import Postgres
import PrivatePostgres
import Store

/// Puts a backup into an empty database. Docs/decisions/backups.md explains the order of the steps.
struct RestoreRun {
    let settings: Settings
    let jobs: Int
    /// Whether the database's contents may be deleted.
    let replaces: Bool
    let progress: StepProgress
    let loop: EventLoop
    let logger: Logger

    struct Outcome {
        let manifest: BackupManifest
        let database: String
        let instructions: [String]
    }

    func run(from directory: String) async throws -> Outcome {
        let directory = BackupDraft.absolute(directory)
        let manifest: BackupManifest
        switch try await BackupCheck(directory: directory, progress: progress, loop: loop).run() {
        case .whole(let found): manifest = found
        case .damaged(let problems):
            throw CommandFailure(
                "The backup is damaged, and nothing was restored: \(problems.joined(separator: "; ")).")
        }
        try checkProgram(manifest, try Migrator(directory: try Resources.directory("Migrations")).program)
        let (_, direct, cluster) = try await Database.checkedServer(settings, on: loop, logger: logger)
        let result: Result<Outcome, any Error>
        do {
            try checkSpace(manifest, of: directory, hasOwnServer: cluster != nil)
            result = .success(try await fill(direct.withoutTimeLimits, directory, manifest))
        } catch {
            result = .failure(error)
        }
        await cluster?.stop()
        return try result.get()
    }

    // MARK: Refusals

    private func checkProgram(_ manifest: BackupManifest, _ program: ProgramSchema) throws {
        guard manifest.oldestProgram <= Int(program.number) else {
            throw CommandFailure(
                """
                The backup has the schema version \(manifest.schema), of Belfry \(manifest.program), and this program \
                (\(Belfry.configuration.version)) knows versions up to \(program.number). Restore it with the \
                belfry that made it, or a newer one.
                """)
        }
        guard manifest.mediaFiles == 0 || settings.mediaDirectory != nil else {
            throw CommandFailure(
                """
                The backup has \(manifest.mediaFiles) media files, and there is no directory for them. Set \
                BELFRY_MEDIA_DIRECTORY, or --media-directory.
                """)
        }
    }

    private func checkServer(_ source: BackupStore.Source, _ manifest: BackupManifest) throws {
        guard source.majorVersion >= manifest.majorVersion else {
            throw CommandFailure(
                """
                The backup was made with PostgreSQL \(manifest.majorVersion), and this server is PostgreSQL \
                \(source.majorVersion). Restore it into PostgreSQL \(manifest.majorVersion) or newer.
                """)
        }
    }

    /// Of the volumes on this machine: that of another server is not known.
    private func checkSpace(_ manifest: BackupManifest, of directory: String, hasOwnServer: Bool) throws {
        if hasOwnServer { try check(Int64(manifest.databaseSize), "the database", at: settings.stateDirectory) }
        if let media = settings.mediaDirectory {
            let source = "\(directory)/\(BackupFolder.media)"
            let missing = try FileTree.files(in: source).filter { FileTree.size(file: "\(media)/\($0)") == nil }
            let size = missing.reduce(0) { $0 + (FileTree.size(file: "\(source)/\($1)") ?? 0) }
            try check(size, "the media directory", at: media)
        }
    }

    private func check(_ needed: Int64, _ content: String, at path: String) throws(CommandFailure) {
        guard let space = FreeSpace(of: path), space.free < needed else { return }
        throw CommandFailure(
            """
            Nothing was restored: \(content) needs about \(needed.byteText), and the volume of \(path) has \
            \(space.free.byteText) left. Free some space, or use another volume.
            """)
    }

    private func makeRoom(_ store: BackupStore, in database: String) async throws {
        let contents = try await store.contents()
        guard contents != .empty else { return }
        let reason =
            switch contents {
            case .empty: ""
            case .halfRestored: "has what a restore left that did not end"
            case .filled(let objects): "is not empty: it has \(objects) tables, views and sequences"
            }
        guard replaces else {
            throw CommandFailure(
                """
                The database \(database) \(reason), and nothing was changed. Restore into an empty database, or add --replace \
                to delete everything that this one has.
                """)
        }
        let sessions = try await store.sessions()
        guard sessions.isEmpty else {
            throw CommandFailure(
                """
                The database \(database) is used by \(sessions.joined(separator: ", ")), and nothing was changed. Stop all \
                Belfry processes first.
                """)
        }
        progress.say("deleting what the database \(database) has")
        try await store.clear()
    }

    // MARK: Restoring

    private func fill(
        _ database: PostgresConfiguration, _ directory: String, _ manifest: BackupManifest
    ) async throws -> Outcome {
        let connection = try await PostgresConnection.connect(database, on: loop, logger: logger)
        do {
            let store = BackupStore(connection: connection)
            let source = try await store.source()
            try checkServer(source, manifest)
            let program = try await PostgresProgram.find("pg_restore", version: source.majorVersion, on: loop)
            try await makeRoom(store, in: source.database)
            try copyMedia(from: "\(directory)/\(BackupFolder.media)")
            let dump = Dump(
                program: program, connection: try database.forPrograms(), jobs: jobs,
                directory: "\(directory)/\(BackupFolder.database)", progress: progress)
            try await dump.restore(to: source.database) {
                progress.say("counting rows, and analyzing tables")
                try await store.closeViews()
                try await store.analyze()
                try Self.compare(try await store.counts(), manifest)
            }
            await connection.close()
            return Outcome(
                manifest: manifest, database: source.database,
                instructions: RestoreInstructions(manifest: manifest, settings: settings).lines)
        } catch {
            await connection.close()
            throw error
        }
    }

    private func copyMedia(from directory: String) throws {
        guard let target = settings.mediaDirectory else { return }
        let files = try FileTree.files(in: directory)
        if !files.isEmpty { progress.say("copying \(files.count) media files to \(target)") }
        for file in files { _ = try MediaCopy.copy(file, from: directory, to: target) }
    }

    /// The table of migrations comes last, and has no rows yet.
    private static func compare(_ found: [BackupStore.Count], _ manifest: BackupManifest) throws {
        let rows = Dictionary(found.map { ($0.table, $0.rows) }) { first, _ in first }
        let wrong = manifest.tables.filter { $0.table != Dump.lastTable && rows[$0.table] != $0.rows }
        guard wrong.isEmpty else {
            let list = wrong.map { "\($0.table) has \(rows[$0.table] ?? 0) rows instead of \($0.rows)" }
            throw CommandFailure("The restored database differs from the backup: \(list.joined(separator: "; ")).")
        }
    }
}
