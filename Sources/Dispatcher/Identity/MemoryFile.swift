import EventLoop
import FoundationEssentials
import Glibc
import Postgres
import Store

/// The memory of a process, in a file of the state directory, for the process that is started after it. The file is
/// locked as long as its process lives.
final class MemoryFile: Sendable {
    /// A process that did not end cleanly may have gone on elsewhere after its last record, if the directory was put
    /// back. After this time that can't be told from a crash.
    static let validity = Duration.seconds(600)
    /// Older files say nothing: the rows of their processes may be deleted.
    static let retention = Duration.seconds(14 * 86_400)
    /// The length of a record, less than a sector: it is written whole or not at all.
    private static let length = 384

    struct Record: Codable, Equatable {
        var process: UUID
        var beat: Int64
        /// In microseconds since 1970, on the database's clock.
        var beatenAt: Int64
        var origin: Int64
        var generation: Int64
        var hasEnded: Bool
        /// In seconds since 1970, on this machine's clock.
        var writtenAt: Double
    }

    let path: String
    private let descriptor: Int32

    init(directory: String, process: ProcessID) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        path = "\(directory)/\(process.rawValue.uuidString).process"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("created", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Self.failure("locked", path) }
    }

    deinit { close(descriptor) }

    /// `isSynced` waits until the record would survive a loss of power.
    func write(_ memory: ProcessMemory, isSynced: Bool, now: Timestamp = .now) throws {
        let record = Record(
            process: memory.process.rawValue, beat: memory.beat, beatenAt: memory.beatenAt.microseconds,
            origin: memory.origin, generation: memory.generation, hasEnded: memory.hasEnded,
            writtenAt: now.secondsSince1970)
        var bytes = Array(try JSONEncoder().encode(record))
        bytes += Array(repeating: UInt8(ascii: " "), count: max(0, Self.length - 1 - bytes.count))
        bytes.append(UInt8(ascii: "\n"))
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { throw Self.failure("written", path) }
        if isSynced, fsync(descriptor) != 0 { throw Self.failure("written", path) }
    }

    // MARK: Earlier processes

    struct LeftBehind {
        var memories: [ProcessMemory] = []
        var areRecent = true
        /// The files, to be removed when the new process has a memory of its own.
        var paths: [String] = []
    }

    /// The memories of processes that have ended.
    static func leftBehind(in directory: String, now: Timestamp = .now) throws -> LeftBehind {
        var found = LeftBehind()
        guard FileManager.default.fileExists(atPath: directory) else { return found }
        for name in try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        where name.hasSuffix(".process") {
            let path = "\(directory)/\(name)"
            guard try !isLocked(path) else { continue }
            found.paths.append(path)
            // Empty if the process ended before its first beat.
            guard let data = FileManager.default.contents(atPath: path),
                let record = try? JSONDecoder().decode(Record.self, from: data)
            else { continue }
            let age = Duration.seconds(now.secondsSince1970 - record.writtenAt)
            guard age < retention else { continue }
            if !record.hasEnded, age > validity { found.areRecent = false }
            found.memories.append(
                ProcessMemory(
                    process: ProcessID(rawValue: record.process), beat: record.beat,
                    beatenAt: Timestamp(microseconds: record.beatenAt), origin: record.origin,
                    generation: record.generation,
                    hasEnded: record.hasEnded))
        }
        return found
    }

    /// Another process may have removed it already.
    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("removed", path) }
    }

    private static func isLocked(_ path: String) throws -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    private static func failure(_ what: String, _ path: String) -> Failure {
        Failure(description: "\(path) can't be \(what): \(SystemError.lastReason)")
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
