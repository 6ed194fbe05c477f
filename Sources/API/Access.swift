public import Campaigns

/// What a route requires of its caller.
public enum Access: Hashable, Sendable {
    /// This permission: in the app of the route, or for a route without an app in all apps.
    case permission(Permission)
    /// This permission in at least one app. The handler shows what belongs to those apps.
    case permissionInAnyApp(Permission)
    /// A publishable key of the app, or this permission.
    case publishable(or: Permission)
    /// Any API key.
    case anyKey
}

extension Access {
    /// Throws what the caller is told when this access is not given. `app` is the app of the route; nil for a route
    /// without one.
    func check(_ caller: Caller, in app: App.ID?) throws {
        // To everybody else, the app does not exist.
        if let app, !caller.sees(app) { throw Refusal.notFound(.app) }
        switch self {
        case .anyKey: return
        case .publishable(let permission):
            if !caller.isPublishable { try caller.check(permission, in: app) }
        case .permission(let permission): try caller.check(permission, in: app)
        case .permissionInAnyApp(let permission):
            guard caller.grants.hasAnywhere(permission) else { throw caller.lacks(permission) }
        }
    }
}
