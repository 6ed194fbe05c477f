/// The state of one push of a window. A trivial type: it is stored in the window's raw memory.
public struct PushResult: Sendable, Equatable {
    public enum State: UInt8, Sendable {
        /// Not on the wire, or certainly not processed: it may be sent, or sent again.
        case unsent
        /// On the wire, not answered.
        case inFlight
        /// On the wire, not answered. The push has left its window, whose `LatePushes` get the result.
        case late
        /// Apple answered: see status, reason, timestamp.
        case answered
        /// Unknown whether Apple took it: the request's deadline passed.
        case deadlinePassed
        /// Unknown whether Apple took it: the stream was reset with a code that does not mean "not processed".
        case streamReset
        /// Unknown whether Apple took it: the connection ended with the request unanswered.
        case connectionLost
    }

    public var state: State = .unsent
    /// The HTTP status, when answered.
    public var status: UInt16 = 0
    public var reason: ReasonTable.Number = 0
    /// With 410: since when the token is not valid, in milliseconds since 1970; else 0.
    public var timestamp: Int64 = 0

    public init() {}

    public var isAccepted: Bool { state == .answered && status == 200 }

    public var isRejected: Bool { state == .answered && status != 200 }

    public var isUnknown: Bool {
        switch state {
        case .deadlinePassed, .streamReset, .connectionLost: true
        case .unsent, .inFlight, .late, .answered: false
        }
    }

    /// What has to be done about a rejection; nil for anything but a rejection.
    public var action: RejectionAction? {
        guard state == .answered, status != 200 else { return nil }
        return ReasonTable.reason(reason)?.action ?? RejectionAction(status: Int(status))
    }
}
