public import Campaigns
public import Crypto
import EventLoop
public import Store

/// The message keys of apps, remembered so that verifying an event costs a tag and no query.
public final class MessageKeyCache: Sendable {
    static let lifetime = Duration.seconds(60)
    /// A tag that matches no key reads the keys again, but only if they are older than this: anyone can invent tags.
    static let minimumAge = Duration.seconds(5)
    /// Apps.
    static let capacity = 1_024

    private let store: MessageKeyStore
    private let known = ExpiringCache<App.ID, [HMACKey]>(lifetime: lifetime, capacity: capacity)

    public init(store: MessageKeyStore) {
        self.store = store
    }

    /// Newest first; empty when there is no such app. `isStale`: the tag matches none of the keys returned before.
    public func keys(of app: App.ID, isStale: Bool = false) async throws -> [HMACKey] {
        try await known.value(for: app, noOlderThan: isStale ? Self.minimumAge : nil) {
            try await store.messageKeys(app: app).sorted { $0.key > $1.key }.map(\.value)
        }
    }
}
