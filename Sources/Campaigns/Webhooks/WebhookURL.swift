public import JSON
import Notifications

/// The URL of a receiver. Like the URL of an attachment it begins with https://; http:// is for receivers in an own
/// network, where the server allows them.
public struct WebhookURL: Sendable, Hashable, CustomStringConvertible {
    public let text: String
    public let isSecure: Bool
    public let host: String
    public let port: UInt16
    /// With the query, without the fragment.
    public let path: String

    public init(_ text: String, allowsPlain: Bool) throws(InvalidValue) {
        isSecure = !text.lowercased().hasPrefix("http://")
        guard isSecure || allowsPlain else {
            throw InvalidValue(
                "not-https",
                "must begin with https://; http:// is for private addresses, to which this server sends no webhooks")
        }
        do {
            // The rules of both are the same except for the scheme.
            let parts = MediaURLParts(try MediaURL(isSecure ? text : "https://" + text.dropFirst("http://".count)))
            host = parts.host
            port = parts.port ?? (isSecure ? 443 : 80)
            path = parts.path
        } catch {
            guard error.code == "has-credentials" else { throw error }
            throw InvalidValue(
                "has-credentials",
                "must not contain a user name or password; receivers know Belfry by its signature")
        }
        self.text = text
    }

    public var description: String { text }
}
