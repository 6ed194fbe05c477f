import HTTPServer

/// Counts requests by their network. Health checks, media and the API's description are not counted.
struct RequestLimit: RequestLayer {
    private let limiter: RateLimiter

    init?(_ route: Route, _ limiter: RateLimiter) {
        guard route.isVersioned else { return nil }
        self.limiter = limiter
    }

    func around(_ next: @escaping RequestHandler) -> RequestHandler {
        { request in
            try limiter.admit(request)
            return try await next(request)
        }
    }
}
