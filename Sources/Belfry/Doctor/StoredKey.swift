import APNS
import Campaigns
import Crypto
import Notifications
import Store

/// A signing key of the database, and the provider token to ask about it with.
struct StoredKey: Sendable {
    let stored: CredentialStore.Stored
    /// Nil if the key can't be opened.
    let token: ProviderToken?

    /// Seconds. A token that processes use is used, because Apple limits how often a key gets a new one.
    private static let tokenAge = 50 * 60
    /// More are not read: the newest ones.
    static let maximum = 50

    static func all(_ stores: Stores) async throws -> [StoredKey] {
        let now = try await stores.clock.now()
        var keys: [StoredKey] = []
        for stored in try await stores.credentials.stored(limit: maximum) {
            keys.append(StoredKey(stored: stored, token: try await token(stored, stores, now)))
        }
        return keys
    }

    private static func token(
        _ stored: CredentialStore.Stored, _ stores: Stores, _ now: Int
    ) async throws -> ProviderToken? {
        guard let key = stored.key else { return nil }
        let (team, keyID) = (stored.credential.teamID, stored.credential.keyID)
        if let shared = try await stores.providerTokens.current(
            team: team, keyID: keyID, key: key.publicKey, youngerThan: tokenAge)
        {
            return ProviderToken(text: shared.text, issuedAt: shared.issuedAt)
        }
        return try ProviderToken(key: key, keyID: keyID, teamID: team, issuedAt: now)
    }
}
