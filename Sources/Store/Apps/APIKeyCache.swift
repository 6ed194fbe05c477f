import EventLoop

/// Keys that were used just now: a phone's request should not cost a query for its key.
final class APIKeyCache: Sendable {
    /// How long a key that was revoked elsewhere still works.
    static let lifetime = Duration.seconds(5)
    static let capacity = 1_024

    private struct Entry {
        let key: APIKey
        let expires: MonotonicTime
    }

    private let entries = Lock<[[UInt8]: Entry]>([:])

    subscript(hash: [UInt8]) -> APIKey? {
        let now = MonotonicTime.now()
        return entries.withLock { entries in
            guard let entry = entries[hash], entry.expires > now else { return nil }
            return entry.key
        }
    }

    func insert(_ key: APIKey, hash: [UInt8]) {
        let now = MonotonicTime.now()
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries = entries.filter { $0.value.expires > now } }
            if entries.count >= Self.capacity { entries.removeAll() }
            entries[hash] = Entry(key: key, expires: now + Self.lifetime)
        }
    }

    func remove(_ id: APIKey.ID) {
        entries.withLock { entries in entries = entries.filter { $0.value.key.id != id } }
    }
}
