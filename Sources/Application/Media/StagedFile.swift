import Crypto
import EventLoop
import Glibc

/// A temporary file for an upload. It is deleted with the value unless it was stored.
///
/// So a slow upload uses no database connection, and a refused upload is never stored.
final class StagedFile {
    static let prefix = ".upload-"

    private let descriptor: Int32
    private var path: String?
    private var end = 0

    /// Creates the file in an existing directory.
    init(in directory: String) throws {
        let path = "\(directory)/\(Self.prefix)\(Hex.encode(try RandomBytes.make(count: 8)))"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError.last("open \(path)") }
        self.path = path
    }

    deinit {
        close(descriptor)
        if let path { unlink(path) }
    }

    func write(_ bytes: [UInt8]) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start, off_t(end))
            }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .last("pwrite")
            }
            start += count
            end += count
        }
    }

    /// Reads `count` bytes, or fewer at the end of the file.
    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, min(count, end - offset))) { buffer, filled in
            while filled < buffer.count {
                let target = buffer.baseAddress.map { $0 + filled }
                let read = pread(descriptor, target, buffer.count - filled, off_t(offset + filled))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    failed = true
                    return
                }
                filled += read
            }
        }
        if failed { throw .last("pread") }
        return bytes
    }

    /// Moves the file to its permanent path on the same file system.
    func store(at destination: String) throws(SystemError) {
        guard let path else { return }
        guard fsync(descriptor) == 0 else { throw .last("fsync") }
        guard rename(path, destination) == 0 else { throw .last("rename to \(destination)") }
        self.path = nil
        try Self.sync(directory: String(destination[..<(destination.lastIndex(of: "/") ?? destination.endIndex)]))
    }

    /// Syncs a directory. Otherwise a power failure may lose the name of a file, although its content is synced.
    static func sync(directory: String) throws(SystemError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open \(directory)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last("fsync \(directory)") }
    }
}

extension SystemError {
    /// The error of the last system call; use immediately after the call.
    static func last(_ operation: @autoclosure () -> String) -> SystemError {
        let code = errno
        return SystemError(operation: operation(), code: code)
    }
}
