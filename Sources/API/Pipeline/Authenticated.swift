import Campaigns
import HTTPServer

/// Finds the caller of a request, and names it in the response, for the access log.
struct Authenticated: Sendable {
    private let authentication: Authentication
    private let access: Access

    init(_ authentication: Authentication, _ access: Access) {
        self.authentication = authentication
        self.access = access
    }

    /// The handler of requests that passes calls to `next`.
    func before(_ next: @escaping CallHandler) -> RequestHandler {
        { request in
            let caller = try await authentication.caller(of: request)
            var response = try await next(
                Call(request: request, caller: caller) { try await isStillPermitted(request) })
            response.caller = caller.name
            return response
        }
    }

    private func isStillPermitted(_ request: Request) async throws -> Bool {
        do {
            try access.check(try await authentication.caller(of: request), in: try request.app)
            return true
        } catch is APIError {
            return false
        } catch is Refusal {
            return false
        }
    }
}
