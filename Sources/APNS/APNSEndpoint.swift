public import TLS

/// Where pushes go: a host, and whose certificates are believed there.
public struct APNSEndpoint: Sendable {
    public var host: String
    public var port: UInt16
    public var trust: TLSContext.Trust

    public init(host: String, port: UInt16, trust: TLSContext.Trust = .systemRoots) {
        self.host = host
        self.port = port
        self.trust = trust
    }

    /// Apple's own ("Sending notification requests to APNs"); port 2197 serves where 443 is closed.
    public static let production = APNSEndpoint(host: "api.push.apple.com", port: 443)
    public static let development = APNSEndpoint(host: "api.sandbox.push.apple.com", port: 443)

    /// False for a simulator: pages and ledger then say so.
    public var isApple: Bool { host.hasSuffix(".push.apple.com") }
}
