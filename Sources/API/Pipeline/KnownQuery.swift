import HTTPServer

/// Refuses query parameters that the route does not declare.
struct KnownQuery: RequestLayer, CallLayer {
    private let known: [String]

    init(_ route: Route) { known = route.query }

    /// For open routes. Monitoring and links to files may add parameters of their own.
    init?(ofOpen route: Route) {
        guard route.access == nil, route.isVersioned else { return nil }
        known = route.query
    }

    func around(_ next: @escaping RequestHandler) -> RequestHandler {
        { request in
            try request.checkQuery(known)
            return try await next(request)
        }
    }

    func around(_ next: @escaping CallHandler) -> CallHandler {
        { call in
            try call.request.checkQuery(known)
            return try await next(call)
        }
    }
}
