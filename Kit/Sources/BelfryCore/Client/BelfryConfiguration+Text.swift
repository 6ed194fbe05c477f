import Foundation

extension BelfryConfiguration {
    /// The address as a text, so that the app needs no optional. One that is no address is a diagnostic, and no crash.
    public init(
        api: String, publishableKey: String, appGroup: String? = nil, keychainGroup: String? = nil,
        payloadKeys: PayloadKeys? = nil
    ) {
        // A file has no host, which `mistake` finds.
        self.init(
            api: URL(string: api.trimmingCharacters(in: .whitespacesAndNewlines)) ?? URL(fileURLWithPath: "/"),
            publishableKey: publishableKey, appGroup: appGroup,
            keychainGroup: keychainGroup, payloadKeys: payloadKeys)
    }
}
