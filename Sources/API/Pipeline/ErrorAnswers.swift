import HTTPServer
import HTTPTypes

/// Answers with a problem document when an inner layer or the handler throws.
struct ErrorAnswers: RequestLayer, CallLayer {
    private let errors: ErrorRendering
    /// Refusals to a caller are about this caller only. Caches store answers to GET only.
    private let forbidsStoring: Bool

    init(_ route: Route, _ errors: ErrorRendering) {
        self.errors = errors
        forbidsStoring = route.access != nil && route.method == .get
    }

    func around(_ next: @escaping RequestHandler) -> RequestHandler {
        { request in
            do { return try await next(request) } catch { return answer(to: error, request) }
        }
    }

    func around(_ next: @escaping CallHandler) -> CallHandler {
        { call in
            do { return try await next(call) } catch { return answer(to: error, call.request) }
        }
    }

    private func answer(to error: any Error, _ request: Request) -> Response {
        let refusal = errors.response(to: error, request)
        return forbidsStoring ? refusal.notStored() : refusal
    }
}
