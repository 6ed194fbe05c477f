public import Campaigns
import Crypto
import EventLoop
import Postgres
public import Store

/// Finds API keys by their text. Recently used keys are remembered: the request of a device should not cost a query for
/// its key.
public struct KnownAPIKeys: Sendable {
    /// How long a key that another process revoked still works here.
    static let lifetime = Duration.seconds(5)
    static let capacity = 1_024

    private let keys: APIKeyStore
    private let known = ExpiringCache<[UInt8], APIKey>(lifetime: lifetime, capacity: capacity)

    public init(_ keys: APIKeyStore) {
        self.keys = keys
    }

    /// Nil when there is no such key, or it was revoked or has expired.
    public func find(_ text: String) async throws -> APIKey? {
        guard APIKeyText.isPlausible(text) else { return nil }
        let hash = SHA256.hash(text.utf8)
        if let key = known.value(for: hash) { return key.hasExpired(at: .now) ? nil : key }
        // Only keys that exist are remembered: guesses must not push out what is used.
        guard let key = try await keys.find(hash: hash) else { return nil }
        known.insert(key, for: hash)
        return key
    }

    /// Revokes the key; it stops working here immediately.
    public func revoke(_ id: APIKey.ID, app: App.ID?) async throws {
        try await keys.revoke(id, app: app)
        known.remove { $0.id == id }
    }
}
