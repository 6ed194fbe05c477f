import EventLoop
public import HTTP2
public import TLS

/// Why no connection to Apple could be had.
public enum APNSError: Error, CustomStringConvertible {
    case address(String)
    case connect(String)
    case tls(TLSError)
    case http2(HTTP2Error)
    /// The host has several addresses, and each failed in its way.
    case everyAddress([Attempt])
    /// Apple said goodbye, in its own words, before it let us in.
    case refused(String)
    case token(String)
    /// Attempts pause after failures; the reason of the last one.
    case pausing(String)
    case shutDown

    /// One address that was tried.
    public struct Attempt: Sendable {
        /// With its port.
        public let address: String
        public let error: APNSError
    }

    public var description: String {
        switch self {
        case .address(let reason), .connect(let reason): reason
        case .tls(let error): error.description
        case .http2(let error): error.description
        case .everyAddress(let attempts): Self.words(attempts)
        case .refused(let reason): "APNs closed the connection at once: \(reason)"
        case .token(let reason): "there is no provider token: \(reason)"
        case .pausing(let reason): "waiting before the next attempt to connect; the last one failed: \(reason)"
        case .shutDown: "the client was shut down"
        }
    }

    /// What several addresses have in common is said once.
    private static func words(_ attempts: [Attempt]) -> String {
        var reasons: [(words: String, addresses: [String])] = []
        for attempt in attempts {
            let words = attempt.error.description
            if let index = reasons.firstIndex(where: { $0.words == words }) {
                reasons[index].addresses.append(attempt.address)
            } else {
                reasons.append((words, [attempt.address]))
            }
        }
        let lines = reasons.map { words, addresses in
            // Some reasons name their address themselves.
            words.contains(addresses[0]) ? words : "\(addresses.joined(separator: ", ")): \(words)"
        }
        return "none of \(attempts.count) addresses can be used: \(lines.joined(separator: "; "))"
    }
}
