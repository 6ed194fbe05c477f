public import HTTPServer
import HTTPTypes

/// What a browser may do with an answer: nothing that a page of ours does not need.
public struct SecurityHeaders: Middleware {
    /// Scripts, styles and connections from here only; nobody frames us.
    static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
        connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    private static let referrerPolicy = HTTPField.Name("Referrer-Policy")

    public init() {}

    public func handle(
        _ request: Request, next: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request)
        response.headers.append(HTTPField(name: .xContentTypeOptions, value: "nosniff"))
        // The rest is for pages, and would be a third of a phone's answer.
        guard response.headers.value(.contentType)?.hasPrefix("text/html") == true else { return response }
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        // The demo's key stands in a page's address.
        if let name = Self.referrerPolicy { response.headers[name] = "no-referrer" }
        return response
    }
}
