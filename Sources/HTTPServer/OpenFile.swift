public import EventLoop
import Glibc

/// A regular file, open for reading. It is closed when the last reference to it is released.
public final class OpenFile: Sendable {
    /// The maximum number of bytes per read.
    static let pieceSize = 64 * 1024

    private let descriptor: Int32
    public let size: Int
    let modified: timespec

    /// Returns nil if there is no regular file at the path.
    public init?(path: String) throws(SystemError) {
        // Non-blocking, because opening a pipe would otherwise wait for its writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR, ELOOP, EACCES, ENAMETOOLONG, ENXIO:
                size = 0
                modified = timespec()
                return nil
            default: throw SystemError(operation: "open", code: errno)
            }
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            size = 0
            modified = timespec()
            return nil
        }
        size = Int(status.st_size)
        modified = status.st_mtim
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads the next piece of the range and removes it from the range.
    func read(_ range: inout Range<Int>) throws(SystemError) -> [UInt8] {
        let wanted = min(range.count, Self.pieceSize)
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            let read = pread(descriptor, buffer.baseAddress, wanted, range.lowerBound)
            if read < 0 { code = errno }
            count = max(read, 0)
        }
        guard code == 0 else { throw SystemError(operation: "pread", code: code) }
        // The file was truncated after it was opened, so the declared length cannot be sent.
        guard !bytes.isEmpty else { throw SystemError(operation: "pread", code: EIO) }
        range = (range.lowerBound + bytes.count)..<range.upperBound
        return bytes
    }
}
