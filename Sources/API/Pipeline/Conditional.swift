import HTTPServer
import HTTPTypes

/// Answers 304 if the client has the same content already (RFC 9110 §13.1.2).
struct Conditional: CallLayer {
    init?(_ route: Route) {
        guard route.method == .get else { return nil }
    }

    func around(_ next: @escaping CallHandler) -> CallHandler {
        { call in
            let response = try await next(call)
            guard response.status == .ok, let tag = response.headers[.eTag],
                Precondition.isUnchanged(call.request.headers, tag: tag)
            else { return response }
            return Response(status: .notModified, headers: response.headers, body: .none)
        }
    }
}
