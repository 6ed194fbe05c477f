import EventLoop
import Foundation

/// A backup that is being made, beside the directory that it will be: what has the final name is complete.
final class BackupDraft {
    /// The suffix of an incomplete backup.
    static let suffix = ".incomplete"

    let target: String
    let path: String
    /// Locked as long as this process runs.
    private let descriptor: Int32

    /// Makes the directory. What a broken-off backup with the same name has left is removed.
    init(for target: String) throws {
        self.target = target
        path = target + Self.suffix
        try Self.check(target)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandFailure("Can't make the directory \(path): \(SystemError.lastReason).")
        }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("Can't use \(path): \(SystemError.lastReason).") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure("Another backup to \(target) is running. Wait for it, or name another directory.")
        }
        try Self.clear(path)
    }

    deinit { close(descriptor) }

    /// An absolute path without "." and "..".
    static func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

    /// Throws unless the target is missing or an empty directory, and can be replaced by a rename.
    private static func check(_ target: String) throws {
        let parent = URL(filePath: target).deletingLastPathComponent().path
        var (status, above) = (stat(), stat())
        guard stat(parent, &above) == 0 else {
            throw CommandFailure("The directory \(parent) can't be used: \(SystemError.lastReason). Make it first.")
        }
        guard lstat(target, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure("\(target) exists and is not a directory. Name a directory that does not exist.")
        }
        guard try FileTree.names(in: target).isEmpty else {
            throw CommandFailure("\(target) exists and is not empty. Name a directory that does not exist.")
        }
        guard status.st_dev == above.st_dev else {
            throw CommandFailure("\(target) is a volume of its own. Name a directory in it, such as \(target)/1.")
        }
    }

    /// Only what backups consist of is removed.
    private static func clear(_ path: String) throws {
        let known = [BackupManifest.file, Checksums.file, BackupFolder.database, BackupFolder.media]
        let names = try FileTree.names(in: path)
        guard names.allSatisfy(known.contains) else {
            throw CommandFailure("\(path) has files that are not of a backup. Move it away, or name another directory.")
        }
        for name in names { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
    }

    /// Gives the backup its name. Everything in it must be synced before.
    func publish() throws {
        guard rename(path, target) == 0 else {
            throw CommandFailure("Can't rename \(path) to \(target): \(SystemError.lastReason).")
        }
        try FileTree.sync(URL(filePath: target).deletingLastPathComponent().path)
    }

    /// Removes the backup.
    func discard() { try? FileManager.default.removeItem(atPath: path) }
}

/// The parts of a backup's directory.
enum BackupFolder {
    /// pg_dump's directory.
    static let database = "database"
    static let media = "media"
}
