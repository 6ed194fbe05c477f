import Foundation

/// Events on disk until the server has them: a file per event, in a folder per process of the app group.
///
/// No lock is held and no descriptor stays open: iOS ends a process that is suspended with a lock in a shared
/// container (0xdead10cc). A sender claims a file by renaming it, which only one process can do. A crash between
/// sending and deleting sends the event again; the server counts it once.
public actor EventQueue {
    /// The server refuses events of older pushes.
    public static let retention: TimeInterval = 30 * 24 * 60 * 60

    /// An event that this sender holds.
    public struct Claim: Sendable, Equatable {
        /// The event to send.
        public let event: Event
        let file: URL
        let releasedName: String
    }

    /// What `claim` found.
    public struct Claims: Sendable, Equatable {
        /// The oldest first.
        public internal(set) var claims: [Claim] = []
        /// Events that were removed because they are older than `retention`.
        public internal(set) var expired = 0
        /// Files that were removed because they are not events. A file that can't be read yet is left alone.
        public internal(set) var corrupt = 0
    }

    /// Holds a folder for each process.
    private let root: URL
    private let recorder: EventRecorder

    /// Nothing is read or written before the first call. `process` names the folder: "app" or "service".
    public init(root: URL, process: String) {
        self.root = root
        recorder = EventRecorder(folder: root.appendingPathComponent(process, isDirectory: true))
    }

    /// Stores the event before it returns, from any thread. See `EventRecorder.record`.
    public nonisolated func record(_ event: Event, at date: Date = Date()) throws {
        try recorder.record(event, at: date)
    }

    /// Claims up to `limit` events of all processes, oldest first.
    public func claim(limit: Int = EventBatch.maximumEvents, at date: Date = Date()) throws -> Claims {
        var result = Claims()
        for (folder, file, name) in try free(at: date) {
            guard result.claims.count < limit else { break }
            let original = folder.appendingPathComponent(name)
            if let recorded = file.recordedAt, date.timeIntervalSince(recorded) > Self.retention {
                if (try? FileManager.default.removeItem(at: original)) != nil { result.expired += 1 }
                continue
            }
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
                guard let file = EventFile(name: name), file.isFree(at: date) else { continue }
                found.append((folder, file, name))
            }
        }
        return found.sorted { $0.file.stem < $1.file.stem }
    }
}
