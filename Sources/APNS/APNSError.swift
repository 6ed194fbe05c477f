import EventLoop
public import HTTP2
public import TLS

/// Why no connection to Apple could be had.
public enum APNSError: Error, CustomStringConvertible {
    case address(String)
    case connect(String)
    case tls(TLSError)
    case http2(HTTP2Error)
    /// Apple said goodbye, in its own words, before it let us in.
    case refused(String)
    case timedOut(String)
    case token(String)
    /// Attempts pause after failures; the reason of the last one.
    case pausing(String)
    case shutDown

    public var description: String {
        switch self {
        case .address(let reason), .connect(let reason): reason
        case .tls(let error): error.description
        case .http2(let error): error.description
        case .refused(let reason): "APNs closed the connection at once: \(reason)"
        case .timedOut(let what): "\(what) took too long"
        case .token(let reason): "there is no provider token: \(reason)"
        case .pausing(let reason): "waiting before the next attempt to connect; the last one failed: \(reason)"
        case .shutDown: "the client was shut down"
        }
    }
}
