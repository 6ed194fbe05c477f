import ArgumentParser
import Crypto
import EventLoop
import Foundation
import JSON
import Logging
import Postgres
import PrivatePostgres
import Store

/// Makes a backup. Docs/decisions/backups.md explains the order of the steps.
struct BackupRun {
    /// The dump's part of the size of the tables: it is compressed, and has no indexes. Measured: a fifth.
    private static let dumpShare = 0.5

    let settings: Settings
    let jobs: Int
    let progress: StepProgress
    let loop: EventLoop
    let logger: Logger

    struct Outcome {
        let directory: String
        let bytes: Int64
        let manifest: BackupManifest
    }

    func run(to directory: String) async throws -> Outcome {
        let draft = try BackupDraft(for: BackupDraft.absolute(directory))
        do {
            let (_, direct, cluster) = try await Database.checkedServer(settings, on: loop, logger: logger)
            let result: Result<BackupManifest, any Error>
            do {
                result = .success(try await fill(draft, from: direct.withoutTimeLimits))
            } catch {
                result = .failure(error)
            }
            await cluster?.stop()
            var manifest = try result.get()
            manifest.mediaFiles = try copyMedia(to: draft)
            let bytes = try seal(draft, manifest)
            try draft.publish()
            return Outcome(directory: draft.target, bytes: bytes, manifest: manifest)
        } catch {
            draft.discard()
            throw error
        }
    }

    // MARK: Content

    private func fill(_ draft: BackupDraft, from database: PostgresConfiguration) async throws -> BackupManifest {
        let connection = try await PostgresConnection.connect(database, on: loop, logger: logger)
        do {
            let schema = try await checkedSchema(connection)
            let manifest = try await connection.transaction(isolation: .repeatableRead) { connection in
                try await dump(BackupStore(connection: connection), database, draft, schema)
            }
            await connection.close()
            return manifest
        } catch {
            await connection.close()
            throw error
        }
    }

    /// An older program does not know what a newer schema has.
    private func checkedSchema(_ connection: PostgresConnection) async throws -> SchemaState {
        let migrator = try Migrator(directory: try Resources.directory("Migrations"))
        guard let state = try await migrator.state(on: connection), state.number > 0 else {
            throw CommandFailure("The database has no tables of Belfry. Check DATABASE_URL.")
        }
        guard state.oldestProgram <= migrator.program.number else {
            throw CommandFailure(
                """
                The database has the schema version \(state.number), which this program does not know. Use the belfry of \
                the version that runs.
                """)
        }
        return state
    }

    private func dump(
        _ store: BackupStore, _ database: PostgresConfiguration, _ draft: BackupDraft, _ schema: SchemaState
    ) async throws -> BackupManifest {
        let snapshot = try await store.exportSnapshot()
        let source = try await store.source()
        try checkSpace(for: source, at: draft.path)
        let program = try await PostgresProgram.find("pg_dump", version: source.majorVersion, on: loop)
        let target = "\(draft.path)/\(BackupFolder.database)"
        let connection = try database.forPrograms()
        async let counted = store.counts()
        try await progress.step(
            "dumping the database \(source.database), \(source.size.byteText), in \(jobs) sessions",
            state: { (try? FileTree.size(of: target)).map { "\($0.byteText) written" } }
        ) {
            try await program.run(
                [
                    "--format=directory", "--file=\(target)", "--jobs=\(jobs)", "--snapshot=\(snapshot)", "--no-sync",
                    "--no-password", "--dbname=\(connection.connection)",
                ], environment: connection.environment)
        }
        return BackupManifest(
            program: Belfry.configuration.version, time: source.time, schema: Int(schema.number),
            oldestProgram: Int(schema.oldestProgram), database: source.database, databaseSize: Int(source.size),
            serverVersion: source.serverVersion, majorVersion: source.majorVersion,
            sealingKeys: try await store.sealingKeys().map(\.description),
            credentials: try await store.credentials(), roles: try await store.analysts(), mediaFiles: 0,
            openRuns: try await store.openRuns(), tables: try await counted)
    }

    private func checkSpace(for source: BackupStore.Source, at path: String) throws {
        let media = try settings.mediaDirectory.map { try FileTree.size(of: $0) } ?? 0
        let needed = Int64(Double(source.tableSize) * Self.dumpShare) + media
        guard let space = FreeSpace(of: path), space.free < needed else { return }
        throw CommandFailure(
            """
            The backup needs about \(needed.byteText), and the volume of \(path) has \(space.free.byteText) left. Free some \
            space, or name a directory on another volume.
            """)
    }

    /// After the dump's snapshot was taken: the files of all its rows are there, except those that were deleted since.
    private func copyMedia(to draft: BackupDraft) throws -> Int {
        guard let directory = settings.mediaDirectory else { return 0 }
        let files = try FileTree.files(in: directory).filter { !$0.hasPrefix(".") }
        progress.say("copying \(files.count) media files")
        return try files.count { try MediaCopy.copy($0, from: directory, to: "\(draft.path)/\(BackupFolder.media)") }
    }

    // MARK: Completion

    /// Writes the manifest and the checksums, and makes everything survive a power failure. Returns the size in bytes.
    private func seal(_ draft: BackupDraft, _ manifest: BackupManifest) throws -> Int64 {
        progress.say("computing checksums")
        try TextFile.write(
            manifest.json.lines() + "\n", to: "\(draft.path)/\(BackupManifest.file)", isSecret: true)
        var (checksums, bytes) = (Checksums(), Int64(0))
        for file in try FileTree.files(in: draft.path) {
            let path = "\(draft.path)/\(file)"
            checksums[file] = try Checksums.digest(of: path)
            bytes += FileTree.size(file: path) ?? 0
            try FileTree.sync(path)
        }
        let list = "\(draft.path)/\(Checksums.file)"
        try TextFile.write(checksums.text, to: list, isSecret: true)
        try FileTree.sync(list)
        for folder in try FileTree.directories(in: draft.path) { try FileTree.sync(folder) }
        return bytes
    }
}
