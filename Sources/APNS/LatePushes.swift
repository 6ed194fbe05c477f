internal import EventLoop

/// Pushes that leave their window before they are answered, so that a few late answers do not hold up the window.
///
/// The functions are called on the client's loop.
public struct LatePushes: Sendable {
    /// The window, by the number that it was reset with, and the index of the push in it.
    public struct ID: Hashable, Sendable {
        public let window: Int
        public let index: Int

        public init(window: Int, index: Int) {
            self.window = window
            self.index = index
        }
    }

    /// Asked for each push before it leaves; false if too many are late already.
    let mayLeave: @Sendable () -> Bool
    /// Called once for each push that has left, with its result.
    let resolved: @Sendable (ID, PushResult) -> Void

    public init(
        mayLeave: @escaping @Sendable () -> Bool, resolved: @escaping @Sendable (ID, PushResult) -> Void
    ) {
        self.mayLeave = mayLeave
        self.resolved = resolved
    }
}

/// The late pushes of one connection, by the tags of their streams.
struct LateTable {
    struct Entry {
        let id: LatePushes.ID
        let owner: LatePushes
        let stream: Int32
        let deadline: MonotonicTime
        var result = PushResult()
    }

    /// Marks tags of this table; those of windows never have this bit.
    private static let mark = 1 << 62

    private var entries: [Int: Entry] = [:]
    private var last = 0

    var isEmpty: Bool { entries.isEmpty }

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
