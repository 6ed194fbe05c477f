public import Campaigns
import EventLoop
public import Store

/// The topics of apps, remembered so that a registration with opt-outs costs no query.
public final class TopicKeyCache: Sendable {
    static let lifetime = Duration.seconds(60)
    /// Apps.
    static let capacity = 1_024

    private let store: TopicStore
    private let minimumAge: Duration
    private let cached = ExpiringCache<App.ID, Set<String>>(lifetime: lifetime, capacity: capacity)

    /// An unknown key reads the topics again, but not sooner than after `minimumAge`.
    public init(store: TopicStore, minimumAge: Duration = .seconds(1)) {
        self.store = store
        self.minimumAge = minimumAge
    }

    /// The keys that name no topic of the app.
    public func unknown(among keys: Set<String>, of app: App.ID) async throws -> Set<String> {
        guard !keys.isEmpty else { return [] }
        if let cached = cached.value(for: app), keys.isSubset(of: cached) { return [] }
        return keys.subtracting(
            try await cached.value(for: app, noOlderThan: minimumAge) { try await store.keys(app: app) })
    }
}
