/// The parts of an https address.
public struct MediaURLParts: Equatable, Sendable {
    public let authority: String
    public let host: String
    /// Nil for that of the scheme.
    public let port: UInt16?
    /// With the query, without the fragment.
    public let path: String

    public init(_ url: MediaURL) {
        let rest = url.text.dropFirst("https://".count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let target = rest.dropFirst(authority.count).prefix { $0 != "#" }
        self.authority = String(authority)
        path = target.hasPrefix("/") ? String(target) : "/\(target)"
        // An IPv6 address is in brackets (RFC 3986 §3.2.2).
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = String(authority[authority.index(after: authority.startIndex)..<end])
            port = Self.port(authority[authority.index(after: end)...])
        } else {
            host = String(authority.prefix { $0 != ":" })
            port = Self.port(authority.dropFirst(host.count))
        }
    }

    /// `MediaURL` has checked the digits after the colon.
    private static func port(_ text: Substring) -> UInt16? { UInt16(text.dropFirst()) }
}
