import Campaigns
import Crypto
import Notifications

extension SealingContext {
    /// The known text that verifies the key.
    static let instance = SealingContext("instance")

    static func credential(of app: App.ID, key: KeyID) -> SealingContext {
        SealingContext("credentials/\(app)/\(key)")
    }

    /// An answer under an idempotency key; `app` is 0 for what belongs to no app.
    static func answer(in app: Int64, to key: IdempotencyKey) -> SealingContext {
        SealingContext("idempotency_keys/\(app)/\(key.owner.text)/\(key.text)")
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

    static func webhookSecret(of webhook: Webhook.ID, app: App.ID, version: Int16) -> SealingContext {
        SealingContext("webhook_secrets/\(app)/\(webhook)/\(version)")
    }
}
