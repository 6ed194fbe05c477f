import HTTPServer
import HTTPTypes
import Postgres
import Store

/// Builds the handler of each route from the layers that its declaration chooses. This is done once, when the server
/// starts; a request only calls them.
struct Pipeline: Sendable {
    let limiter: RateLimiter
    let authentication: Authentication
    let idempotency: IdempotencyStore
    let audit: AuditStore
    let pool: PostgresPool
    let errors: ErrorRendering

    /// The layers of a route until its caller is known, outermost first. A layer is nil where it does not apply.
    func outerLayers(of route: Route) -> [any RequestLayer] {
        let layers: [(any RequestLayer)?] = [
            // Outside of the errors: a page in a web view must be able to read refusals, too.
            CrossOrigin(route),
            ErrorAnswers(route, errors),
            // Before the key is looked up, which can cost a query.
            RequestLimit(route, limiter),
            // Of open routes. On others, strangers learn nothing about the parameters.
            KnownQuery(ofOpen: route),
        ]
        return layers.compactMap { $0 }
    }

    /// The layers of a route for callers, from `Authenticated` inwards.
    func innerLayers(of route: Route, readers: [String: CallHandler]) -> [any CallLayer] {
        let layers: [(any CallLayer)?] = [
            // Outside of the errors: refusals tell the caller what is left, too.
            CallerLimit(limiter),
            ErrorAnswers(route, errors),
            Allowed(route),
            KnownQuery(route),
            Caching(route),
            Conditional(route),
            // Outside of the audit: a repeated request changes nothing, and is not recorded again.
            Idempotent(route, idempotency),
            Audited(route, readers: readers, audit, pool),
        ]
        return layers.compactMap { $0 }
    }

    func router(of routes: [Route]) -> Router {
        var router = Router(logger: errors.logger) { errors.response(to: $0, $1) }
        let readers = Self.readers(routes)
        for route in routes {
            router.add(
                route.method, route.pattern, bodyLimit: route.bodyLimit, handler(of: route, readers: readers))
        }
        for (pattern, answer) in CrossOrigin.preflights(for: routes) {
            router.add(.options, pattern, bodyLimit: 0) { _ in answer }
        }
        return router
    }

    private func handler(of route: Route, readers: [String: CallHandler]) -> RequestHandler {
        let inner: RequestHandler =
            switch route.work {
            case .open(let handler): handler
            case .forCallers(let access, let handler):
                Authenticated(authentication, access)
                    .before(innerLayers(of: route, readers: readers).around(handler))
            }
        return outerLayers(of: route).around(inner)
    }

    /// The handlers of GET, by pattern: the audit log reads with them what a route changes.
    private static func readers(_ routes: [Route]) -> [String: CallHandler] {
        let pairs: [(String, CallHandler)] = routes.compactMap { route in
            guard route.method == .get, case .forCallers(_, let handler) = route.work else { return nil }
            return (route.pattern, handler)
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
