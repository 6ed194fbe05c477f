/// The prepared statements of one connection by text and parameter types. A full cache discards the least recently used
/// statement.
struct StatementCache {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    /// The way to send a statement now.
    enum Use: Equatable {
        case prepare(name: String)
        case execute(name: String)
        /// Not prepared. Used also while the preparation is in flight: if it fails, later statements must not fail too.
        case unnamed
    }

    private struct Entry {
        let name: String
        var isReady = false
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    /// Names of statements that are no longer used but not yet deallocated on the server.
    private var discarded: [String] = []

    /// A capacity of 0 prepares nothing.
    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count }

    mutating func use(_ key: Key) -> Use {
        uses += 1
        if var entry = entries[key] {
            guard entry.isReady else { return .unnamed }
            entry.lastUse = uses
            entries[key] = entry
            return .execute(name: entry.name)
        }
        guard capacity > 0, makeRoom() else { return .unnamed }
        let name = "belfry_\(uses)"
        entries[key] = Entry(name: name, lastUse: uses)
        return .prepare(name: name)
    }

    mutating func prepared(_ key: Key) {
        entries[key]?.isReady = true
    }

    /// The server does not have the statement: it failed to prepare it, or the session was reset.
    mutating func forget(_ key: Key) {
        entries[key] = nil
    }

    /// Discards a statement that is no longer valid on the server, for example after a change of its table.
    mutating func discard(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { discarded.append(entry.name) }
    }

    /// Returns the names to deallocate. A name that could not be deallocated is returned with `keep`.
    mutating func takeDiscarded() -> [String] {
        defer { discarded.removeAll() }
        return discarded
    }

    mutating func keep(_ name: String) {
        discarded.append(name)
    }

    private mutating func makeRoom() -> Bool {
        guard entries.count >= capacity else { return true }
        let oldest = entries.filter(\.value.isReady).min { $0.value.lastUse < $1.value.lastUse }
        guard let oldest else { return false }
        discard(oldest.key)
        return true
    }
}
