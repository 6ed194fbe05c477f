import Campaigns
import Crypto
import Notifications

extension SealingContext {
    /// The known text that verifies the key.
    static let instance = SealingContext("instance")

    static func credential(of app: App.ID, key: KeyID) -> SealingContext {
        SealingContext("credentials/\(app)/\(key)")
    }

    /// An answer under an idempotency key; `owner` is an app's id, or 0.
    static func answer(of owner: Int64, key: String) -> SealingContext {
        SealingContext("idempotency_keys/\(owner)/\(key)")
    }

    static func identityKey(of app: App.ID, version: Int16) -> SealingContext {
        SealingContext("identity_keys/\(app)/\(version)")
    }

    static func messageKey(of app: App.ID, version: Int16) -> SealingContext {
        SealingContext("message_keys/\(app)/\(version)")
    }

    static func providerToken(team: TeamID, keyID: KeyID, keyHash: String) -> SealingContext {
        SealingContext("provider_tokens/\(team)/\(keyID)/\(keyHash)")
    }
}
