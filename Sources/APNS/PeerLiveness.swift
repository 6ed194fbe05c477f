import EventLoop

/// Tracks how long the peer has been silent, and decides what to do about it. A value type: the connection reports
/// received data and asks for a decision a few times a second.
struct PeerLiveness: Equatable {
    enum Action: Equatable {
        case wait
        /// Send a PING to check that the peer is alive.
        case ping
        /// The peer did not answer a PING.
        case giveUp
    }

    let pingAfter: Duration
    let pingDeadline: Duration
    /// As of the last `note(at:)`.
    private(set) var lastReceived: MonotonicTime
    private var pingSent: MonotonicTime?
    /// Whether data was received since the last `note(at:)`: reading the clock for each answer would cost too much.
    private var hasReceived = false

    init(pingAfter: Duration, pingDeadline: Duration, now: MonotonicTime) {
        self.pingAfter = pingAfter
        self.pingDeadline = pingDeadline
        lastReceived = now
    }

    mutating func received() { hasReceived = true }

    /// Records the time if data was received since the last call. Also called before pushes are submitted, since data
    /// received before them is no sign of life after them.
    mutating func note(at now: MonotonicTime) {
        guard hasReceived else { return }
        hasReceived = false
        lastReceived = now
        pingSent = nil
    }

    mutating func check(at now: MonotonicTime) -> Action {
        if let pingSent { return now - pingSent > pingDeadline ? .giveUp : .wait }
        guard now - lastReceived > pingAfter else { return .wait }
        pingSent = now
        return .ping
    }
}
