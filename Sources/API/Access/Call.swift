import Administration
import Campaigns
import HTTPServer

/// An authenticated request.
struct Call: Sendable {
    var request: Request
    let caller: Caller
    /// Asks again whether the caller may use the route: an answer can last longer than a key or a session.
    let isStillPermitted: @Sendable () async throws -> Bool

    /// The id in a path parameter. A text that is not an id names no resource, so the result is a 404 too.
    func id<Of>(_ name: String, _ resource: Resource) throws -> Identifier<Of> {
        guard let id = request.parameters[name].flatMap({ Identifier<Of>($0) }) else {
            throw Refusal.notFound(resource)
        }
        return id
    }
}

/// An authenticated request about one app that the caller may access. The store checks whether the app exists.
struct AppCall: Sendable {
    let call: Call
    let app: App.ID

    var request: Request { call.request }
    var caller: Caller { call.caller }

    func id<Of>(_ name: String, _ resource: Resource) throws -> Identifier<Of> {
        try call.id(name, resource)
    }

    /// Throws unless the caller has a permission in this app that only some requests to a route require.
    func require(_ permission: Permission) throws(APIError) { try caller.check(permission, in: app) }

    /// Whether the caller may see which devices there are. An installation is the only secret of a device.
    var seesDevices: Bool { caller.grants.permissions(in: app).contains(.devicesRead) }

    /// The path of a resource of the app, for example of "campaigns" and an id.
    func path(_ collection: String, _ id: some CustomStringConvertible) -> String {
        "/v1/apps/\(app)/\(collection)/\(id)"
    }
}
