import EventLoop
import Foundation

/// Checks that a backup is complete and unchanged. Needs no database.
struct BackupCheck {
    /// Problems that are listed.
    private static let maximumProblems = 20

    let directory: String
    let progress: StepProgress
    let loop: EventLoop

    enum Finding {
        case whole(BackupManifest)
        /// Sentences without a full stop.
        case damaged([String])
    }

    /// Throws `CommandFailure` if the check itself is not possible.
    func run() async throws -> Finding {
        let files = try existingFiles()
        guard files.contains(Checksums.file), files.contains(BackupManifest.file) else {
            let missing = [Checksums.file, BackupManifest.file].filter { !files.contains($0) }
            return .damaged(["\(missing.joined(separator: " and ")) is missing, so this is no complete backup"])
        }
        let (manifest, problems) = examine(files)
        guard let manifest, problems.isEmpty else { return .damaged(problems) }
        return try await unreadable(manifest).map { .damaged([$0]) } ?? .whole(manifest)
    }

    private func existingFiles() throws -> Set<String> {
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure("There is no directory \(directory). Name the directory of a backup.")
        }
        return Set(try FileTree.files(in: directory))
    }

    private func examine(_ files: Set<String>) -> (BackupManifest?, [String]) {
        do {
            let checksums = try Checksums(reading: TextFile.read("\(directory)/\(Checksums.file)"))
            progress.say("checking \(checksums.digests.count) files")
            var problems = checksums.digests.sorted { $0.key < $1.key }.compactMap { path, digest -> String? in
                guard files.contains(path) else { return "the file \(path) is missing" }
                do throws(SystemError) {
                    let found = try Checksums.digest(of: "\(directory)/\(path)")
                    return found == digest ? nil : "the file \(path) was changed"
                } catch {
                    return "the file \(path) can't be read: \(error)"
                }
            }
            let unknown = files.subtracting(checksums.digests.keys).subtracting([Checksums.file]).sorted()
            problems += unknown.map { "the file \($0) is not in \(Checksums.file)" }
            if checksums[BackupManifest.file] == nil {
                problems.append("\(BackupManifest.file) is not in \(Checksums.file)")
            }
            guard problems.isEmpty else { return (nil, Self.shortened(problems)) }
            return (try BackupManifest(reading: TextFile.bytes("\(directory)/\(BackupManifest.file)")), [])
        } catch {
            return (nil, ["\(error)"])
        }
    }

    private static func shortened(_ problems: [String]) -> [String] {
        let others = problems.count - maximumProblems
        return problems.prefix(maximumProblems) + (others > 0 ? ["\(others) further files"] : [])
    }

    /// Why pg_restore can't read the list of contents; nil if it can.
    private func unreadable(_ manifest: BackupManifest) async throws -> String? {
        let program = try await PostgresProgram.find(
            "pg_restore", version: manifest.majorVersion, acceptsNewer: true, on: loop)
        do {
            try await program.run(["--list", "\(directory)/\(BackupFolder.database)"])
            return nil
        } catch let failure as CommandFailure {
            return failure.description
        }
    }
}
