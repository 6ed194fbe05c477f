public import Campaigns
public import Crypto
import EventLoop

/// The message keys of apps that were acknowledged just now, so that an event costs a tag and no query.
public final class AcknowledgementKeys: Sendable {
    /// How long the keys of an app are used without a look into the database.
    static let lifetime = Duration.seconds(60)
    /// A tag that fits no key asks for newer keys, but not sooner than this: anyone can make a tag up.
    static let lifetimeBeforeDoubt = Duration.seconds(5)
    /// Apps.
    static let capacity = 1_024

    private struct Entry {
        let keys: [HMACKey]
        let readAt: MonotonicTime
    }

    private let store: MessageKeyStore
    private let entries = Lock<[App.ID: Entry]>([:])

    public init(store: MessageKeyStore) {
        self.store = store
    }

    /// Newest first; empty when there is no such app. `inDoubt`: what was returned before did not fit.
    public func keys(of app: App.ID, inDoubt: Bool = false) async throws -> [HMACKey] {
        let lifetime = inDoubt ? Self.lifetimeBeforeDoubt : Self.lifetime
        let start = MonotonicTime.now()
        if let entry = entries.withLock({ $0[app] }), start - entry.readAt < lifetime { return entry.keys }
        let keys = try await store.messageKeys(app: app).sorted { $0.key > $1.key }.map(\.value)
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries.removeAll() }
            entries[app] = Entry(keys: keys, readAt: start)
        }
        return keys
    }
}
