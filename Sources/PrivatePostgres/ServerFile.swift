import EventLoop
import Glibc

/// Opens files in the directory of the server. Its account may write there, so a name can lead elsewhere: root must not
/// follow it.
enum ServerFile {
    /// Bytes of a file that `tail` reads from its end.
    private static let tailLength = 65_536

    /// Opens a regular file that belongs to `owner` and has no other name, and allows only the owner to read it.
    /// Returns nil if there is none. A new file belongs to this process's user.
    static func open(
        _ path: String, _ flags: Int32, owner: uid_t = geteuid()
    ) throws(LocalClusterError) -> Int32? {
        // A FIFO must not block.
        let descriptor = Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw .untrusted(path, reason: "it is a symbolic link")
            default: throw .cannotPrepare(directory: path, reason: SystemError.lastReason)
            }
        }
        do throws(LocalClusterError) {
            var information = stat()
            guard fstat(descriptor, &information) == 0 else {
                throw .cannotPrepare(directory: path, reason: SystemError.lastReason)
            }
            guard information.st_mode & S_IFMT == S_IFREG else { throw .untrusted(path, reason: "it is not a file") }
            guard information.st_uid == owner else { throw .untrusted(path, reason: "it belongs to another user") }
            guard information.st_nlink <= 1 else { throw .untrusted(path, reason: "the file has another name") }
            guard information.st_mode & 0o777 == 0o600 || fchmod(descriptor, 0o600) == 0 else {
                throw .cannotPrepare(directory: path, reason: SystemError.lastReason)
            }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// The last bytes of a file.
    static func tail(_ descriptor: Int32) -> String {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: tailLength)
        let count = pread(descriptor, &bytes, bytes.count, max(0, information.st_size - off_t(bytes.count)))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
