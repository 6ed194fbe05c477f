import HTTPServer
import HTTPTypes

/// The CORS protocol (Fetch standard §3.3) for the routes of publishable keys: an app that shows web pages in a web
/// view, with an origin of its own like `capacitor://localhost`, calls them from there.
///
/// Every origin is allowed and no cookie is: such pages send the key. Browsers let them read no other route.
enum CrossOrigin {
    /// The time that a browser remembers the answer to a preflight, in seconds. Browsers allow at most two hours.
    static let maximumAge = 7_200

    private static let requestFields = "Authorization, Content-Type, If-Match, If-None-Match, User-ID-Signature"
    private static let answerFields = "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"

    /// The answer to the OPTIONS request that a browser sends first.
    static func preflight(for methods: [HTTPRequest.Method]) -> Response {
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        var response = Response(status: .noContent, headers: [.allow: "\(allowed), OPTIONS"])
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlAllowMethods] = allowed
        response.headers[.accessControlAllowHeaders] = requestFields
        response.headers[.accessControlMaxAge] = "\(maximumAge)"
        return response
    }

    /// Lets pages of every origin read the response. Only browsers send Origin; phones need not receive these fields.
    static func share(_ response: inout Response, for request: Request) {
        guard request.headers.value(.origin) != nil else { return }
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlExposeHeaders] = answerFields
    }
}

extension Access {
    /// Whether publishable keys are accepted.
    var isForApps: Bool {
        if case .publishable = self { true } else { false }
    }
}

extension Routes {
    /// Answers preflights for the routes added so far that accept publishable keys.
    mutating func addPreflights() {
        let shared = declared.filter { $0.access?.isForApps ?? false }
        for (pattern, routes) in Dictionary(grouping: shared, by: \.pattern) {
            let answer = CrossOrigin.preflight(for: routes.map(\.method))
            router.add(.options, pattern, bodyLimit: 0) { _ in answer }
        }
    }
}
