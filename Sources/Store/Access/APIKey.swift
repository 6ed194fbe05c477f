public import Administration
public import Campaigns
public import Postgres

/// An API key as the database knows it: never the key itself.
public struct APIKey: Hashable, Sendable {
    public typealias ID = Identifier<APIKey>

    public enum Kind: String, Hashable, Sendable {
        /// For servers; its scopes define what it may do.
        case secret
        /// For apps, where anyone can read it: device registration and acknowledgements of its app only.
        case publishable

        /// The prefix of keys of this kind.
        var prefix: String {
            switch self {
            case .secret: "bfs_"
            case .publishable: "bfp_"
            }
        }
    }

    public let id: ID
    /// Nil: an administrator's key, for all apps.
    public let app: App.ID?
    public let kind: Kind
    public let name: String
    public let scopes: Set<Permission>
    /// Those that the key's person does not have any more, so that the key can't use them either.
    public let withheldScopes: Set<Permission>
    /// Whether the key's person is disabled: it does not work until somebody takes it over.
    public let isStopped: Bool
    /// The visible part of the key, to distinguish it from others.
    public let prefix: String
    public let createdAt: Timestamp
    public let revokedAt: Timestamp?
    /// The time from which the key is refused; nil: it does not expire.
    public let expiresAt: Timestamp?

    /// To the minute; nil: never.
    public let lastUsedAt: Timestamp?
    public let allowedAddresses: AllowedAddresses
    /// The person who created the key or took it over, or who created the key that created it; nil for one of the
    /// console. A secret key works only as long as its person can sign in.
    public let createdBy: User.ID?

    /// What the key may do.
    public var usableScopes: Set<Permission> { scopes.subtracting(withheldScopes) }

    public func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}
