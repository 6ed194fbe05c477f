import Campaigns
import EventLoop

/// Caches values that all devices of an app fetch, until one of their rows changes: a request costs a query for ids and
/// versions instead of reading everything again.
final class VersionedCache<Of: Sendable, Value: Sendable>: Sendable {
    /// Apps; when there are more, all values are dropped.
    static var capacity: Int { 256 }

    typealias Versions = [(id: Identifier<Of>, version: Int)]

    private let values = Lock<[App.ID: (versions: Versions, value: Value)]>([:])

    func value(for app: App.ID, at versions: Versions) -> Value? {
        values.withLock { values in
            guard let known = values[app], known.versions.elementsEqual(versions, by: ==) else { return nil }
            return known.value
        }
    }

    func insert(_ value: Value, for app: App.ID, at versions: Versions) {
        values.withLock { values in
            if values.count >= Self.capacity, values[app] == nil { values.removeAll() }
            values[app] = (versions, value)
        }
    }
}
