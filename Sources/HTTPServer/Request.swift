public import EventLoop
public import HTTPTypes

/// A request on its way through middleware to its handler.
public struct Request: Sendable {
    /// The immutable part of the request. It is shared, because requests are passed from layer to layer and copying the
    /// parts would cost a retain for each.
    private let received: Received
    /// The decoded values of the route's `{names}`.
    public internal(set) var parameters = PathParameters()
    public var body: RequestBody
    private var storage: [ObjectIdentifier: any Sendable] = [:]

    public var head: HTTPRequest { received.head }
    /// The decoded path, without the query. Routing splits the path into segments before it decodes them, so "%2F" does
    /// not separate segments.
    public var path: String { received.path }
    public var queryItems: QueryItems { received.queryItems }
    public var method: HTTPRequest.Method { received.head.method }
    public var headers: HTTPFields { received.head.headerFields }
    /// The pattern of the route that was found, such as "/v1/apps/{app}".
    public var route: String? { parameters.route }
    /// The address of the connection's other end, which may be a proxy.
    public var remoteAddress: SocketAddress { received.origin.remoteAddress }
    /// The client's address. For a connection from a trusted proxy it is the address that the proxy reports; its port
    /// is 0 if the proxy does not report one.
    public var clientAddress: SocketAddress {
        let origin = received.origin
        return origin.proxies?.client(behind: origin.remoteAddress, headers) ?? origin.remoteAddress.unmapped
    }
    /// The loop on which this request is parsed, handled and answered.
    public var loop: EventLoop { received.origin.loop }
    /// Whether the client uses TLS, to this server or to a trusted proxy.
    public var isSecure: Bool { received.origin.isSecure(headers) }
    /// Identifies this request in logs, records and responses: the client's X-Request-Id if it is usable, which need
    /// not be unique, and otherwise 16 hexadecimal digits.
    public var id: String { labels.id ?? RequestNumber.text(number) }
    /// The trace to which the client counts this request, 32 hexadecimal digits.
    public var trace: String? { labels.trace }
    var number: UInt64 { received.number }
    var labels: RequestLabels { received.labels }
    /// The path as it was sent, without the query.
    var rawPath: Substring { received.rawPath }

    /// Creates a request without a socket. Throws the error that the server would answer if the path can't be decoded.
    public init(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8] = [], on loop: EventLoop,
        from remoteAddress: SocketAddress? = nil, behind proxies: TrustedProxies = TrustedProxies()
    ) throws(HTTPError) {
        let origin = Origin(
            remoteAddress: remoteAddress ?? .unknown, loop: loop, isSecure: false, proxies: proxies)
        let head = HTTPRequest(
            method: method, scheme: nil, authority: "localhost", path: path, headerFields: headers)
        try self.init(
            RequestHead(request: head), body: RequestBody(.bytes(body), declaredLength: body.count), origin: origin)
    }

    /// Creates another request of the client of `outer`: as if it had come over the same connection.
    public init(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, body: [UInt8], within outer: Request
    ) throws(HTTPError) {
        let head = HTTPRequest(
            method: method, scheme: nil, authority: outer.head.authority, path: path, headerFields: headers)
        try self.init(
            RequestHead(request: head), body: RequestBody(.bytes(body), declaredLength: body.count),
            origin: outer.received.origin)
    }

    init(_ head: RequestHead, body: RequestBody, origin: Origin) throws(HTTPError) {
        let target = head.request.path ?? "/"
        var path = target[...]
        var query: Substring = ""
        if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) {
            path = target[..<mark]
            query = target[target.utf8.index(after: mark)...]
        }
        guard let decoded = PercentEncoding.decode(path), let queryItems = QueryItems(query) else {
            throw .malformed("The request target contains an invalid percent escape.")
        }
        received = Received(
            head: head.request, labels: head.labels, rawPath: path, path: decoded, queryItems: queryItems,
            origin: origin)
        self.body = body
    }

    /// Gives the request a body that was already received, for example for a second reader.
    public mutating func replaceBody(_ bytes: [UInt8]) {
        let limit = body.limit
        body = RequestBody(.bytes(bytes), declaredLength: bytes.count)
        body.limit = limit
    }

    /// Values that middleware attaches to the request, such as the authenticated user.
    public subscript<Key: RequestKey>(key: Key.Type) -> Key.Value? {
        get { storage[ObjectIdentifier(key)] as? Key.Value }
        set { storage[ObjectIdentifier(key)] = newValue }
    }

    private final class Received: Sendable {
        let head: HTTPRequest
        let labels: RequestLabels
        let rawPath: Substring
        let path: String
        let queryItems: QueryItems
        let origin: Origin
        let number = RequestNumber.next()

        init(
            head: HTTPRequest, labels: RequestLabels, rawPath: Substring, path: String, queryItems: QueryItems,
            origin: Origin
        ) {
            self.head = head
            self.labels = labels
            self.rawPath = rawPath
            self.path = path
            self.queryItems = queryItems
            self.origin = origin
        }
    }

    /// The values that all requests of a connection share.
    final class Origin: Sendable {
        let remoteAddress: SocketAddress
        let loop: EventLoop
        /// Whether the connection itself uses TLS.
        let isSecure: Bool
        /// Nil unless the connection is from one of them.
        let proxies: TrustedProxies?

        init(remoteAddress: SocketAddress, loop: EventLoop, isSecure: Bool, proxies: TrustedProxies) {
            self.remoteAddress = remoteAddress
            self.proxies = proxies.contains(remoteAddress) ? proxies : nil
            self.loop = loop
            self.isSecure = isSecure
        }

        /// Whether the client of a request with these headers uses TLS.
        func isSecure(_ headers: HTTPFields) -> Bool { proxies?.isSecure(headers) ?? isSecure }
    }
}

/// A key for a value attached to a request: `enum Principal: RequestKey { typealias Value = User }`.
public protocol RequestKey {
    associatedtype Value: Sendable
}

extension SocketAddress {
    fileprivate static let unknown: SocketAddress = {
        guard let address = SocketAddress(ip: "0.0.0.0", port: 0) else { preconditionFailure("this is an address") }
        return address
    }()
}
