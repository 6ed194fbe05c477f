import APNS
import Crypto
import EventLoop
import Notifications
import Store

/// A provider token that all processes share through a database row. Apple limits how often tokens change, so one per
/// process or connection would be too many.
final class SharedTokenSource: ProviderTokenSource {
    /// Seconds. Each process picks a random renewal age in this range, so that one process renews first.
    static let renewalAges = 40 * 60...50 * 60
    /// Seconds. Apple rejects a change within 20 minutes.
    static let minimumAge = 20 * 60
    /// The time that a token is used before the row is read again.
    static let recheckInterval = Duration.seconds(60)

    private let credential: Credential
    private let key: SigningKey
    private let store: ProviderTokenStore
    private let renewalAge = Int.random(in: SharedTokenSource.renewalAges)
    private let cached = Lock<(token: ProviderToken, until: MonotonicTime)?>(nil)

    init(credential: Credential, key: SigningKey, store: ProviderTokenStore) {
        self.credential = credential
        self.key = key
        self.store = store
    }

    func token() async throws -> ProviderToken {
        if let cached = cached.withLock({ $0 }), .now() < cached.until { return cached.token }
        return try await fetch(olderThan: renewalAge)
    }

    func replace(_ token: ProviderToken) async throws -> ProviderToken {
        try await fetch(olderThan: Self.minimumAge)
    }

    private func fetch(olderThan age: Int) async throws -> ProviderToken {
        let (credential, key) = (credential, key)
        let shared = try await store.token(
            team: credential.teamID, keyID: credential.keyID, key: key.publicKey, olderThan: age,
            make: { now in
                try ProviderToken(key: key, keyID: credential.keyID, teamID: credential.teamID, issuedAt: now).text
            })
        let token = ProviderToken(text: shared.text, issuedAt: shared.issuedAt)
        cached.withLock { $0 = (token, .now() + Self.recheckInterval) }
        return token
    }
}
