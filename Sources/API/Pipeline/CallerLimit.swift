import HTTPServer

/// Counts requests by their key, and says in each response how many are left.
struct CallerLimit: CallLayer {
    let limiter: RateLimiter

    init(_ limiter: RateLimiter) { self.limiter = limiter }

    func around(_ next: @escaping CallHandler) -> CallHandler {
        { call in
            let quota = try limiter.admit(call.caller)
            var response = try await next(call)
            response.add(quota)
            return response
        }
    }
}
