import EventLoop
public import HTTPServer
import HTTPTypes
import JSON
public import Logging
public import Postgres

/// The answers of a server before its database is there: 503 to every request, except the check that the process runs.
public enum UnavailableAPI {
    /// `reason` is the last error; it is asked with each request.
    public static func router(reason: @escaping @Sendable () -> PostgresError, logger: Logger) -> Router {
        let errors = ErrorRendering(logger: logger)
        var router = Router(logger: logger) { errors.response(to: $0, $1) }
        router.add(Answers(reason: reason, errors: errors))
        return router
    }

    private struct Answers: Middleware {
        let reason: @Sendable () -> PostgresError
        let errors: ErrorRendering

        func handle(
            _ request: Request, next: @escaping @Sendable (Request) async throws -> Response
        ) async throws -> Response {
            if request.path == "/healthz" { return .json(["status": "ok"]) }
            return errors.response(to: reason(), request)
        }
    }
}
