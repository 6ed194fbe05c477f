import EventLoop

/// What was just read and is asked for again and again, for as long as it may be a little old.
final class ShortMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let lifetime: Duration
    /// Beyond, all is forgotten.
    private let capacity: Int
    private let entries = Lock<[Key: (value: Value, readAt: MonotonicTime)]>([:])

    init(lifetime: Duration, capacity: Int) {
        self.lifetime = lifetime
        self.capacity = capacity
    }

    func value(of key: Key, reading read: () async throws -> Value) async throws -> Value {
        let start = MonotonicTime.now()
        if let entry = entries.withLock({ $0[key] }), start - entry.readAt < lifetime { return entry.value }
        let value = try await read()
        entries.withLock { entries in
            if entries.count >= capacity { entries.removeAll() }
            entries[key] = (value, start)
        }
        return value
    }
}
