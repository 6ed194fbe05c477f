public import HTTP2

/// A failure on Apple's side. If a push may have been accepted before the failure, the fault says whether it was. An
/// accepted push is recorded and delivered, although the sender does not learn of it.
public enum Fault: Sendable, Equatable {
    /// An error response instead of 200, with any reason. The push is not accepted.
    case answer(APNSRejection)
    /// An error response whose body is this text instead of JSON.
    case answerText(status: Int, body: String)
    /// No response; the stream stays open.
    case noAnswer(accepted: Bool)
    /// The response is delayed by `by` plus up to `jitter`.
    case delay(by: Duration, jitter: Duration = .zero)
    case reset(HTTP2Code, accepted: Bool)
    /// The TCP connection closes.
    case disconnect(accepted: Bool)
    case goAway(GoAway)
    /// Every response on this connection is 403 ExpiredProviderToken from now on.
    case expiredTokenFromNowOn
    /// The limit on concurrent streams changes permanently.
    case streamLimit(Int)
    /// GOAWAY is sent instead of the first SETTINGS. Applies to a connection, not to a request.
    case goAwayBeforeSettings(reason: String)
    /// The TCP connection is accepted and closed immediately. Applies to a connection, not to a request.
    case refuseConnection

    /// A GOAWAY frame with Apple's JSON in its debug data.
    public struct GoAway: Sendable, Equatable {
        public enum LastStream: Sendable, Equatable {
            /// This push and the ones before it are still accepted and answered.
            case thisStream
            /// This push is not processed.
            case previousStream
            /// The highest possible id, so no request in progress is lost (RFC 9113 §6.8). A second GOAWAY closes the
            /// connection shortly afterwards.
            case all
            /// This id, whatever was accepted. This push is processed if its stream id is not higher.
            case number(Int32)
        }

        public var lastStream: LastStream
        public var code: HTTP2Code
        /// Sent in the debug data as `{"reason":"…"}`.
        public var reason: String?
        /// Whether the frame is sent twice in a row.
        public var isDouble: Bool

        public init(
            lastStream: LastStream = .thisStream, code: HTTP2Code = .noError, reason: String? = "Shutdown",
            isDouble: Bool = false
        ) {
            self.lastStream = lastStream
            self.code = code
            self.reason = reason
            self.isDouble = isDouble
        }

        var debugData: String { reason.map { #"{"reason":"\#($0)"}"# } ?? "" }
    }

    public static let internalServerError = Fault.answer(APNSRejection(status: 500, reason: "InternalServerError"))
    public static let serviceUnavailable = Fault.answer(APNSRejection(status: 503, reason: "ServiceUnavailable"))
    public static let shutdown = Fault.answer(APNSRejection(status: 503, reason: "Shutdown"))
    public static let tooManyRequests = Fault.answer(APNSRejection(status: 429, reason: "TooManyRequests"))
    public static let expiredProviderToken = Fault.answer(.expiredProviderToken)

    /// Whether the fault applies to a new connection instead of a request.
    var isOfConnection: Bool {
        switch self {
        case .goAwayBeforeSettings, .refuseConnection: true
        case .answer, .answerText, .noAnswer, .delay, .reset, .disconnect, .goAway, .expiredTokenFromNowOn,
            .streamLimit:
            false
        }
    }
}
