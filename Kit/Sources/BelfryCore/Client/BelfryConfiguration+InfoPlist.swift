import Foundation

extension BelfryConfiguration {
    /// The configuration in an Info.plist, for extensions without code of their own: a dictionary `Belfry` with the
    /// strings `API` and `PublishableKey`, and if needed `AppGroup`, `KeychainGroup` and `MessageIDKey`. Nil without the
    /// first two.
    public init?(infoPlist: [String: Any]) {
        guard let members = infoPlist["Belfry"] as? [String: Any], let api = members["API"] as? String,
            let url = URL(string: api), let key = members["PublishableKey"] as? String
        else { return nil }
        let keys = (members["MessageIDKey"] as? String).map { PayloadKeys(messageID: $0) }
        self.init(
            api: url, publishableKey: key, appGroup: members["AppGroup"] as? String,
            keychainGroup: members["KeychainGroup"] as? String, payloadKeys: keys)
    }
}
