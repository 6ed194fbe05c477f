public import EventLoop

/// The address and the limits of a server.
public struct ServerConfiguration: Sendable {
    /// Port 0 lets the kernel choose.
    public var address: SocketAddress
    public var limits = RequestLimits()

    /// Connections in total; beyond: 503 and closed.
    public var maximumConnections = 20_000
    /// Connections from one IPv4 address or one /64 of IPv6; beyond: 503 and closed. Not counted for unix sockets and
    /// trusted proxies.
    public var maximumConnectionsPerAddress = 20_000
    /// The proxies that report their clients' addresses.
    public var trustedProxies = TrustedProxies()
    /// Requests on one connection; the last is answered with `Connection: close`.
    public var maximumRequestsPerConnection = 1_000_000

    /// From the first byte of a request, or from accept, to the end of its header; then 408.
    public var headerDeadline = Duration.seconds(10)
    /// The total time to wait for a request's body, or for each MiB of a longer one; then 408.
    public var bodyDeadline = Duration.seconds(120)
    /// Within this waiting time, `bodyProgressBytes` of the body must arrive; otherwise 408.
    public var bodyProgressDeadline = Duration.seconds(15)
    public var bodyProgressBytes = 1_024
    /// The time between two requests; then closed.
    public var idleDeadline = Duration.seconds(75)
    /// The time for the client to receive 64 KiB of a response; then closed.
    public var writeDeadline = Duration.seconds(30)
    /// The time for which the rest of a request is read after an error response. Otherwise a connection reset could
    /// destroy the response before the client reads it.
    public var lingerDeadline = Duration.seconds(2)
    /// After an announced end, idle connections stay open for this time once listening has ended. A request that was
    /// under way is answered, and a proxy whose new connection is refused meanwhile sends the others elsewhere.
    public var idleGrace = Duration.seconds(1)
    /// From the start of a shutdown to the end of the requests in flight; then all connections are closed.
    public var drainDeadline = Duration.seconds(20)

    /// Called on the connection's loop after each response; it must not block. Nil costs nothing.
    public var onResponse: (@Sendable (AccessRecord) -> Void)?

    public init(address: SocketAddress) {
        self.address = address
    }
}
