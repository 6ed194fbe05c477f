public import Campaigns
public import Crypto
public import Notifications

/// A signing key that is not stored yet.
public struct CredentialDraft: Sendable {
    public let keyID: KeyID
    public let teamID: TeamID
    public let key: SigningKey
    /// Not empty.
    public let environments: Set<PushEnvironment>

    public init(keyID: KeyID, teamID: TeamID, key: SigningKey, environments: Set<PushEnvironment>) {
        self.keyID = keyID
        self.teamID = teamID
        self.key = key
        self.environments = environments
    }
}
