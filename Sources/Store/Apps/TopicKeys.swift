public import Campaigns
import EventLoop

/// Which topics there are, so that a registration with opt-outs costs no query.
public final class TopicKeys: Sendable {
    /// How long an app's keys are used without a look into the database.
    static let lifetime = Duration.seconds(60)
    /// Apps.
    static let capacity = 1_024

    private struct Entry {
        let keys: Set<String>
        let readAt: MonotonicTime
    }

    private let store: TopicStore
    private let lifetimeBeforeDoubt: Duration
    private let entries = Lock<[App.ID: Entry]>([:])

    /// A key that is not known asks again, but not sooner than `lifetimeBeforeDoubt`.
    public init(store: TopicStore, lifetimeBeforeDoubt: Duration = .seconds(1)) {
        self.store = store
        self.lifetimeBeforeDoubt = lifetimeBeforeDoubt
    }

    /// Which of the keys name no topic of the app.
    public func unknown(among keys: Set<String>, of app: App.ID) async throws -> Set<String> {
        guard !keys.isEmpty else { return [] }
        let start = MonotonicTime.now()
        if let entry = entries.withLock({ $0[app] }) {
            let age = start - entry.readAt
            let unknown = keys.subtracting(entry.keys)
            if age < (unknown.isEmpty ? Self.lifetime : lifetimeBeforeDoubt) { return unknown }
        }
        let known = try await store.keys(app: app)
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries.removeAll() }
            entries[app] = Entry(keys: known, readAt: start)
        }
        return keys.subtracting(known)
    }
}
