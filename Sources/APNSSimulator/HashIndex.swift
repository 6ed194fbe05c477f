/// From a 64-bit hash to a number, in two flat arrays with open addressing: 12 bytes a slot.
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

    /// The key must not be there yet.
    mutating func insert(_ key: UInt64, _ number: Int) {
        if count * 4 >= keys.count * 3 { grow() }
        place(key, UInt32(number))
        count += 1
    }

    private mutating func place(_ key: UInt64, _ number: UInt32) {
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
        for (key, number) in zip(old.0, old.1) where number != Self.empty { place(key, number) }
    }
}
