public import EventLoop

/// Apple's answer that concerns all pushes of a credential, so that they wait.
public struct SlowdownAnswer: Sendable, Equatable {
    public enum Reason: String, Sendable {
        /// 429: Apple has seen too many provider tokens.
        case tokenUpdates = "TooManyProviderTokenUpdates"
        /// HTTP/2's code for streams that were not processed: each push of a connection got it.
        case refusedStreams = "REFUSED_STREAM"
    }

    public let reason: Reason
    public let at: MonotonicTime
}
