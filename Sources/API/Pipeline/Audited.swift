import Administration
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
struct Audited: CallLayer {
    private let rule: AuditRule
    private let pattern: String
    /// Answers GET of the resource that the route changes; nil where something is added to a collection.
    private let reader: CallHandler?
    private let audit: AuditStore
    private let pool: PostgresPool

    /// `readers` are the handlers of GET, by pattern.
    init?(_ route: Route, readers: [String: CallHandler], _ audit: AuditStore, _ pool: PostgresPool) {
        guard !route.audit.isNever else { return nil }
        rule = route.audit
        pattern = route.pattern
        reader = AuditAction.resource(ofPattern: route.pattern).flatMap { readers[$0] }
        self.audit = audit
        self.pool = pool
    }

    func around(_ next: @escaping CallHandler) -> CallHandler {
        { call in
            switch rule.mode(for: call.caller) {
            case .never: return try await next(call)
            case .afterwards:
                let response = try await next(call)
                try await record(call, AuditChange(before: nil, after: nil), response)
                return response
            case .withChange:
                // A slow client must not hold a connection to the database.
                let bytes = try await call.request.body.collect()
                var call = call
                call.request.replaceBody(bytes)
                return try await pool.joiningTransaction { [call] in
                    let before = try await state(of: call)
                    let response = try await next(call)
                    let after = try await state(of: call) ?? Self.body(of: response)
                    try await record(call, AuditChange(before: before, after: after), response)
                    return response
                }
            }
        }
    }

    private func record(_ call: Call, _ change: AuditChange, _ response: Response) async throws {
        try await audit.add(
            AuditEntry(
                actor: call.caller.actor, action: AuditAction.name(call.request.method, pattern),
                resource: response.headers[.location] ?? AuditAction.resource(call.request),
                app: call.request.parameters["app"].flatMap { App.ID($0) },
                address: call.request.clientAddress.host, requestID: call.request.id, before: change.before,
                after: change.after))
    }

    /// The answer to GET of the request's resource; nil when there is none, or not any more.
    private func state(of call: Call) async throws -> JSON? {
        guard let reader else { return nil }
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
