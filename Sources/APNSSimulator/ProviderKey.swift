public import Crypto

/// A provider's signing key as Apple knows it: its public key, and its permissions.
public struct ProviderKey: Sendable, Equatable {
    public enum Scope: Sendable, Equatable {
        /// Any topic of its team.
        case team
        /// Its own topics only. A key and its successor form a family and may share a connection.
        case topics(family: String)
    }

    /// Ten characters, the JWT's `kid`.
    public let keyID: String
    /// Ten characters, the JWT's `iss`.
    public let teamID: String
    /// Nil for a key that the listener does not know.
    public let publicKey: VerifyingKey?
    public var scope: Scope
    /// Bundle ids without a suffix such as `.voip`.
    public var bundleIDs: Set<String>
    public var environments: Set<SimulatorConfiguration.Environment>
    /// Bundle ids that a key which the listener does not know can't use.
    private var reserved: Set<String> = []

    public init(
        keyID: String, teamID: String, publicKey: VerifyingKey, bundleIDs: Set<String>, scope: Scope = .team,
        environments: Set<SimulatorConfiguration.Environment> = [.sandbox, .production]
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.publicKey = publicKey
        self.bundleIDs = bundleIDs
        self.scope = scope
        self.environments = environments
    }

    /// The key of a token that the listener's `keys` don't explain.
    init(unknown token: ProviderToken, besides known: some Collection<ProviderKey>) {
        keyID = token.keyID
        teamID = token.teamID
        publicKey = nil
        scope = .team
        bundleIDs = []
        environments = Set(SimulatorConfiguration.Environment.allCases)
        reserved = known.lazy.filter { $0.teamID != token.teamID }.reduce(into: []) { $0.formUnion($1.bundleIDs) }
    }

    /// Whether the key can push to this app.
    func isValid(for bundleID: String) -> Bool {
        publicKey == nil ? !reserved.contains(bundleID) : bundleIDs.contains(bundleID)
    }

    /// Whether requests with the other key may use a connection on which this key was used first.
    func isRelated(to other: ProviderKey) -> Bool {
        teamID == other.teamID && scope == other.scope
    }
}
