import Administration
import Application
import Campaigns
import Postgres
import Store

/// The sender of a request: a server or an app with an API key, or a person who is signed in.
enum Caller: Sendable {
    case key(APIKey)
    case person(SignedInUser, SessionToken)

    /// The name in the access log: the visible prefix of a key, or the id of a person.
    var name: String {
        switch self {
        case .key(let key): key.prefix
        case .person(let signedIn, _): "user-\(signedIn.user.id)"
        }
    }

    /// Empty for a publishable key: routes name what it may do.
    var grants: Grants {
        switch self {
        case .key(let key): Grants(key.usableScopes, in: key.app)
        case .person(let signedIn, _): signedIn.user.grants
        }
    }

    /// Whether the caller may know that the app exists.
    func sees(_ app: App.ID) -> Bool {
        switch self {
        case .key(let key): key.app == nil || key.app == app
        case .person(let signedIn, _): signedIn.user.grants.sees(app)
        }
    }

    /// Whether the caller can be anybody, because the key is part of an app that anybody can download.
    var isPublishable: Bool {
        switch self {
        case .key(let key): key.kind == .publishable
        case .person: false
        }
    }

    /// When the caller's access ends; nil for a key without expiry, and for a person.
    var expiresAt: Timestamp? {
        switch self {
        case .key(let key): key.expiresAt
        case .person: nil
        }
    }

    /// The person who answers for what the caller creates: also for what their keys create. Nil for a key of the
    /// console.
    var person: User.ID? {
        switch self {
        case .key(let key): key.createdBy
        case .person(let signedIn, _): signedIn.user.id
        }
    }

    /// From where the caller's key works; a person's session works everywhere.
    var allowedAddresses: AllowedAddresses {
        switch self {
        case .key(let key): key.allowedAddresses
        case .person: .everywhere
        }
    }

    func check(_ permission: Permission, in app: App.ID?) throws(APIError) {
        guard !grants.permissions(in: app).contains(permission) else { return }
        if app == nil, grants.everywhere == nil, grants.hasAnywhere(permission) { throw isLimitedToApps }
        throw lacks(permission)
    }

    /// The refusal when the caller has the permission nowhere, or not in this app.
    func lacks(_ permission: Permission) -> APIError {
        switch self {
        case .key(let key) where key.kind == .publishable:
            .secretKeyRequired
        case .key(let key) where key.withheldScopes.contains(permission):
            .scopeWithheld(permission)
        case .key: .scopeMissing(permission)
        case .person:
            .permissionMissing(permission)
        }
    }

    private var isLimitedToApps: APIError {
        switch self {
        case .key:
            .keyLimitedToOneApp
        case .person:
            .rolesLimitedToApps
        }
    }
}
