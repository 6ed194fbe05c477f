import EventLoop
import Logging

/// Warnings and errors that are logged again and again: the first is written, the following are counted, and after a
/// minute one line says how many there were.
///
/// Lines are the same if event, reason, app and run are: a failover loses a thousand batches for one reason.
struct RepeatedLines {
    /// The time for which lines are counted.
    static let window = Duration.seconds(60)
    /// The different lines that are counted at a time. Further ones are written.
    static let limit = 256

    private struct Key: Hashable {
        let level: Logger.Level
        let message: String
        let values: [String?]

        init(_ line: LogLine) {
            level = line.level
            message = line.message
            values = ["reason", "error", "app", "run"].map { line.fields[$0].map { "\($0)" } }
        }
    }

    private struct Entry {
        var began: MonotonicTime
        var count = 0
        /// The last of the lines that were not written.
        var line: LogLine?
    }

    private var entries: [Key: Entry] = [:]
    /// When the first of the windows ends.
    private var firstEnd: MonotonicTime?

    /// Whether the line is to be written. Call `due` before it.
    mutating func mustWrite(_ line: LogLine, at now: MonotonicTime) -> Bool {
        guard line.level >= .warning else { return true }
        let key = Key(line)
        if entries[key] != nil {
            entries[key]?.count += 1
            entries[key]?.line = line
            return false
        }
        if entries.count < Self.limit {
            entries[key] = Entry(began: now)
            firstEnd = firstEnd ?? now + Self.window
        }
        return true
    }

    /// The lines to be written because their minute is over, with their counts. What goes on is counted for another
    /// minute.
    mutating func due(at now: MonotonicTime) -> [LogLine] {
        guard let firstEnd, now >= firstEnd else { return [] }
        var lines: [LogLine] = []
        for (key, entry) in entries where now >= entry.began + Self.window {
            entries[key] = entry.count > 0 ? Entry(began: now) : nil
            if let line = Self.counted(entry, at: now) { lines.append(line) }
        }
        self.firstEnd = entries.values.map { $0.began + Self.window }.min()
        return lines.sorted { $0.date < $1.date }
    }

    /// The counts so far, at the end of the process.
    mutating func takeAll(at now: MonotonicTime) -> [LogLine] {
        defer { (entries, firstEnd) = ([:], nil) }
        return entries.values.compactMap { Self.counted($0, at: now) }.sorted { $0.date < $1.date }
    }

    private static func counted(_ entry: Entry, at now: MonotonicTime) -> LogLine? {
        guard var line = entry.line else { return nil }
        line.repeats = (entry.count, Int((now - entry.began).components.seconds))
        return line
    }
}
