import Crypto
import EventLoop
import Glibc

/// The log of a server, which writes to the descriptor. The file is for this process's user only.
///
/// The server can't be told to use another file. So when the log is too long, it is copied to a second file and then
/// emptied, and there are never more than two.
final class ServerLog {
    /// The maximum number of lines that an error contains.
    private static let tailLines = 20
    private static let copyLength = 65_536

    let path: String
    let descriptor: Int32

    init(_ path: String) throws(LocalClusterError) {
        guard let descriptor = try ServerFile.open(path, O_RDWR | O_CREAT | O_APPEND) else {
            throw .cannotPrepare(directory: path, reason: "it was deleted")
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The file with the earlier part of the log.
    static func previous(_ path: String) -> String { "\(path).1" }

    /// The last lines of a log.
    static func tail(of path: String) -> String {
        do throws(LocalClusterError) {
            guard let descriptor = try ServerFile.open(path, O_RDONLY) else { return "(no log in \(path))" }
            defer { close(descriptor) }
            return ServerFile.tail(descriptor).split(whereSeparator: \.isNewline).suffix(tailLines)
                .joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }

    /// Moves the content to the previous file if it has more than `limit` bytes. If that file can't be written, the
    /// content is dropped: the log must not fill the disk.
    func rotate(ifLongerThan limit: Int) throws(LocalClusterError) {
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_size > limit else { return }
        let wasCopied = copy(to: Self.previous(path))
        guard ftruncate(descriptor, 0) == 0, wasCopied else {
            throw .cannotPrepare(directory: Self.previous(path), reason: SystemError.lastReason)
        }
    }

    /// Writes a new file and puts it in place of the other.
    private func copy(to target: String) -> Bool {
        let draft = "\(target).new"
        unlink(draft)
        let copy = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard copy >= 0 else { return false }
        defer { close(copy) }
        var offset: off_t = 0
        var bytes = [UInt8](repeating: 0, count: Self.copyLength)
        // The server may write meanwhile; what it writes between the last read and the truncation is lost.
        while true {
            let count = pread(descriptor, &bytes, bytes.count, offset)
            guard count > 0 else { break }
            guard write(copy, bytes, count) == count else {
                unlink(draft)
                return false
            }
            offset += off_t(count)
        }
        return rename(draft, target) == 0
    }
}
