public import Campaigns

/// The permissions of a caller: in all apps, and in single ones.
public struct Grants: Hashable, Sendable {
    /// In all apps, and for what belongs to no app; nil for a caller who only has single apps.
    public let everywhere: Set<Permission>?
    public let inApps: [App.ID: Set<Permission>]

    public init(everywhere: Set<Permission>?, inApps: [App.ID: Set<Permission>] = [:]) {
        self.everywhere = everywhere
        self.inApps = inApps
    }

    /// The permissions in all apps, or without `app` in the one app.
    public init(_ permissions: Set<Permission>, in app: App.ID?) {
        if let app {
            self.init(everywhere: nil, inApps: [app: permissions])
        } else {
            self.init(everywhere: permissions)
        }
    }

    /// The permissions that the roles give together; an assignment without an app is for all apps.
    public init(_ assignments: [RoleAssignment]) {
        var everywhere: Set<Permission>?
        var inApps: [App.ID: Set<Permission>] = [:]
        for assignment in assignments {
            let permissions = assignment.role.permissions
            if let app = assignment.app {
                inApps[app, default: []].formUnion(permissions)
            } else {
                everywhere = (everywhere ?? []).union(permissions)
            }
        }
        self.init(everywhere: everywhere, inApps: inApps)
    }

    /// The permissions in this app, or without one for what belongs to no app.
    public func permissions(in app: App.ID?) -> Set<Permission> {
        (everywhere ?? []).union(app.flatMap { inApps[$0] } ?? [])
    }

    /// Whether the caller may know that the app exists.
    public func sees(_ app: App.ID) -> Bool { everywhere != nil || inApps[app] != nil }

    public func hasAnywhere(_ permission: Permission) -> Bool {
        everywhere?.contains(permission) == true || inApps.values.contains { $0.contains(permission) }
    }

    /// The apps in which the caller has the permission; nil for all.
    public func apps(with permission: Permission) -> Set<App.ID>? {
        if everywhere?.contains(permission) == true { return nil }
        return Set(inApps.lazy.filter { $0.value.contains(permission) }.map(\.key))
    }

    /// Whether everything that these grants allow is allowed by `others`, too.
    public func isWithin(_ others: Grants) -> Bool {
        guard (everywhere ?? []).isSubset(of: others.everywhere ?? []) else { return false }
        guard everywhere == nil || others.everywhere != nil else { return false }
        return inApps.allSatisfy { $0.value.isSubset(of: others.permissions(in: $0.key)) }
    }
}

/// A role in one app, or without an app in all of them.
public struct RoleAssignment: Hashable, Sendable {
    public let role: Role
    public let app: App.ID?

    public init(_ role: Role, in app: App.ID? = nil) {
        self.role = role
        self.app = app
    }
}
