import EventLoop
import Glibc

/// Copies files of a media directory, which are named by their content and never change.
enum MediaCopy {
    private static let draft = ".upload-copy"

    /// Returns false if the file was deleted meanwhile, and true without a copy if it is there already.
    static func copy(_ file: String, from source: String, to target: String) throws(SystemError) -> Bool {
        guard let size = FileTree.size(file: "\(source)/\(file)") else { return false }
        guard FileTree.size(file: "\(target)/\(file)") != size else { return true }
        try FileTree.makeDirectory(target, mode: 0o750)
        if let slash = file.lastIndex(of: "/") {
            try FileTree.makeDirectory("\(target)/\(file[..<slash])", mode: 0o750)
        }
        // As an upload, which is removed if this process ends early.
        let draft = "\(target)/\(draft)"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .current("open \(draft)") }
        defer { close(descriptor) }
        do throws(SystemError) {
            _ = try Checksums.digest(of: "\(source)/\(file)", copyingTo: descriptor)
        } catch  where error.code == ENOENT {
            unlink(draft)
            return false
        }
        guard fsync(descriptor) == 0 else { throw .current("fsync \(draft)") }
        guard rename(draft, "\(target)/\(file)") == 0 else { throw .current("rename to \(target)/\(file)") }
        return true
    }
}
