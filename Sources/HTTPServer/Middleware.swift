/// One layer around every handler: it may look at the request, answer by itself, or change what
/// comes back. Errors of what lies below have become answers already.
public protocol Middleware: Sendable {
    func handle(
        _ request: Request, next: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> Response
}
