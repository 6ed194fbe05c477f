public import EventLoop

/// Where a server listens, and all its limits.
public struct ServerConfiguration: Sendable {
    /// Port 0 lets the kernel choose.
    public var address: SocketAddress
    public var limits = RequestLimits()

    /// Connections in all; beyond: 503 and closed.
    public var maximumConnections = 20_000
    /// Connections from one address (not counted for unix sockets); beyond: 503 and closed.
    public var maximumConnectionsPerAddress = 20_000
    /// Requests on one connection; the last is answered with `Connection: close`.
    public var maximumRequestsPerConnection = 1_000_000

    /// From the first byte of a request, or from accept, to the end of its header; then 408.
    public var headerDeadline = Duration.seconds(10)
    /// Waiting for a request's body in all, or for each MiB of a longer one; then 408.
    public var bodyDeadline = Duration.seconds(120)
    /// Each time so much is waited for the body, `bodyProgressBytes` must have come; else 408.
    public var bodyProgressDeadline = Duration.seconds(15)
    public var bodyProgressBytes = 1_024
    /// Between two requests; then closed.
    public var idleDeadline = Duration.seconds(75)
    /// The client has so long to take 64 KiB of an answer; then closed.
    public var writeDeadline = Duration.seconds(30)
    /// After a refusal the rest of the request is read for so long, or the client might lose the
    /// answer to a connection reset.
    public var lingerDeadline = Duration.seconds(2)
    /// From the start of a shutdown to the end of what is in flight; then all is closed.
    public var drainDeadline = Duration.seconds(20)

    public init(address: SocketAddress) {
        self.address = address
    }
}
