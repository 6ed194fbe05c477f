/// A layer around every handler. It can inspect the request, respond itself, or change the response. Errors of the
/// inner layers are already rendered as responses.
public protocol Middleware: Sendable {
    func handle(
        _ request: Request, next: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> Response
}
