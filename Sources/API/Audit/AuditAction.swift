import HTTPServer
import HTTPTypes

/// The names of actions, made of a route: "campaigns.start" of `POST /v1/apps/{app}/campaigns/{campaign}/start`.
enum AuditAction {
    static func name(_ method: HTTPRequest.Method, _ pattern: String) -> String {
        let segments = pattern.split(separator: "/").filter { $0 != "v1" }
        let names = segments.filter { !$0.hasPrefix("{") }
        let inApp = names.first == "apps" && names.count > 1 ? Array(names.dropFirst()) : names
        let isAction = method == .post && names.count > 1 && segments.last?.hasPrefix("{") == false && inApp.count > 1
        if isAction { return inApp.joined(separator: ".") }
        let verb =
            switch method {
            case .get: "read"
            case .post: "create"
            case .put, .patch: "update"
            case .delete: "delete"
            default: method.rawValue.lowercased()
            }
        return method == .get && inApp.count > 1
            ? inApp.joined(separator: ".") : "\(inApp.joined(separator: ".")).\(verb)"
    }

    /// The path, without the installation of a device, which is its secret.
    static func resource(_ request: Request) -> String {
        guard request.parameters["installation"] != nil else { return request.path }
        return withoutLastSegment(request.path)
    }

    /// The pattern of the resource that a route changes: its own, or without the name of an action at its end. Nil for
    /// a collection, to which something is added.
    static func resource(ofPattern pattern: String) -> String? {
        guard !pattern.hasSuffix("}") else { return pattern }
        let resource = withoutLastSegment(pattern)
        return resource.hasSuffix("}") && resource != "/v1/apps/{app}" ? resource : nil
    }

    static func withoutLastSegment(_ path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }
}
