public import Campaigns
public import Notifications
public import Store

/// Asks Apple about signing keys. The process provides the implementation, because the API doesn't depend on the
/// dispatcher.
public protocol CredentialChecker: Sendable {
    /// A finding for each of the draft's environments. Nothing is stored, and no device gets anything.
    func check(_ draft: CredentialDraft, for bundleID: BundleID) async -> [CredentialFinding]
}
