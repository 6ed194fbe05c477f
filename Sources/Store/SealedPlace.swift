import Campaigns
import Notifications

/// Where a secret stands: its table and the row's owner. It is authenticated with the secret, so that a sealed value
/// copied into another row does not open there.
public struct SealedPlace: Hashable, Sendable {
    let text: String

    /// The known text that proves the key.
    static let instance = SealedPlace(text: "instance")

    static func credential(of app: App.ID, key: KeyID) -> SealedPlace {
        SealedPlace(text: "credentials/\(app)/\(key)")
    }

    static func messageKey(of app: App.ID, version: Int16) -> SealedPlace {
        SealedPlace(text: "message_keys/\(app)/\(version)")
    }

    static func providerToken(team: TeamID, key: KeyID) -> SealedPlace {
        SealedPlace(text: "provider_tokens/\(team)/\(key)")
    }
}
