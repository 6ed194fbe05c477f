import Campaigns
public import HTTPServer
public import HTTPTypes
import Logging
import Store

/// The router in the making: every route that goes through here has its credential checked and its errors put
/// into words.
public struct Routes {
    /// Bytes of a body, for routes that do not say otherwise: a payload is 5 kB at most, and six times that when all is escaped.
    public static let defaultBodyLimit = 64 * 1024

    var router: Router
    private let authentication: Authentication
    private let errors: ErrorRendering

    init(authentication: Authentication, errors: ErrorRendering, logger: Logger) {
        router = Router(logger: logger, errorRenderer: { errors.response(to: $0, $1) })
        self.authentication = authentication
        self.errors = errors
    }

    /// For anyone, without a credential.
    public mutating func addOpen(
        _ method: HTTPRequest.Method, _ pattern: String, _ handler: @escaping RequestHandler
    ) {
        let errors = errors
        router.add(method, pattern, bodyLimit: 0) { request in
            do { return try await handler(request) } catch { return errors.response(to: error, request) }
        }
    }

    public mutating func add(
        _ method: HTTPRequest.Method, _ pattern: String, for access: Access,
        bodyLimit: Int = Routes.defaultBodyLimit, _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        let authentication = authentication
        let errors = errors
        router.add(method, pattern, bodyLimit: bodyLimit) { request in
            do {
                let key = try await authentication.key(of: request, for: access)
                return try await handler(Call(request: request, key: key))
            } catch {
                return errors.response(to: error, request)
            }
        }
    }

    /// `path` goes on from /v1/apps/{app} and may be empty. Another app's key gets the 404 that no app would get.
    public mutating func addForApp(
        _ method: HTTPRequest.Method, _ path: String, for access: Access,
        bodyLimit: Int = Routes.defaultBodyLimit, _ handler: @escaping @Sendable (AppCall) async throws -> Response
    ) {
        add(method, "/v1/apps/{app}" + path, for: access, bodyLimit: bodyLimit) { call in
            let app: App.ID = try call.id("app", .app)
            guard call.key.app == nil || call.key.app == app else { throw Refusal.notFound(.app) }
            return try await handler(AppCall(call: call, app: app))
        }
    }
}
