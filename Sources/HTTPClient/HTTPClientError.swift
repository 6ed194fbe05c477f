public import EventLoop
public import TLS

/// Why there is no response.
public enum HTTPClientError: Error, CustomStringConvertible {
    case resolve(ResolveError)
    case connect(SystemError)
    case tls(TLSError)
    /// The server closed the connection before it sent a byte of the response: maybe it never saw
    /// the request.
    case closedBeforeResponse
    /// The connection ended in the middle of the response.
    case closedInResponse
    case timedOut
    case malformedResponse(String)
    case bodyTooLarge(limit: Int)
    /// What was to be sent ended so many bytes too early.
    case bodyCutShort(missing: Int)
    /// So many requests wait for a connection already.
    case tooManyWaiters(Int)
    case cancelled
    /// `close()` was called.
    case shutDown

    public var description: String {
        switch self {
        case .resolve(let error): error.description
        case .connect(let error): error.description
        case .tls(let error): error.description
        case .closedBeforeResponse: "the server closed the connection before it answered"
        case .closedInResponse: "the server closed the connection in the middle of its response"
        case .timedOut: "the response took too long"
        case .malformedResponse(let reason): "the response is not HTTP/1.1: \(reason)"
        case .bodyTooLarge(let limit): "the response's body has more than \(limit) bytes"
        case .bodyCutShort(let missing): "what was to be sent ended \(missing) bytes too early"
        case .tooManyWaiters(let count): "\(count) requests wait for a connection already"
        case .cancelled: "the request was cancelled"
        case .shutDown: "the client is closed"
        }
    }
}
