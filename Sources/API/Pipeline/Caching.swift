import HTTPServer
import HTTPTypes

/// Keeps answers to servers and people out of caches: they contain personal data and keys. An app's own cache
/// revalidates categories, plans and topics.
struct Caching: CallLayer {
    init?(_ route: Route) {
        // Caches store answers to GET only.
        guard route.method == .get else { return nil }
    }

    func around(_ next: @escaping CallHandler) -> CallHandler {
        { call in
            let response = try await next(call)
            return call.caller.isPublishable ? response : response.notStored()
        }
    }
}

extension Response {
    /// This response, which no cache may store.
    func notStored() -> Response {
        var response = self
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
