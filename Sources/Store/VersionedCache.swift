import Campaigns
import EventLoop

/// What phones of an app fetch over and over, kept until a row of it is another: it costs a look at ids and versions
/// instead of reading all of it again.
final class VersionedCache<Value: Sendable>: Sendable {
    /// Apps; beyond, all are forgotten.
    static var capacity: Int { 256 }

    /// The ids and versions of the rows that a value is made of.
    struct Stamp: Equatable, Sendable {
        private let rows: [[Int64]]

        init<Of>(_ rows: [(id: Identifier<Of>, version: Int)]) {
            self.rows = rows.map { [$0.id.rawValue, Int64($0.version)] }
        }
    }

    private let values = Lock<[App.ID: (stamp: Stamp, value: Value)]>([:])

    func value(of app: App.ID, at stamp: Stamp) -> Value? {
        values.withLock { values in
            guard let kept = values[app], kept.stamp == stamp else { return nil }
            return kept.value
        }
    }

    func keep(_ value: Value, of app: App.ID, at stamp: Stamp) {
        values.withLock { values in
            if values.count >= Self.capacity, values[app] == nil { values.removeAll() }
            values[app] = (stamp, value)
        }
    }
}
