import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server's address, the key, and the groups that the app and its extensions share. Make it once, in a file that both
/// targets compile.
public struct BelfryConfiguration: Sendable {
    /// The address of the app on the server, like `https://push.example.com/v1/apps/1`.
    public var api: URL
    /// A key that begins with `bfp_`. Anybody can read it out of the app, and it can do no more than a phone must.
    public var publishableKey: String
    /// The app group, like `group.com.example.app`, which the app shares with its extensions. Without one, the service
    /// extension keeps its events in a folder of its own, and they wait for its next start.
    public var appGroup: String?
    /// The Keychain group of the installation's secret; nil: the app's own.
    public var keychainGroup: String?
    /// The names of Belfry's members in a payload; nil: as the server says, once it was reached.
    public var payloadKeys: PayloadKeys?

    /// Nothing is checked here: see `mistake`.
    public init(
        api: URL, publishableKey: String, appGroup: String? = nil, keychainGroup: String? = nil,
        payloadKeys: PayloadKeys? = nil
    ) {
        self.api = api
        self.publishableKey = publishableKey
        self.appGroup = appGroup
        self.keychainGroup = keychainGroup
        self.payloadKeys = payloadKeys
    }

    /// A mistake that no answer of a server has to show. Nil if there is none.
    public var mistake: Diagnostic? {
        guard let (code, message) = found else { return nil }
        return Diagnostic(.configuration, code, message)
    }

    private var found: (code: String, message: String)? {
        let host = (api.host ?? "").lowercased()
        let scheme = api.scheme?.lowercased()
        let isOwn = host == "localhost" || host == "127.0.0.1" || host == "::1" || host.hasSuffix(".local")
        guard !host.isEmpty, scheme == "https" || (scheme == "http" && isOwn) else {
            return (
                "insecure-address",
                "The address of Belfry must begin with https://. Only localhost and names that end in .local may have "
                    + "http://."
            )
        }
        let path = api.path.split(separator: "/")
        guard path.count >= 3, path[path.count - 3] == "v1", path[path.count - 2] == "apps", api.query == nil else {
            return ("wrong-path", "The address of Belfry must end with /v1/apps/ID. Copy it from the page Apps.")
        }
        if publishableKey.hasPrefix("bfs_") {
            return (
                "secret-key",
                "This is a secret key, which everybody could read out of the app. Revoke it, and use a publishable key, "
                    + "which begins with bfp_."
            )
        }
        // The guide has an ellipsis in place of a key.
        guard publishableKey.hasPrefix("bfp_"), !publishableKey.contains("…") else {
            return (
                "not-publishable",
                "The key must be a publishable key, which begins with bfp_. Create one on the page Apps."
            )
        }
        return nil
    }

    /// A request to a resource of the app. The parts of the path may contain any character. A query without a value is
    /// left out.
    func request(
        _ method: String, _ path: [String], query: [(String, String?)] = [], body: Data? = nil, tag: String? = nil
    ) -> URLRequest {
        var url = api
        for part in path { url.appendPathComponent(part) }
        let items = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        if !items.isEmpty, var components = URLComponents(url: url, resolvingAgainstBaseURL: false) {
            components.queryItems = items
            // A plus would be read as a space.
            components.percentEncodedQuery = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
            url = components.url ?? url
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("Bearer \(publishableKey)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let tag { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
        if let body {
            request.httpBody = body
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}
