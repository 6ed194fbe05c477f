import Application
import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes

/// The server as people see it: the addresses of its pages, and where its pushes go.
struct Site: Sendable {
    /// Without a slash at the end.
    let publicURL: String
    let destination: Run.Destination
    /// Whether people can add phones of a simulator to their apps.
    let hasVirtualPhones: Bool

    init(publicURL: String, destination: Run.Destination, hasVirtualPhones: Bool) {
        self.hasVirtualPhones = hasVirtualPhones
        self.destination = destination
        self.publicURL = String(publicURL.reversed().drop { $0 == "/" }.reversed())
    }

    /// Whether the browser speaks TLS, with this server or with a proxy before it.
    func isSecure(_ request: Request) -> Bool { request.isSecure || publicURL.hasPrefix("https://") }

    var crossSiteCheck: CrossSiteCheck {
        let authority = publicURL.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
        return CrossSiteCheck(publicOrigin: authority.joined(separator: "/"))
    }

    /// The address of the page that redeems a link. The token is in the fragment, which browsers don't send: it is in
    /// no log of a proxy.
    func link(_ purpose: String, _ token: String) -> String { "\(publicURL)/#\(purpose)=\(token)" }

    /// The origin of an attempt to sign in.
    func origin(of request: Request) -> SignIn.Origin {
        SignIn.Origin(
            address: request.clientAddress.host, network: request.clientNetwork,
            userAgent: request.headers.value(.userAgent) ?? "",
            session: SessionCookie.token(of: request, isSecure: isSecure(request)))
    }
}

extension Request {
    /// The addresses that one client can choose from. Its attempts are counted under them.
    var clientNetwork: String { clientAddress.ip?.network.hexadecimal ?? clientAddress.host }
}
