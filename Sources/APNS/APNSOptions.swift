/// The delays and numbers of a client. Tests shorten them.
public struct APNSOptions: Sendable {
    /// From submitting a push to its answer.
    public var requestDeadline = Duration.seconds(20)
    /// Address, TCP, TLS and the first SETTINGS, each.
    public var connectTimeout = Duration.seconds(10)
    /// Connections of one client at most.
    public var maximumConnections = 4
    /// Between the opening of one connection and the next: Apple asks for no bursts.
    public var connectionSpacing = Duration.milliseconds(500)
    /// Silence after which a PING asks whether the peer is still there.
    public var pingAfter = Duration.seconds(60)
    public var pingDeadline = Duration.seconds(10)
    /// Without a push for so long, a connection is closed: its credential may be gone, or its campaign long over.
    public var idleLimit = Duration.seconds(3_600)
    /// Pauses after failed attempts to connect, doubling between these.
    public var shortestPause = Duration.seconds(1)
    public var longestPause = Duration.seconds(60)

    public init() {}
}
