import Campaigns
import HTTPServer

/// Refuses callers who may not use the route. To those who may not see the app, it does not exist.
struct Allowed: CallLayer {
    private let access: Access

    init?(_ route: Route) {
        guard let access = route.access else { return nil }
        self.access = access
    }

    func around(_ next: @escaping CallHandler) -> CallHandler {
        { call in
            try access.check(call.caller, in: try call.request.app)
            return try await next(call)
        }
    }
}

extension Request {
    /// The app in the request's path; nil for a route without one.
    var app: App.ID? {
        get throws(Refusal) {
            guard let text = parameters["app"] else { return nil }
            guard let app = App.ID(text) else { throw .notFound(.app) }
            return app
        }
    }
}
