import Crypto
import EventLoop
import Glibc

/// A file on its way in, kept aside until all of it is there. What is not kept goes with the value.
///
/// A slow sender holds no connection of the pool in this way, and what is refused halfway was never stored.
final class StagedFile {
    static let prefix = ".upload-"

    private let descriptor: Int32
    private var path: String?
    private var end = 0

    /// Below a directory that is there.
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

    /// `count` bytes, or as many as there are.
    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, min(count, end - offset))) { buffer, filled in
            while filled < buffer.count {
                let place = buffer.baseAddress.map { $0 + filled }
                let read = pread(descriptor, place, buffer.count - filled, off_t(offset + filled))
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

    /// Moves it to a place on the same file system, for good.
    func keep(at destination: String) throws(SystemError) {
        guard let path else { return }
        guard fsync(descriptor) == 0 else { throw .last("fsync") }
        guard rename(path, destination) == 0 else { throw .last("rename to \(destination)") }
        self.path = nil
        try Self.sync(directory: String(destination[..<(destination.lastIndex(of: "/") ?? destination.endIndex)]))
    }

    /// Without it the name of a file may be lost with the power, although its content is not.
    static func sync(directory: String) throws(SystemError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open \(directory)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last("fsync \(directory)") }
    }
}

extension SystemError {
    /// Right after the call that failed.
    static func last(_ operation: @autoclosure () -> String) -> SystemError {
        let code = errno
        return SystemError(operation: operation(), code: code)
    }
}
