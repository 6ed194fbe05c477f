import HTTPServer
import HTTPTypes

/// Headers that allow a browser only what Belfry's pages need.
enum SecurityHeaders {
    /// Allows scripts, styles and connections only from this server, and no framing.
    static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
        connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    /// For files that people upload: nothing in them runs or loads anything, even if a browser shows them as a page.
    static let mediaPolicy = "default-src 'none'; sandbox"

    private static let referrerPolicy = HTTPField.Name("Referrer-Policy")

    /// Adds the headers to pages only: they would be a third of a response to a device.
    static func add(to response: inout Response) {
        guard response.headers.value(.contentType)?.hasPrefix("text/html") == true else { return }
        response.headers[.contentSecurityPolicy] = contentSecurityPolicy
        // The address of a page can contain a one-time token.
        if let name = referrerPolicy { response.headers[name] = "no-referrer" }
    }
}
