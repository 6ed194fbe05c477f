public import HTTP2

/// Something that goes wrong at Apple's side. Where a push may have been accepted before it went
/// wrong, the fault says whether it was: then it is recorded and delivered, and the sender does not
/// learn of it.
public enum Fault: Sendable, Equatable {
    /// An error answer instead of 200, with any reason. The push is not accepted.
    case answer(AppleRefusal)
    /// An error answer whose body is this text and no JSON.
    case answerText(status: Int, body: String)
    /// No answer at all; the stream stays open.
    case noAnswer(accepted: Bool)
    /// The answer comes late, by `by` and up to `jitter` more.
    case delay(by: Duration, jitter: Duration = .zero)
    case reset(HTTP2Code, accepted: Bool)
    /// The TCP connection closes.
    case disconnect(accepted: Bool)
    case goAway(GoAway)
    /// Every answer on this connection is 403 ExpiredProviderToken from here on.
    case wedge
    /// The limit of concurrent streams changes and stays so.
    case streamLimit(Int)
    /// GOAWAY comes in place of the first SETTINGS. Of a connection, not of a request.
    case goAwayBeforeSettings(reason: String)
    /// TCP is accepted and closed at once. Of a connection, not of a request.
    case refuseConnection

    /// A GOAWAY frame with Apple's JSON in its debug data.
    public struct GoAway: Sendable, Equatable {
        public enum LastStream: Sendable, Equatable {
            /// The push at hand is still accepted and answered, and so is what came before it.
            case thisStream
            /// The push at hand is not processed.
            case previousStream
            /// The highest id there is: nothing that is under way is lost (RFC 9113 §6.8). The
            /// connection closes by a second GOAWAY a moment later.
            case all
            /// This id, whatever was accepted; the push at hand is processed if it is not above.
            case number(Int32)
        }

        public var lastStream: LastStream
        public var code: HTTP2Code
        /// In the debug data as `{"reason":"…"}`.
        public var reason: String?
        /// Sent twice in a row.
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

    public static let internalServerError = Fault.answer(AppleRefusal(status: 500, reason: "InternalServerError"))
    public static let serviceUnavailable = Fault.answer(AppleRefusal(status: 503, reason: "ServiceUnavailable"))
    public static let shutdown = Fault.answer(AppleRefusal(status: 503, reason: "Shutdown"))
    public static let tooManyRequests = Fault.answer(AppleRefusal(status: 429, reason: "TooManyRequests"))
    public static let expiredProviderToken = Fault.answer(.expiredProviderToken)

    /// Whether it befalls a connection when it begins, and not a request.
    var isOfConnection: Bool {
        switch self {
        case .goAwayBeforeSettings, .refuseConnection: true
        case .answer, .answerText, .noAnswer, .delay, .reset, .disconnect, .goAway, .wedge, .streamLimit: false
        }
    }
}
