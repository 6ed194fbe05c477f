import Campaigns
import HTTPServer
import HTTPTypes

/// The routes that groups declare, in the order of their declaration.
struct Routes {
    /// The default limit of a body, in bytes: a payload has at most 5 kB, and six times that if everything is escaped.
    static let defaultBodyLimit = 64 * 1024

    private(set) var declared: [Route] = []
    private var group = ""

    mutating func add(_ group: any RouteGroup) {
        self.group = "\(type(of: group))"
        group.add(to: &self)
    }

    /// Adds a route that requires no credential.
    mutating func addOpen(
        _ method: HTTPRequest.Method, _ pattern: String, bodyLimit: Int = 0, toDevices: Bool = false,
        _ handler: @escaping RequestHandler
    ) {
        declared.append(
            Route(
                method: method, pattern: pattern, group: group, work: .open(handler), bodyLimit: bodyLimit,
                isOpenToDevices: toDevices))
    }

    /// Adds a route that accepts the query parameters `query` and no others. Without `audit`, everything but GET is a
    /// change that the audit log records. With `takesIdempotencyKey`, a repeated
    /// request with the same Idempotency-Key is answered as the first, and what `handler` stores is one transaction;
    /// with `answerHoldsSecret`, the answer is neither stored nor repeated.
    mutating func add(
        _ method: HTTPRequest.Method, _ pattern: String, for access: Access, query: [String] = [],
        bodyLimit: Int = Routes.defaultBodyLimit, takesIdempotencyKey: Bool = false, answerHoldsSecret: Bool = false,
        audit: AuditRule? = nil,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        declared.append(
            Route(
                method: method, pattern: pattern, group: group, work: .forCallers(access, handler), query: query,
                bodyLimit: bodyLimit, audit: audit ?? (method == .get ? .never : .changes),
                takesIdempotencyKey: takesIdempotencyKey, answerHoldsSecret: answerHoldsSecret))
    }

    /// Adds a route below /v1/apps/{app}; `path` may be empty. A caller who may not see the app
    /// gets a 404, as for a missing app.
    mutating func addForApp(
        _ method: HTTPRequest.Method, _ path: String, for access: Access, query: [String] = [],
        bodyLimit: Int = Routes.defaultBodyLimit, takesIdempotencyKey: Bool = false, answerHoldsSecret: Bool = false,
        audit: AuditRule? = nil,
        _ handler: @escaping @Sendable (AppCall) async throws -> Response
    ) {
        add(
            method, "/v1/apps/{app}" + path, for: access, query: query, bodyLimit: bodyLimit,
            takesIdempotencyKey: takesIdempotencyKey, answerHoldsSecret: answerHoldsSecret, audit: audit
        ) { call in
            try await handler(AppCall(call: call, app: call.id("app", .app)))
        }
    }
}
