import EventLoop

/// The late pushes of one connection, by the tags of their streams.
/// Docs/decisions/sending.md explains why late pushes leave their window.
struct LateTable {
    struct Entry {
        let id: LatePushes.ID
        let owner: LatePushes
        let stream: Int32
        let deadline: MonotonicTime
        /// The part of the answer that has come.
        var result: PushResult
    }

    /// Marks tags of this table; those of windows never have this bit.
    private static let mark = 1 << 62

    private var entries: [Int: Entry] = [:]
    private var last = 0

    static func has(_ tag: Int) -> Bool { tag > 0 && tag & mark != 0 }

    /// Returns the tag for its stream.
    mutating func add(_ entry: Entry) -> Int {
        last += 1
        entries[last | Self.mark] = entry
        return last | Self.mark
    }

    subscript(tag: Int) -> Entry? {
        get { entries[tag] }
        set { entries[tag] = newValue }
    }

    mutating func remove(_ tag: Int) -> Entry? { entries.removeValue(forKey: tag) }

    func expired(at now: MonotonicTime) -> [Int] { entries.filter { $0.value.deadline <= now }.map(\.key) }

    mutating func removeAll() -> [Entry] {
        defer { entries.removeAll() }
        return Array(entries.values)
    }
}
