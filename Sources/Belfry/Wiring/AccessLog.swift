import EventLoop
import Glibc
import HTTPServer
import Logging

/// Writes one line per request to a file. Requests append to a buffer; a thread of its own writes it, so a slow disk
/// never delays a response. Lines that do not fit into the buffer are dropped and counted.
final class AccessLog: Sendable {
    /// The maximum size of lines that wait, in bytes.
    static let bufferBytes = 4 * 1024 * 1024
    /// The longest time that a line waits if the disk is not slow.
    static let interval = Duration.milliseconds(200)

    struct Buffer {
        private(set) var bytes: [UInt8] = []
        private(set) var dropped = 0
        private var line = AccessLogLine()
        private let limit: Int

        init(limit: Int) {
            self.limit = limit
        }

        mutating func append(_ record: AccessRecord) {
            guard bytes.count < limit else {
                dropped += 1
                return
            }
            line.append(record, to: &bytes)
        }

        /// Returns the lines, and how many were dropped after them.
        mutating func take() -> (bytes: [UInt8], dropped: Int) {
            defer { (bytes, dropped) = ([], 0) }
            return (bytes, dropped)
        }
    }

    private let path: String
    private let logger: Logger
    private let loop: EventLoop
    private let buffer = Lock(Buffer(limit: AccessLog.bufferBytes))
    private let file: Lock<Int32>
    private let isStopped = Lock(false)

    /// Appends to the file, which is created if it is missing. "-" is standard output.
    init(path: String, logger: Logger) throws {
        self.path = path
        self.logger = logger
        file = Lock(try Self.open(path))
        loop = try EventLoop(name: "access-log")
    }

    deinit { file.withLock { if $0 > 2 { close($0) } } }

    /// For `ServerConfiguration.onResponse`.
    func add(_ record: AccessRecord) { buffer.withLock { $0.append(record) } }

    /// Returns after `stop`, when all lines are written.
    func run() async {
        await withTaskExecutorPreference(loop) {
            while !isStopped.withLock({ $0 }) {
                do { try await loop.sleep(for: Self.interval) } catch { break }
                write()
            }
        }
        write()
        loop.stop()
    }

    /// To be called when the server has ended.
    func stop() { isStopped.withLock { $0 = true } }

    private func write() {
        let (bytes, dropped) = buffer.withLock { $0.take() }
        guard !bytes.isEmpty else { return }
        file.withLock { file in
            reopenIfMoved(&file)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    logger.error("access log not written", metadata: ["error": "\(SystemError.lastReason)"])
                    return
                }
                rest = rest.dropFirst(count)
            }
        }
        if dropped > 0 { logger.warning("access log lines dropped", metadata: ["lines": "\(dropped)"]) }
    }

    /// After a program such as logrotate has moved the file away, the lines go to a new one.
    private func reopenIfMoved(_ file: inout Int32) {
        var (here, there) = (stat(), stat())
        guard file > 2, fstat(file, &here) == 0 else { return }
        if stat(path, &there) == 0, here.st_ino == there.st_ino, here.st_dev == there.st_dev { return }
        do {
            let new = try Self.open(path)
            close(file)
            file = new
        } catch {
            logger.error("access log not opened again", metadata: ["error": "\(error)"])
        }
    }

    private static func open(_ path: String) throws -> Int32 {
        guard path != "-" else { return STDOUT_FILENO }
        let file = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard file >= 0 else {
            throw CommandFailure(
                "Can't write the access log \(path): \(SystemError.lastReason). Choose another file.")
        }
        return file
    }
}
