import EventLoop
public import TLS

/// The destination of pushes: a host, a port, and the CA certificates to trust for that host.
public struct APNSEndpoint: Sendable {
    public var host: String
    public var port: UInt16
    public var trust: TLSContext.Trust
    /// From the first failed attempt to connect to the next answer on a new connection. All clients of the process
    /// share it: there is one for each app, environment and loop, and each would log the same otherwise.
    let outage = SharedOutage(firstReminder: firstReminder)

    /// An outage that lasts for this time is logged again.
    static let firstReminder = Duration.seconds(600)

    public init(host: String, port: UInt16, trust: TLSContext.Trust = .systemRoots) {
        self.host = host
        self.port = port
        self.trust = trust
    }

    /// Apple's endpoint ("Sending notification requests to APNs"); port 2197 works where 443 is blocked.
    public static let production = APNSEndpoint(host: "api.push.apple.com", port: 443)
    public static let development = APNSEndpoint(host: "api.sandbox.push.apple.com", port: 443)

    /// False for a simulator, which pages and the ledger then show.
    public var isApple: Bool { host.hasSuffix(".push.apple.com") }
}
