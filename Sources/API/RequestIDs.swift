import HTTPServer
import HTTPTypes

/// Names each request in its answer, as in the log.
struct RequestIDs: Middleware {
    private static let field = HTTPField.Name("X-Request-Id")

    func handle(
        _ request: Request, next: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request)
        if let field = Self.field { response.headers[field] = request.id }
        return response
    }
}
