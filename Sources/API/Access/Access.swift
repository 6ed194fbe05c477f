import Administration
import Campaigns
import Store

/// The access that a route requires of its caller.
enum Access: Hashable, Sendable {
    /// This permission: in the app of the route, or for a route without an app in all apps.
    case permission(Permission)
    /// This permission in at least one app. The handler shows what belongs to those apps.
    case permissionInAnyApp(Permission)
    /// A publishable key of the app, or this permission.
    case publishable(or: Permission)
    /// Any API key.
    case key
    /// A person who is signed in.
    case person
}

extension Access: CustomStringConvertible {
    var description: String {
        switch self {
        case .permission(let permission): "`\(permission.rawValue)`"
        case .permissionInAnyApp(let permission): "`\(permission.rawValue)` in any app"
        case .publishable(or: let permission): "a publishable key, or `\(permission.rawValue)`"
        case .key: "an API key"
        case .person: "a person who is signed in"
        }
    }
}

extension Access {
    /// Throws the refusal for a caller without this access. `app` is the app of the route; nil for a route
    /// without one.
    func check(_ caller: Caller, in app: App.ID?) throws {
        // To everybody else, the app does not exist.
        if let app, !caller.sees(app) { throw Refusal.notFound(.app) }
        switch (self, caller) {
        case (.key, .key), (.person, .person): return
        case (.key, .person):
            throw APIError.keyRequired
        case (.person, .key):
            throw APIError.signInRequired
        case (.publishable, .key(let key)) where key.kind == .publishable: return
        case (.publishable(or: let permission), _), (.permission(let permission), _):
            try caller.check(permission, in: app)
        case (.permissionInAnyApp(let permission), _):
            guard caller.grants.hasAnywhere(permission) else { throw caller.lacks(permission) }
        }
    }
}
