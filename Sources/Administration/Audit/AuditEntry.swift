public import Campaigns

/// The content of one record of the audit log, before it has a place in the chain.
public struct AuditEntry: Hashable, Sendable {
    /// The person, key or schedule that did it. The name stays readable when the person or key is gone.
    public struct Actor: Hashable, Sendable {
        public enum Kind: String, Sendable {
            case user, key
            /// A person who can run commands on the server.
            case console
            /// Belfry itself, because a campaign's time has come.
            case schedule
            /// Nobody who is known: before the first sign-in, or after a wrong password.
            case nobody
        }

        public let kind: Kind
        public let id: Int64?
        public let name: String

        public init(_ kind: Kind, id: Int64? = nil, name: String) {
            self.kind = kind
            self.id = id
            self.name = name
        }
    }

    public let actor: Actor
    /// The name of the action, like "campaigns.start".
    public let action: String
    /// Its path in the API, like "/v1/apps/1/campaigns/7".
    public let resource: String
    public let app: App.ID?
    /// The client's address; empty on the console.
    public let address: String
    public let requestID: String
    /// The members that changed, as JSON, without secrets.
    public let before: String?
    public let after: String?

    public init(
        actor: Actor, action: String, resource: String, app: App.ID? = nil, address: String = "",
        requestID: String = "", before: String? = nil, after: String? = nil
    ) {
        self.actor = actor
        self.action = action
        self.resource = resource
        self.app = app
        self.address = address
        self.requestID = requestID
        self.before = before
        self.after = after
    }
}

public enum Audit {
    public typealias ID = Identifier<Audit>
}
