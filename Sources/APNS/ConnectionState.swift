/// The number of pushes that may be in flight on a connection, and whether it takes new ones. A value type: the
/// connection reports what happened.
struct ConnectionState: Equatable {
    /// Refused streams without an answer between them, after which a connection with nothing else in flight is held. A
    /// lower limit of streams refuses many too, but the others are in flight.
    static let maximumRefusals = 10

    enum Phase: Equatable {
        /// Before the first SETTINGS nothing may be sent.
        case awaitingSettings
        case open
        /// No new pushes; those in flight may still be answered.
        case draining
        case closed
    }

    private(set) var phase = Phase.awaitingSettings
    private(set) var inFlight = 0
    private(set) var peerMaximum = 0
    /// Apple allows one stream until it has seen a valid token, and so does this client, whatever SETTINGS says.
    private(set) var isAuthenticated = false
    /// Apple takes no pushes of the credential. Then nothing is sent, or one push at a time that shows whether that lasts.
    private enum Slowdown: Equatable {
        case none, probing
        case held(SlowdownAnswer.Reason)
    }
    private var slowdown = Slowdown.none
    private var refusals = 0
    private var hasAnswered = false
    private var hasSubmitted = false
    private var isRetired = false

    /// Pushes that may be submitted now.
    var freeStreams: Int {
        guard phase == .open, heldBecause == nil else { return 0 }
        let mayFill = isAuthenticated && slowdown == .none
        return max(0, (mayFill ? peerMaximum : min(1, peerMaximum)) - inFlight)
    }

    /// Nil unless nothing is sent.
    var heldBecause: SlowdownAnswer.Reason? {
        if case .held(let reason) = slowdown { reason } else { nil }
    }

    /// Whether a connection has proved to work.
    enum Verification: Equatable {
        case pending
        /// It has answered.
        case good
        /// It ended with pushes submitted, but without an answer.
        case bad
        /// It ended without a push, or this client closed it because it was idle.
        case unused
    }

    var verification: Verification {
        if hasAnswered { return .good }
        if phase == .awaitingSettings || phase == .open || inFlight > 0 { return .pending }
        return hasSubmitted && !isRetired ? .bad : .unused
    }

    /// Whether it is draining and has no push in flight.
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
        refusals = 0
        hasAnswered = true
        // A connection without a valid token answers 403.
        if status != 403 { isAuthenticated = true }
        if status == 200, slowdown == .probing { slowdown = .none }
    }

    /// Apple's answer concerns all pushes: none follows until `probe`.
    mutating func hold(_ reason: SlowdownAnswer.Reason) { slowdown = .held(reason) }

    mutating func probe() {
        if heldBecause != nil { slowdown = .probing }
    }

    /// A stream ended without an answer.
    mutating func released() { inFlight -= 1 }

    /// A stream was refused: its push was not processed.
    mutating func refused() {
        inFlight -= 1
        refusals += 1
        // After GOAWAY, the streams above the last one count as refused, and go to another connection.
        guard phase == .open, inFlight == 0, heldBecause == nil else { return }
        if refusals >= Self.maximumRefusals || slowdown == .probing { hold(.refusedStreams) }
    }

    mutating func stopAccepting() {
        if phase != .closed { phase = .draining }
    }

    /// Stops accepting pushes for a reason on this side, not because of the peer.
    mutating func retire() {
        isRetired = true
        stopAccepting()
    }

    mutating func ended() {
        phase = .closed
        inFlight = 0
    }
}
