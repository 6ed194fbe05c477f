import Foundation

/// Events on disk until the server has them: a file per event, in a folder per process of the app group.
///
/// No lock is held and no descriptor stays open: iOS ends a process that is suspended with a lock in a shared
/// container (0xdead10cc). A sender claims a file by renaming it, which only one process can do. A crash between
/// sending and deleting sends the event again; the server counts it once.
public actor EventQueue {
    /// Events that wait on disk, of all processes. The oldest give way: a phone that is offline for months, or whose key
    /// was revoked, fills no disk. By the clock nothing expires, because it may be a year ahead; the server knows which
    /// events are too late.
    public static let maximumWaiting = 10_000
    /// Seconds after which a file that is still being written belonged to a process that has ended.
    static let writingLifetime: TimeInterval = 24 * 60 * 60

    /// An event that this sender holds.
    public struct Claim: Sendable {
        /// The event to send.
        public let event: Event
        let file: URL
        let releasedName: String
    }

    /// The events that `claim` found.
    public struct Claims: Sendable {
        /// The oldest first.
        public internal(set) var claims: [Claim] = []
        /// Events that were removed because more than `maximumWaiting` were there.
        public internal(set) var dropped = 0
        /// Files that were removed because they are not events. A file that can't be read yet is left alone.
        public internal(set) var corrupt = 0
    }

    /// Holds a folder for each process.
    private let root: URL
    private let recorder: EventRecorder
    private let limit: Int

    /// Nothing is read or written before the first call. `process` names the folder: "app" or "service".
    public init(root: URL, process: String) { self.init(root: root, process: process, limit: Self.maximumWaiting) }

    init(root: URL, process: String, limit: Int) {
        self.root = root
        self.limit = limit
        recorder = EventRecorder(folder: root.appendingPathComponent(process, isDirectory: true))
    }

    /// Stores the event before it returns, from any thread. See `EventRecorder.record`.
    public nonisolated func record(_ event: Event, at date: Date = Date()) throws {
        try recorder.record(event, at: date)
    }

    /// Claims up to `limit` events of all processes, oldest first.
    public func claim(limit: Int = EventBatch.maximumEvents, at date: Date = Date()) throws -> Claims {
        try claim(limit: limit, at: date, until: EventFile.endOfTime)
    }

    /// Events that were recorded later than `last` wait for another claim.
    func claim(limit: Int = EventBatch.maximumEvents, at date: Date, until last: Date) throws -> Claims {
        var result = Claims()
        var waiting = try free(at: date)[...]
        for (folder, _, name) in waiting.prefix(max(waiting.count - self.limit, 0)) {
            waiting.removeFirst()
            // Fails if another process was first.
            if (try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))) != nil {
                result.dropped += 1
            }
        }
        for (folder, file, name) in waiting {
            guard result.claims.count < limit, file.isRecorded(by: last) else { break }
            let original = folder.appendingPathComponent(name)
            let claimed = folder.appendingPathComponent(file.claimName(at: date))
            // Fails if another process was first.
            guard (try? FileManager.default.moveItem(at: original, to: claimed)) != nil else { continue }
            // Before the first unlock a file may be unreadable, which is not corrupt: its claim ends by itself.
            guard let bytes = try? Data(contentsOf: claimed) else { continue }
            guard let event = try? JSONDecoder().decode(Event.self, from: bytes) else {
                try FileManager.default.removeItem(at: claimed)
                result.corrupt += 1
                continue
            }
            result.claims.append(Claim(event: event, file: claimed, releasedName: file.name))
        }
        return result
    }

    /// Removes events that the server has, or will never take. An event that another process removed is no error.
    public func remove(_ claims: [Claim]) throws {
        for claim in claims {
            do { try FileManager.default.removeItem(at: claim.file) } catch CocoaError.fileNoSuchFile {}
        }
    }

    /// Gives events back, so that the next `claim` finds them. Without it they become free after two minutes.
    public func release(_ claims: [Claim]) throws {
        for claim in claims {
            let released = claim.file.deletingLastPathComponent().appendingPathComponent(claim.releasedName)
            do {
                try FileManager.default.moveItem(at: claim.file, to: released)
            } catch CocoaError.fileNoSuchFile {}
        }
    }

    private func free(at date: Date) throws -> [(folder: URL, file: EventFile, name: String)] {
        let manager = FileManager.default
        guard manager.fileExists(atPath: root.path) else { return [] }
        var found: [(folder: URL, file: EventFile, name: String)] = []
        for process in try manager.contentsOfDirectory(atPath: root.path) {
            let folder = root.appendingPathComponent(process, isDirectory: true)
            // Not a folder: not the queue's.
            guard let names = try? manager.contentsOfDirectory(atPath: folder.path) else { continue }
            for name in names {
                if EventFile.isAbandoned(name, at: date, after: Self.writingLifetime) {
                    // It comes back with the next claim if it can't be removed.
                    try? manager.removeItem(at: folder.appendingPathComponent(name))
                }
                guard let file = EventFile(name: name), file.isFree(at: date) else { continue }
                found.append((folder, file, name))
            }
        }
        return found.sorted { $0.file.stem < $1.file.stem }
    }
}
