/// A map from 64-bit hashes to numbers, in two flat arrays with open addressing: 12 bytes per slot.
struct HashIndex {
    private static let empty = UInt32.max

    private var keys: [UInt64] = []
    private var numbers: [UInt32] = []
    private(set) var count = 0

    subscript(key: UInt64) -> Int? {
        guard !keys.isEmpty else { return nil }
        var slot = Int(truncatingIfNeeded: key) & (keys.count - 1)
        while numbers[slot] != Self.empty {
            if keys[slot] == key { return Int(numbers[slot]) }
            slot = (slot + 1) & (keys.count - 1)
        }
        return nil
    }

    /// Inserts a key that is not in the index yet.
    mutating func insert(_ key: UInt64, _ number: Int) {
        if count * 4 >= keys.count * 3 { grow() }
        store(key, UInt32(number))
        count += 1
    }

    private mutating func store(_ key: UInt64, _ number: UInt32) {
        var slot = Int(truncatingIfNeeded: key) & (keys.count - 1)
        while numbers[slot] != Self.empty { slot = (slot + 1) & (keys.count - 1) }
        keys[slot] = key
        numbers[slot] = number
    }

    private mutating func grow() {
        let old = (keys, numbers)
        let size = max(1_024, keys.count * 2)
        keys = [UInt64](repeating: 0, count: size)
        numbers = [UInt32](repeating: Self.empty, count: size)
        for (key, number) in zip(old.0, old.1) where number != Self.empty { store(key, number) }
    }
}
