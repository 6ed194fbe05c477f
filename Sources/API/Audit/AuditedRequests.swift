import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Postgres
import Store

/// Records requests in the audit log: who did what, from where, and what changed.
///
/// The recorded change is the difference between the answers to GET of the same resource before and after it; so a new
/// route is recorded without further code.
///
/// Docs/decisions/access.md explains why a record is the difference of two answers.
struct AuditedRequests: Sendable {
    typealias Handler = @Sendable (Call) async throws -> Response

    let pool: PostgresPool
    let audit: AuditStore
    /// GET handlers by pattern, filled while the routes are declared.
    let readers = Lock<[String: Handler]>([:])

    func respond(
        to call: Call, at pattern: String, _ mode: AuditRule.Mode, _ handler: Handler
    ) async throws -> Response {
        switch mode {
        case .never: return try await handler(call)
        case .afterwards:
            let response = try await handler(call)
            try await record(call, pattern, AuditChange(before: nil, after: nil), response)
            return response
        case .withChange:
            // A slow client must not hold a connection to the database.
            let bytes = try await call.request.body.collect()
            var call = call
            call.request.replaceBody(bytes)
            return try await pool.joiningTransaction { [call] in
                let before = try await state(of: call, pattern)
                let response = try await handler(call)
                let after = try await state(of: call, pattern) ?? Self.body(of: response)
                try await record(call, pattern, AuditChange(before: before, after: after), response)
                return response
            }
        }
    }

    /// A record about somebody who has just signed in.
    func record(_ action: String, by signedIn: SignedInUser, _ request: Request) async throws {
        try await audit.add(
            AuditEntry(
                actor: signedIn.actor, action: action, resource: "/v1/session", address: request.clientAddress.host,
                requestID: request.id))
    }

    private func record(_ call: Call, _ pattern: String, _ change: AuditChange, _ response: Response) async throws {
        try await audit.add(
            AuditEntry(
                actor: call.caller.actor, action: AuditAction.name(call.request.method, pattern),
                resource: response.headers[.location] ?? AuditAction.resource(call.request),
                app: call.request.parameters["app"].flatMap { App.ID($0) },
                address: call.request.clientAddress.host, requestID: call.request.id, before: change.before,
                after: change.after))
    }

    /// The answer to GET of the request's resource; nil when there is none, or not any more.
    private func state(of call: Call, _ pattern: String) async throws -> JSON? {
        guard let resource = AuditAction.resource(ofPattern: pattern),
            let reader = readers.withLock({ $0[resource] })
        else { return nil }
        do {
            return Self.body(of: try await reader(call))
        } catch let refusal as Refusal where refusal.kind == .notFound {
            return nil
        }
    }

    private static func body(of response: Response) -> JSON? {
        guard case .bytes(let bytes) = response.body, !bytes.isEmpty else { return nil }
        return try? JSON(parsing: bytes)
    }
}

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

extension Caller {
    var actor: AuditEntry.Actor {
        switch self {
        case .key(let key): AuditEntry.Actor(.key, id: key.id.rawValue, name: "\(key.name) (\(key.prefix))")
        case .person(let signedIn, _): signedIn.actor
        }
    }
}

extension SignedInUser {
    fileprivate var actor: AuditEntry.Actor {
        AuditEntry.Actor(.user, id: user.id.rawValue, name: user.email.text)
    }
}
