import HTTPServer
import HTTPTypes

/// Refuses requests that another site makes in the name of a person who is signed in (cross-site request forgery).
///
/// Browsers say in Sec-Fetch-Site (Fetch Metadata §2.3) or in Origin (RFC 6454) where a request comes from. A client
/// that says neither must send the session's token in a header, which another site can't read.
struct CrossSiteCheck {
    /// The origin in the address that people use, when a proxy changes the Host field.
    let publicOrigin: String

    enum Verdict: Equatable { case sameSite, crossSite, unknown }

    func verdict(fetchSite: String?, origin: String?, referer: String? = nil, host: String?) -> Verdict {
        if let fetchSite {
            // "none": typed into the address bar or opened from a bookmark.
            return fetchSite == "same-origin" || fetchSite == "none" ? .sameSite : .crossSite
        }
        guard let origin = origin ?? referer.map(Self.origin) else { return .unknown }
        if origin == publicOrigin { return .sameSite }
        guard let host else { return .crossSite }
        return origin == "http://\(host)" || origin == "https://\(host)" ? .sameSite : .crossSite
    }

    /// The origin of an address: its scheme, host and port.
    private static func origin(of address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }

    /// Throws for a request by another site; `token` is the session's, and nil before there is a session.
    ///
    /// Another site can't read what GET answers, but a link there could start an export, which costs time, is recorded
    /// in the name of the person, and leaves a file on their computer. Pages and typed addresses are of this site.
    func check(_ request: Request, token: String?) throws(APIError) {
        let isReading = request.method == .get || request.method == .head
        switch verdict(
            fetchSite: request.headers.value(named: "Sec-Fetch-Site"), origin: request.headers.value(named: "Origin"),
            referer: request.headers.value(named: "Referer"), host: request.head.authority)
        {
        case .sameSite: return
        case .crossSite:
            throw .crossSite
        case .unknown where isReading: return
        case .unknown:
            guard let token, request.headers.value(named: Self.tokenField) != token else { return }
            throw .crossSiteTokenRequired(in: Self.tokenField)
        }
    }

    private static let tokenField = "X-Cross-Site-Token"
}

extension HTTPFields {
    fileprivate func value(named name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}
