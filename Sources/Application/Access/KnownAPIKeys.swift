public import Campaigns
import Crypto
public import EventLoop
public import Postgres
public import Store

/// Finds API keys by their text. Recently used keys are remembered: the request of a device should not cost a query for
/// its key.
///
/// Docs/decisions/access.md explains which unknown keys are counted.
public struct KnownAPIKeys: Sendable {
    /// The longest time that a key still works here after another process revoked it.
    static let lifetime = Duration.seconds(5)
    static let capacity = 1_024
    /// For how long a key that was valid is never counted as a guess.
    static let trust = Duration.seconds(86_400)
    /// Unknown keys from one network, each of which costs a query.
    static let guesses = TokenBucket.Rule(burst: 20, every: .seconds(1))
    /// The longest wait after many guesses.
    static let longestWait = Duration.seconds(60)
    /// Networks that are remembered.
    static let networks = 10_000

    private let keys: APIKeyStore
    private let known = ExpiringCache<[UInt8], APIKey>(lifetime: lifetime, capacity: capacity)
    private let trusted = ExpiringCache<[UInt8], Bool>(lifetime: trust, capacity: capacity)
    private let guessed = Lock(TokenBuckets<IPAddress?>(capacity: networks))

    public init(_ keys: APIKeyStore) {
        self.keys = keys
    }

    public enum Answer: Equatable, Sendable {
        case found(APIKey)
        /// There is no such key, or it was revoked or has expired.
        case unknown
        /// The network has tried too many unknown keys; another look-up is possible after this time.
        case wait(Duration)
    }

    /// `network` is the client's (`IPAddress.network`).
    public func find(_ text: String, from network: IPAddress?) async throws -> Answer {
        let hash = SHA256.hash(text.utf8)
        if let key = known.value(for: hash) { return key.hasExpired(at: .now) ? .unknown : .found(key) }
        guard APIKeyText.isPlausible(text) else { return .unknown }
        // A client that shares a network with a guesser must not suffer from it.
        let isTrusted = trusted.value(for: hash) == true
        if !isTrusted {
            let delay = guessed.withLock { $0.delay(network, Self.guesses, at: .now()) }
            guard delay == .zero else { return .wait(delay) }
        }
        // Only keys that exist are remembered: guesses must not push out what is used.
        guard let key = try await keys.find(hash: hash) else {
            if !isTrusted { countGuess(from: network) }
            return .unknown
        }
        if key.lastUsedAt.map({ .now - $0 > APIKeyStore.touchInterval }) ?? true { try await keys.touch(key.id) }
        known.insert(key, for: hash)
        trusted.insert(true, for: hash)
        return .found(key)
    }

    /// Counts a look-up that found nothing. It is counted afterwards, because the first requests after a start come
    /// together, from phones that share an address and a key.
    private func countGuess(from network: IPAddress?) {
        guessed.withLock { guessed in
            let now = MonotonicTime.now()
            guard guessed.delay(network, Self.guesses, at: now) < Self.longestWait else { return }
            guessed.use(network, Self.guesses, at: now)
        }
    }

    /// Revokes the key; it stops working here immediately.
    public func revoke(_ id: APIKey.ID, app: App.ID?) async throws {
        try await keys.revoke(id, app: app)
        known.remove { $0.id == id }
    }

    /// A change of what a person may do is noticed here immediately.
    public func forget(of person: User.ID) { known.remove { $0.createdBy == person } }

    /// Replaces the key by a new one; it goes on for `overlap`.
    public func rotate(
        _ key: APIKey, expiresAt: Timestamp?, overlap: Duration, by creator: User.ID?
    ) async throws -> (key: APIKey, text: String) {
        let made = try await keys.rotate(key, expiresAt: expiresAt, overlap: overlap, by: creator)
        known.remove { $0.id == key.id }
        return made
    }
}
