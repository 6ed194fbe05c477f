import HTTPServer
import HTTPTypes

/// Names each request in its answer, as in the log.
struct RequestIDs: Middleware {
    private static let field = HTTPField.Name("X-Request-Id")

    func handle(
        _ request: Request, next: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request)
        if let name = Self.field { response.headers.append(HTTPField(name: name, value: request.id)) }
        return response
    }
}
