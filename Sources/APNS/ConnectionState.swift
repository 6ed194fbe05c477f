/// How many pushes may be on a connection, and whether it takes new ones. A value: the connection
/// tells it what happened.
struct ConnectionState: Equatable {
    enum Phase: Equatable {
        /// Before the first SETTINGS nothing may be sent.
        case awaitingSettings
        case open
        /// No new pushes; those on the wire may still be answered.
        case draining
        case closed
    }

    private(set) var phase = Phase.awaitingSettings
    private(set) var inFlight = 0
    private(set) var peerMaximum = 0
    /// Apple allows one stream until it has seen a valid token; so do we, whatever SETTINGS says.
    private(set) var isAuthenticated = false
    private var hasAnswered = false
    private var hasSubmitted = false
    private var hasLeft = false

    /// Pushes that may be submitted now.
    var freeStreams: Int {
        guard phase == .open else { return 0 }
        return max(0, (isAuthenticated ? peerMaximum : min(1, peerMaximum)) - inFlight)
    }

    /// What a connection has shown to be good for.
    enum Proof: Equatable {
        case pending
        /// It has answered.
        case good
        /// It ended with pushes and without an answer.
        case bad
        /// It ended, and nobody had sent anything on it, or it was we who had no more use for it.
        case unused
    }

    var proof: Proof {
        if hasAnswered { return .good }
        if phase == .awaitingSettings || phase == .open || inFlight > 0 { return .pending }
        return hasSubmitted && !hasLeft ? .bad : .unused
    }

    /// Draining, and nothing to wait for.
    var isDrained: Bool { phase == .draining && inFlight == 0 }

    mutating func settingsReceived(maximumStreams: Int) {
        peerMaximum = maximumStreams
        if phase == .awaitingSettings { phase = .open }
    }

    mutating func submitted() {
        inFlight += 1
        hasSubmitted = true
    }

    mutating func answered(status: UInt16) {
        inFlight -= 1
        hasAnswered = true
        // 403 is what an unauthenticated connection answers.
        if status != 403 { isAuthenticated = true }
    }

    /// A stream ended without an answer.
    mutating func released() { inFlight -= 1 }

    mutating func stopAccepting() {
        if phase != .closed { phase = .draining }
    }

    /// Not for anything that the peer did.
    mutating func leave() {
        hasLeft = true
        stopAccepting()
    }

    mutating func ended() {
        phase = .closed
        inFlight = 0
    }
}
