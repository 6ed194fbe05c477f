import Campaigns
import Crypto
import Notifications

extension SealedPlace {
    /// The known text that proves the key.
    static let instance = SealedPlace("instance")

    static func credential(of app: App.ID, key: KeyID) -> SealedPlace {
        SealedPlace("credentials/\(app)/\(key)")
    }

    static func messageKey(of app: App.ID, version: Int16) -> SealedPlace {
        SealedPlace("message_keys/\(app)/\(version)")
    }

    static func providerToken(team: TeamID, key: KeyID) -> SealedPlace {
        SealedPlace("provider_tokens/\(team)/\(key)")
    }
}
