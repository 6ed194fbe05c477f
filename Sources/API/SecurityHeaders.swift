public import HTTPServer
import HTTPTypes

/// What a browser may do with a page: nothing that a page of ours does not need.
public enum SecurityHeaders {
    /// Scripts, styles and connections from here only; nobody frames us.
    static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
        connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    private static let referrerPolicy = HTTPField.Name("Referrer-Policy")

    /// Pages only: for other answers all this would be a third of what a phone gets.
    public static func add(to response: inout Response) {
        guard response.headers.value(.contentType)?.hasPrefix("text/html") == true else { return }
        response.headers[.contentSecurityPolicy] = contentSecurityPolicy
        // The demo's key stands in a page's address.
        if let name = referrerPolicy { response.headers[name] = "no-referrer" }
    }
}
