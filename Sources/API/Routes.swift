import Campaigns
import EventLoop
public import HTTPServer
public import HTTPTypes
import Logging
import Store

/// Builds the router. Every route that is added here checks its credential and turns its errors into problem documents.
public struct Routes {
    /// The default limit of a body, in bytes: a payload has at most 5 kB, and six times that if everything is escaped.
    public static let defaultBodyLimit = 64 * 1024

    var router: Router
    /// The requirements and inputs of each route, in the order of their declaration.
    private(set) var declared: [Declared] = []
    private let authentication: Authentication
    private let idempotent: IdempotentRequests
    private let audited: AuditedRequests
    private let errors: ErrorRendering
    private let limiter: RateLimiter

    init(
        authentication: Authentication, idempotent: IdempotentRequests, audited: AuditedRequests,
        limiter: RateLimiter, errors: ErrorRendering, logger: Logger
    ) {
        self.audited = audited
        router = Router(logger: logger, errorRenderer: { errors.response(to: $0, $1) })
        self.authentication = authentication
        self.idempotent = idempotent
        self.errors = errors
        self.limiter = limiter
    }

    struct Declared: Sendable {
        let method: HTTPRequest.Method
        let pattern: String
        /// Nil for a route that requires no credential.
        let access: Access?
        let query: [String]
        var audit = AuditRule.never
        var takesIdempotencyKey = false
        var answerHoldsSecret = false

        /// For example "GET /v1/apps".
        var name: String { "\(method) \(pattern)" }
    }

    /// Adds a route that requires no credential.
    public mutating func addOpen(
        _ method: HTTPRequest.Method, _ pattern: String, bodyLimit: Int = 0, _ handler: @escaping RequestHandler
    ) {
        declared.append(Declared(method: method, pattern: pattern, access: nil, query: []))
        let errors = errors
        let limiter = limiter
        router.add(method, pattern, bodyLimit: bodyLimit) { request in
            do {
                if pattern.hasPrefix("/v1/") {
                    try limiter.admit(request)
                    try request.checkQuery([])
                }
                return try await handler(request)
            } catch {
                return errors.response(to: error, request)
            }
        }
    }

    /// Adds a route that accepts the query parameters `query` and no others. Without `audit`, everything but GET is a
    /// change that the audit log records. With `takesIdempotencyKey`, a repeated
    /// request with the same Idempotency-Key is answered as the first, and what `handler` stores is one transaction;
    /// with `answerHoldsSecret`, the answer is neither stored nor repeated.
    public mutating func add(
        _ method: HTTPRequest.Method, _ pattern: String, for access: Access, query: [String] = [],
        bodyLimit: Int = Routes.defaultBodyLimit, takesIdempotencyKey: Bool = false, answerHoldsSecret: Bool = false,
        audit: AuditRule? = nil,
        _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        let rule = audit ?? (method == .get ? .never : .changes)
        declared.append(
            Declared(
                method: method, pattern: pattern, access: access, query: query, audit: rule,
                takesIdempotencyKey: takesIdempotencyKey, answerHoldsSecret: answerHoldsSecret))
        if method == .get { audited.readers.withLock { $0[pattern] = handler } }
        let audited = audited
        let authentication = authentication
        let idempotent = idempotent
        let errors = errors
        let limiter = limiter
        router.add(method, pattern, bodyLimit: bodyLimit) { request in
            let caller: Caller
            let quota: RateLimiter.Quota?
            do {
                try limiter.admit(request)
                caller = try await authentication.caller(of: request)
                quota = try limiter.admit(caller)
            } catch {
                var refusal = errors.response(to: error, request).notStored(request)
                if access.isForApps { CrossOrigin.share(&refusal, for: request) }
                return refusal
            }
            var response: Response
            do {
                try access.check(caller, in: try Self.app(of: request))
                try request.checkQuery(query)
                let call = Call(request: request, caller: caller) {
                    do {
                        try access.check(try await authentication.caller(of: request), in: try Self.app(of: request))
                        return true
                    } catch is APIError {
                        return false
                    } catch is Refusal {
                        return false
                    }
                }
                var handle = handler
                let mode = rule.mode(for: caller)
                if mode != .never {
                    handle = { call in try await audited.respond(to: call, at: pattern, mode, handler) }
                }
                response =
                    takesIdempotencyKey
                    ? try await idempotent.respond(to: call, answerHoldsSecret: answerHoldsSecret, handle)
                    : try await handle(call).conditional(on: request)
                // An app's own cache revalidates categories, plans and topics.
                if !caller.isPublishable { response = response.notStored(request) }
            } catch {
                response = errors.response(to: error, request).notStored(request)
            }
            response.caller = caller.name
            response.add(quota)
            if access.isForApps { CrossOrigin.share(&response, for: request) }
            return response
        }
    }

    /// Adds a route below /v1/apps/{app}; `path` may be empty. A caller who may not see the app
    /// gets a 404, as for a missing app.
    public mutating func addForApp(
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

    /// The app in the request's path; nil for a route without one.
    private static func app(of request: Request) throws(Refusal) -> App.ID? {
        guard let text = request.parameters["app"] else { return nil }
        guard let app = App.ID(text) else { throw .notFound(.app) }
        return app
    }
}
