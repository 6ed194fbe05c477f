public import Campaigns
public import HTTPServer
public import Store

/// The credential that a route requires.
public enum Access: Hashable, Sendable {
    /// A secret key with this scope.
    case secret(Scope)
    /// A publishable key of the app, or a secret key with this scope.
    case publishable(or: Scope)
    /// Any key.
    case anyKey
}

/// An authenticated request.
public struct Call: Sendable {
    public internal(set) var request: Request
    public let key: APIKey

    /// The id in a path parameter. A text that is not an id names no resource, so the result is a 404 too.
    public func id<Of>(_ name: String, _ resource: Resource) throws -> Identifier<Of> {
        guard let id = request.parameters[name].flatMap({ Identifier<Of>($0) }) else {
            throw Refusal.notFound(resource)
        }
        return id
    }
}

/// An authenticated request about one app that the key may access. The store checks whether the app exists.
public struct AppCall: Sendable {
    public let call: Call
    public let app: App.ID

    public var request: Request { call.request }
    public var key: APIKey { call.key }

    public func id<Of>(_ name: String, _ resource: Resource) throws -> Identifier<Of> {
        try call.id(name, resource)
    }

    /// The path of a resource of the app, for example of "campaigns" and an id.
    func path(_ collection: String, _ id: some CustomStringConvertible) -> String {
        "/v1/apps/\(app)/\(collection)/\(id)"
    }
}
