/// A cache keyed by the bytes of a short text, such as a locale or a time zone. It is emptied when it is full, so that
/// arbitrary names cannot exhaust memory.
struct ByteKeyedCache<Value> {
    private struct Entry {
        let key: [UInt8]
        let hash: UInt64
        let value: Value
    }

    static var maximumCount: Int { 1024 }
    private static var slotCount: Int { 2 * maximumCount }

    private var slots = [Int32](repeating: -1, count: ByteKeyedCache.slotCount)
    private var entries: [Entry] = []

    init() {}

    func value(of key: UnsafeRawBufferPointer) -> Value? {
        let hash = Self.hash(key)
        var slot = Self.firstSlot(hash)
        while slots[slot] >= 0 {
            let entry = Int(slots[slot])
            if entries[entry].hash == hash, entries[entry].key.elementsEqual(key) { return entries[entry].value }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return nil
    }

    /// Adds a key that the cache does not contain.
    mutating func add(_ key: UnsafeRawBufferPointer, _ value: Value) {
        if entries.count == Self.maximumCount { self = ByteKeyedCache() }
        let hash = Self.hash(key)
        var slot = Self.firstSlot(hash)
        while slots[slot] >= 0 { slot = (slot + 1) & (Self.slotCount - 1) }
        slots[slot] = Int32(entries.count)
        entries.append(Entry(key: Array(key), hash: hash, value: value))
    }

    private static func firstSlot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (slotCount - 1) }

    private static func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(key.count) &* 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index < key.count {
            var word: UInt64 = 0
            let end = min(index &+ 8, key.count)
            while index < end {
                word = word << 8 | UInt64(key[index])
                index &+= 1
            }
            hash = (hash ^ word) &* 0xBF58_476D_1CE4_E5B9
            hash ^= hash >> 29
        }
        return hash
    }
}
