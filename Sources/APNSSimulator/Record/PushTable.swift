/// A hash table with one row of 32 bytes for each pair of apns-id and device token (open addressing).
struct PushTable {
    struct Row {
        var id = PushID(high: 0, low: 0)
        var tokenHash: UInt64 = 0
        var accepted: UInt16 = 0
        /// The number of requests with this id and token; 0 in a free row.
        var requests: UInt16 = 0
        /// The status of the last response, sent or not; 0 for none.
        var status: UInt16 = 0
    }

    private(set) var rows: [Row] = []
    private(set) var count = 0

    /// Counts a request. Returns its updated row, and whether its id was also used with another token.
    mutating func note(_ id: PushID, tokenHash: UInt64, isAccepted: Bool, status: Int) -> (Row, isOtherTokens: Bool) {
        if count * 4 >= rows.count * 3 { grow() }
        var isOtherTokens = false
        var slot = start(of: id)
        while rows[slot].requests > 0, rows[slot].id != id || rows[slot].tokenHash != tokenHash {
            if rows[slot].id == id { isOtherTokens = true }
            slot = (slot + 1) & (rows.count - 1)
        }
        if rows[slot].requests == 0 {
            rows[slot].id = id
            rows[slot].tokenHash = tokenHash
            count += 1
        }
        if rows[slot].requests < .max { rows[slot].requests += 1 }
        if isAccepted, rows[slot].accepted < .max { rows[slot].accepted += 1 }
        rows[slot].status = UInt16(clamping: status)
        return (rows[slot], isOtherTokens)
    }

    /// All rows of an id: more than one if it was used with several tokens.
    func rows(of id: PushID) -> [Row] {
        guard !rows.isEmpty else { return [] }
        var found: [Row] = []
        var slot = start(of: id)
        while rows[slot].requests > 0 {
            if rows[slot].id == id { found.append(rows[slot]) }
            slot = (slot + 1) & (rows.count - 1)
        }
        return found
    }

    private func start(of id: PushID) -> Int {
        Int(truncatingIfNeeded: Hash64.mix(id.high ^ Hash64.mix(id.low))) & (rows.count - 1)
    }

    private mutating func grow() {
        let old = rows
        rows = [Row](repeating: Row(), count: max(1_024, old.count * 2))
        for row in old where row.requests > 0 {
            var slot = start(of: row.id)
            while rows[slot].requests > 0 { slot = (slot + 1) & (rows.count - 1) }
            rows[slot] = row
        }
    }
}
