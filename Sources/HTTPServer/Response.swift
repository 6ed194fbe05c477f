import EventLoop
public import HTTPTypes

/// A handler's response. The server sets Content-Length, Transfer-Encoding, Connection, Date, X-Content-Type-Options,
/// Strict-Transport-Security and X-Request-Id.
public struct Response: Sendable {
    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    public var body: Body
    /// The name of the authenticated caller in the access log, such as the prefix of a key. Never a secret.
    public var caller: String?

    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A body of unknown length that the closure writes in chunks.
        case stream(@Sendable (ResponseWriter) async throws -> Void)
        /// The same with a length in bytes that is known in advance. The closure must write exactly that many bytes.
        case sizedStream(Int, @Sendable (ResponseWriter) async throws -> Void)
        /// Server-sent events until the closure returns, the client leaves or the server stops.
        case events(keepAlive: Duration, @Sendable (EventSink) async throws -> Void)
        case file(OpenFile, Range<Int>)
    }

    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: jsonHeaders, body: .bytes(bytes))
    }

    private static let jsonHeaders: HTTPFields = [.contentType: "application/json"]

    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }

    /// A stream of server-sent events. A comment is sent every `keepAlive`, so that neither proxies nor this server
    /// close a quiet stream.
    public static func events(
        keepAlive: Duration = .seconds(15), _ send: @escaping @Sendable (EventSink) async throws -> Void
    ) -> Response {
        var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-cache"]
        if let unbuffered = HTTPField.Name("X-Accel-Buffering") { headers[unbuffered] = "no" }
        return Response(headers: headers, body: .events(keepAlive: keepAlive, send))
    }

    /// Returns the whole body, for a caller without a socket. Throws `HTTPError` if it is larger than `limit` bytes.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        let collector = Collector(limit: limit)
        let writer = ResponseWriter { try collector.append($0) }
        switch body {
        case .none: break
        case .bytes(let bytes): try await writer.write(bytes)
        case .stream(let write), .sizedStream(_, let write): try await write(writer)
        case .events(_, let send): try await send(EventSink(writer: writer))
        case .file(let file, let range):
            var range = range
            while !range.isEmpty { try await writer.write(try file.read(&range)) }
        }
        return collector.bytes.withLock { $0 }
    }
}
