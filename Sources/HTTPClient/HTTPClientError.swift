public import EventLoop
public import TLS

/// The reason why a request has no response.
public enum HTTPClientError: Error, CustomStringConvertible {
    case resolve(ResolveError)
    case connect(SystemError)
    case tls(TLSError)
    /// The server closed the connection before it sent a byte of the response. It may not have received the request.
    case closedBeforeResponse
    /// The connection ended in the middle of the response.
    case closedInResponse
    case timedOut
    case malformedResponse(String)
    case bodyTooLarge(limit: Int)
    /// The body to upload ended before its declared length.
    case incompleteBody(missing: Int)
    /// The limit on requests that wait for a connection is reached.
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
        case .timedOut: "the request timed out"
        case .malformedResponse(let reason): "the response is not valid HTTP/1.1: \(reason)"
        case .bodyTooLarge(let limit): "the body of the response is larger than \(limit) bytes"
        case .incompleteBody(let missing): "the body to upload ended \(missing) bytes too early"
        case .tooManyWaiters(let count): "too many requests (\(count)) are waiting for a connection"
        case .cancelled: "the request was cancelled"
        case .shutDown: "the client is closed"
        }
    }
}
