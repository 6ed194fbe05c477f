public import EventLoop
import HTTPTypes

/// One request and its response, for an access log. It contains nothing of the request's path, query, headers or body,
/// except the request ID and the trace that the client gave.
public struct AccessRecord: Sendable {
    /// "GET" and the like; "other" for a method that no route has, "-" for bytes that were not a request.
    public let method: String
    /// The pattern of the route, such as "/v1/apps/{app}"; nil if there is none for the path.
    public let route: String?
    public let status: Int
    /// From the request's header to the end of the response.
    public let duration: Duration
    /// See `Response.caller`.
    public let caller: String?
    public let client: SocketAddress
    /// The size of the response's body as far as it was sent, in bytes.
    public let bytes: Int
    /// See `Request.id`; nil for bytes that were not a request.
    public let requestID: String?
    /// See `Request.trace`.
    public let trace: String?

    init(
        _ request: Request?, _ response: Response, method: HTTPRequest.Method?, from peer: SocketAddress, bytes: Int,
        duration: Duration
    ) {
        self.method = method.map { Self.methods.contains($0) ? $0.rawValue : "other" } ?? "-"
        route = request?.route
        status = response.status.code
        self.duration = duration
        caller = response.caller
        client = request?.clientAddress ?? peer.unmapped
        self.bytes = bytes
        requestID = request?.id
        trace = request?.trace
    }

    /// A client can send any word as a method.
    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]
}
