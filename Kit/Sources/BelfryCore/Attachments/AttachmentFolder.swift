import Foundation

/// The folder of downloads. iOS moves a file that becomes an attachment out of it, and ends a process without a word, so
/// unfinished files stay behind until the next push removes them.
public struct AttachmentFolder: Sendable {
    /// No push takes that long.
    public static let lifetime: TimeInterval = 24 * 60 * 60
    /// Files that one sweep removes. The time of an extension is short, and the next push goes on.
    public static let maximumRemoved = 200

    /// The folder, which need not exist.
    public let url: URL

    /// Nothing is read or written before the first call.
    public init(url: URL) { self.url = url }

    /// A file of its own for a push, in the folder, which is made if it is missing. The name holds the time, as the
    /// times of files change when a phone is restored.
    public func place(at date: Date) throws -> Place {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let stem = "\(EventFile.milliseconds(date))-\(UUID().uuidString)"
        return Place(partial: url.appendingPathComponent("\(stem).part"), stem: stem)
    }

    /// Two names of one file.
    public struct Place: Sendable {
        /// While it is being written.
        public let partial: URL
        let stem: String

        /// With the extension of its type, by which iOS reads it.
        public func finished(_ type: AttachmentType) -> URL {
            partial.deletingLastPathComponent().appendingPathComponent("\(stem).\(type.fileExtension)")
        }
    }

    /// Removes files that are older than a day, or from the future: from before the clock was set back. Files of others
    /// stay. Returns how many were removed.
    @discardableResult
    public func sweep(at date: Date) throws -> Int {
        let manager = FileManager.default
        guard manager.fileExists(atPath: url.path) else { return 0 }
        let leftovers = try manager.contentsOfDirectory(atPath: url.path).filter { isLeftover($0, at: date) }
        for name in leftovers.prefix(Self.maximumRemoved) {
            // Another process sweeps, too.
            do { try manager.removeItem(at: url.appendingPathComponent(name)) } catch CocoaError.fileNoSuchFile {}
        }
        return min(leftovers.count, Self.maximumRemoved)
    }

    private func isLeftover(_ name: String, at date: Date) -> Bool {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let milliseconds = EventFile.number(parts[0]), parts[1].contains(".") else {
            return false
        }
        let age = (EventFile.milliseconds(date) - min(max(milliseconds, 0), .max / 2)) / 1_000
        return abs(age) > Int64(Self.lifetime)
    }
}
