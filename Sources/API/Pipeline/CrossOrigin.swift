import HTTPServer
import HTTPTypes

/// The CORS protocol (Fetch standard §3.3) for the routes of publishable keys: an app that shows web pages in a web
/// view, with an origin of its own like `capacitor://localhost`, calls them from there.
///
/// Every origin is allowed and no cookie is: such pages send the key. Browsers let them read no other route.
struct CrossOrigin: RequestLayer {
    /// The time that a browser remembers the answer to a preflight, in seconds. Browsers allow at most two hours.
    static let maximumAge = 7_200

    private static let requestFields =
        "Authorization, Content-Type, If-Match, If-None-Match, User-ID-Signature, X-Request-Id, traceparent"
    private static let answerFields = "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"

    init?(_ route: Route) {
        guard route.isForApps else { return nil }
    }

    /// Lets pages of every origin read the response. Only browsers send Origin; phones need not receive these fields.
    func around(_ next: @escaping RequestHandler) -> RequestHandler {
        { request in
            var response = try await next(request)
            guard request.headers.value(.origin) != nil else { return response }
            response.headers[.accessControlAllowOrigin] = "*"
            response.headers[.accessControlExposeHeaders] = Self.answerFields
            return response
        }
    }

    /// The answers to the OPTIONS requests that a browser sends first, by pattern.
    static func preflights(for routes: [Route]) -> [String: Response] {
        Dictionary(grouping: routes.filter(\.isForApps), by: \.pattern).mapValues { preflight(for: $0.map(\.method)) }
    }

    private static func preflight(for methods: [HTTPRequest.Method]) -> Response {
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        var response = Response(status: .noContent, headers: [.allow: "\(allowed), OPTIONS"])
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlAllowMethods] = allowed
        response.headers[.accessControlAllowHeaders] = requestFields
        response.headers[.accessControlMaxAge] = "\(maximumAge)"
        return response
    }
}
