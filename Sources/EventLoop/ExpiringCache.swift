/// A cache for values that are read often and may be slightly out of date. Each is stored for `lifetime`.
///
/// When the cache is full, expired values are removed; if there are none, all values are removed.
public final class ExpiringCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        let readAt: MonotonicTime
    }

    private let lifetime: Duration
    private let capacity: Int
    private let entries = Lock<[Key: Entry]>([:])

    public init(lifetime: Duration, capacity: Int) {
        self.lifetime = lifetime
        self.capacity = capacity
    }

    /// Returns the value if it is cached and not older than `age`, by default the lifetime.
    public func value(for key: Key, noOlderThan age: Duration? = nil) -> Value? {
        let now = MonotonicTime.now()
        return entries.withLock { entries in
            guard let entry = entries[key], now - entry.readAt < age ?? lifetime else { return nil }
            return entry.value
        }
    }

    /// Returns the cached value, or calls `read` and caches its result. Nothing is cached if `read` throws.
    public func value(
        for key: Key, noOlderThan age: Duration? = nil, reading read: () async throws -> Value
    ) async throws -> Value {
        if let known = value(for: key, noOlderThan: age) { return known }
        // The time before the read: a change during the read may be missing from the value.
        let start = MonotonicTime.now()
        let value = try await read()
        insert(value, for: key, readAt: start)
        return value
    }

    public func insert(_ value: Value, for key: Key, readAt: MonotonicTime = .now()) {
        entries.withLock { entries in
            if entries.count >= capacity, entries[key] == nil {
                let now = MonotonicTime.now()
                entries = entries.filter { now - $0.value.readAt < lifetime }
                if entries.count >= capacity { entries.removeAll() }
            }
            entries[key] = Entry(value: value, readAt: readAt)
        }
    }

    public func remove(where matches: (Value) -> Bool) {
        entries.withLock { entries in entries = entries.filter { !matches($0.value.value) } }
    }
}
