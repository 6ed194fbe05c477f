import EventLoop

/// How long the peer has said nothing, and what to do about it. A value: the connection tells it that something came,
/// and asks it a few times a second.
struct PeerSilence: Equatable {
    enum Action: Equatable {
        case wait
        /// Ask whether the peer is still there.
        case ping
        /// It did not even answer a PING.
        case giveUp
    }

    let pingAfter: Duration
    let pingDeadline: Duration
    /// As far as it was noted.
    private(set) var lastHeard: MonotonicTime
    private var pingSent: MonotonicTime?
    /// Something came. Its time is noted later: a look at the clock for each answer would show.
    private var hasHeard = false

    init(pingAfter: Duration, pingDeadline: Duration, now: MonotonicTime) {
        self.pingAfter = pingAfter
        self.pingDeadline = pingDeadline
        lastHeard = now
    }

    mutating func heard() { hasHeard = true }

    /// Notes the time of what came since the last call; also before pushes are submitted, since what came before them
    /// is no sign of life after them.
    mutating func note(at now: MonotonicTime) {
        guard hasHeard else { return }
        hasHeard = false
        lastHeard = now
        pingSent = nil
    }

    mutating func check(at now: MonotonicTime) -> Action {
        if let pingSent { return now - pingSent > pingDeadline ? .giveUp : .wait }
        guard now - lastHeard > pingAfter else { return .wait }
        pingSent = now
        return .ping
    }
}
