public import EventLoop

/// The timeouts and limits of a client. Tests shorten them.
public struct APNSOptions: Sendable {
    /// The longest time from submitting a push to its answer.
    public var requestDeadline = Duration.seconds(20)
    /// The longest wait for the addresses of Apple's host name.
    public var resolveTimeout = NameResolver.deadline
    public var resolver = NameResolver.system
    /// For TCP, TLS and the first SETTINGS, each.
    public var connectTimeout = Duration.seconds(10)
    /// The most connections of one client.
    public var maximumConnections = 4
    /// The time between opening one connection and the next: Apple asks clients not to open many in a burst.
    public var connectionSpacing = Duration.milliseconds(500)
    /// A PING is sent after this time without data from the peer.
    public var pingAfter = Duration.seconds(60)
    public var pingDeadline = Duration.seconds(10)
    /// A connection without a push for this time is closed: its credential may be deleted or its campaign over.
    public var idleLimit = Duration.seconds(3_600)
    /// The limits of the pause after a failed attempt to connect. It doubles with each failure, and a random part of up
    /// to a half is left out.
    public var shortestPause = Duration.seconds(1)
    public var longestPause = Duration.seconds(60)
    /// The limits of the pause after Apple has asked the credential to slow down, after which one push is a probe.
    public var shortestSlowdown = Duration.seconds(5)
    public var longestSlowdown = Duration.seconds(120)

    public init() {}
}
