import Application
import HTTPServer
import HTTPTypes

/// The cookie with a session's token.
enum SessionCookie {
    /// A name that a browser accepts only over TLS, for this host and for all paths (RFC 6265bis §4.1.3.2).
    private static let secureName = "__Host-belfry_session"
    private static let plainName = "belfry_session"

    /// Nil when the request has no cookie of this kind.
    static func token(of request: Request, isSecure: Bool) -> SessionToken? {
        let name = isSecure ? secureName : plainName
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " || $0 == "\t" }
                guard pair.hasPrefix(name), pair.dropFirst(name.count).first == "=" else { continue }
                return SessionToken(pair.dropFirst(name.count + 1))
            }
        }
        return nil
    }

    /// The Set-Cookie field of a new session.
    static func field(_ token: SessionToken, isSecure: Bool) -> String {
        "\(pair(token.text, isSecure)); Max-Age=\(KnownSessions.lifetime.components.seconds)"
    }

    /// The Set-Cookie field that makes the browser forget the cookie.
    static func removal(isSecure: Bool) -> String { "\(pair("", isSecure)); Max-Age=0" }

    private static func pair(_ value: String, _ isSecure: Bool) -> String {
        "\(isSecure ? secureName : plainName)=\(value); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
