import EventLoop
public import HTTP2
public import TLS

/// Why no connection to Apple could be opened.
public enum APNSError: Error, CustomStringConvertible {
    case address(String)
    case connect(String)
    case tls(TLSError)
    case http2(HTTP2Error)
    /// Connecting to each of the host's addresses failed.
    case everyAddress([Attempt])
    /// Apple closed the connection before its first SETTINGS; the reason is Apple's.
    case refused(String)
    case token(String)
    /// No attempt is made during the pause after a failure; the reason is that of the last failure.
    case backingOff(String)
    /// Apple takes no pushes of the credential for now; a probe follows later.
    case slowedDown(SlowdownAnswer)
    /// Apple refused a push because of the credential, and again on a new connection. The others would be refused too.
    case refusedAgain(String)
    case shutDown

    /// One address that was tried.
    public struct Attempt: Sendable {
        /// With its port.
        public let address: String
        public let error: APNSError
    }

    /// Apple's reason, if it concerns all pushes of the credential.
    public var answerToAll: String? {
        switch self {
        case .slowedDown(let answer): answer.reason.rawValue
        case .refusedAgain(let reason): reason
        default: nil
        }
    }

    public var description: String {
        switch self {
        case .address(let reason), .connect(let reason): reason
        case .tls(let error): error.description
        case .http2(let error): error.description
        case .everyAddress(let attempts): Self.reason(attempts)
        case .refused(let reason): "APNs closed the connection immediately: \(reason)"
        case .token(let reason): "no provider token is available: \(reason)"
        case .backingOff(let reason): "waiting before the next attempt to connect; the last one failed: \(reason)"
        case .slowedDown(let answer): "Apple takes no pushes of the credential for now (\(answer.reason.rawValue))"
        case .refusedAgain(let reason): "Apple refuses the credential (\(reason))"
        case .shutDown: "the client was shut down"
        }
    }

    /// A reason that several addresses share is given once.
    private static func reason(_ attempts: [Attempt]) -> String {
        var reasons: [(reason: String, addresses: [String])] = []
        for attempt in attempts {
            let reason = attempt.error.description
            if let index = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[index].addresses.append(attempt.address)
            } else {
                reasons.append((reason, [attempt.address]))
            }
        }
        let lines = reasons.map { reason, addresses in
            // Some reasons already contain the address.
            reason.contains(addresses[0]) ? reason : "\(addresses.joined(separator: ", ")): \(reason)"
        }
        return "connecting to all \(attempts.count) addresses failed: \(lines.joined(separator: "; "))"
    }
}
