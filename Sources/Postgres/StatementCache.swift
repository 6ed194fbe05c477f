/// The prepared statements of one connection by their text and parameter types; when it is full,
/// the one that was used longest ago goes.
struct StatementCache {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    /// How to send a statement now.
    enum Use: Equatable {
        case prepare(name: String)
        case execute(name: String)
        /// Not prepared. Also while its preparation is under way: if that fails, it must not take
        /// the statements behind it along.
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
    /// Names that the server still knows and nobody uses any more.
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

    /// The server refused to prepare it.
    mutating func refused(_ key: Key) {
        entries[key] = nil
    }

    /// The server's copy is of no use any more, for example after a change of its table.
    mutating func discard(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { discarded.append(entry.name) }
    }

    /// Names to deallocate. One that could not be comes back by `keep`.
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
