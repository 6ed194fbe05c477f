public import Campaigns
public import Store

/// Whoever sent a request: a server or an app with an API key.
public enum Caller: Sendable {
    case key(APIKey)

    /// Empty for a publishable key: routes name what it may do.
    public var grants: Grants {
        switch self {
        case .key(let key): key.grants
        }
    }

    /// Whether the caller can be anybody, because the key is part of an app that anybody can download.
    public var isPublishable: Bool {
        switch self {
        case .key(let key): key.kind == .publishable
        }
    }

    func sees(_ app: App.ID) -> Bool { grants.sees(app) }

    func check(_ permission: Permission, in app: App.ID?) throws(APIError) {
        guard !grants.permissions(in: app).contains(permission) else { return }
        if app == nil, grants.everywhere == nil, grants.hasAnywhere(permission) { throw isLimitedToApps }
        throw lacks(permission)
    }

    /// The refusal when the caller has the permission nowhere, or not in this app.
    func lacks(_ permission: Permission) -> APIError {
        if isPublishable {
            return .forbidden(
                "secret-key-required",
                "This requires a secret key. A publishable key can only register its app's devices, read what its app "
                    + "shows and send acknowledgements.")
        }
        return .forbidden("scope-missing", "This API key doesn't have the scope \(permission.rawValue).")
    }

    private var isLimitedToApps: APIError {
        .forbidden(
            "key-limited-to-one-app",
            "This API key belongs to one app, and this request is about all apps. Use the key of an administrator.")
    }
}

extension APIKey {
    var grants: Grants { Grants(scopes, in: app) }
}
