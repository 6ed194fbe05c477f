public import EventLoop
public import HTTPTypes

/// A request on its way through middleware to its handler.
public struct Request: Sendable {
    /// What came and stays as it came. Shared: requests are handed from layer to layer, and a copy of all this would
    /// cost a retain for each part.
    private let received: Received
    /// What the route's `{names}` stand for, decoded.
    public internal(set) var parameters = PathParameters()
    public var body: RequestBody
    private var storage: [ObjectIdentifier: any Sendable] = [:]

    public var head: HTTPRequest { received.head }
    /// Decoded, without the query. To find a route its segments are taken apart before decoding, so
    /// that "%2F" stays inside one.
    public var path: String { received.path }
    public var queryItems: QueryItems { received.queryItems }
    public var method: HTTPRequest.Method { received.head.method }
    public var headers: HTTPFields { received.head.headerFields }
    /// The pattern of the route that was found, such as "/v1/apps/{app}".
    public var route: String? { parameters.route }
    public var remoteAddress: SocketAddress { received.origin.remoteAddress }
    /// The loop that this request is parsed, handled and answered on.
    public var loop: EventLoop { received.origin.loop }
    public var isSecure: Bool { received.origin.isSecure }
    /// 16 hexadecimal digits that name this request in logs and answers.
    public var id: String { RequestNumber.text(number) }
    var number: UInt64 { received.number }
    /// The path as it was sent, without the query.
    var rawPath: Substring { received.rawPath }

    /// A request that came over no socket. Throws what the server would answer to a path that cannot
    /// be decoded.
    public init(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8] = [], on loop: EventLoop,
        from remoteAddress: SocketAddress? = nil
    ) throws(HTTPError) {
        let origin = Origin(remoteAddress: remoteAddress ?? .unknown, loop: loop, isSecure: false)
        let head = HTTPRequest(
            method: method, scheme: nil, authority: "localhost", path: path, headerFields: headers)
        try self.init(head, body: RequestBody(.bytes(body), declaredLength: body.count), origin: origin)
    }

    init(_ head: HTTPRequest, body: RequestBody, origin: Origin) throws(HTTPError) {
        let target = head.path ?? "/"
        var path = target[...]
        var query: Substring = ""
        if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) {
            path = target[..<mark]
            query = target[target.utf8.index(after: mark)...]
        }
        guard let decoded = PercentEncoding.decode(path), let queryItems = QueryItems(query) else {
            throw .malformed("The request target holds a broken percent escape.")
        }
        received = Received(head: head, rawPath: path, path: decoded, queryItems: queryItems, origin: origin)
        self.body = body
    }

    /// What middleware has found out, such as who asks.
    public subscript<Key: RequestKey>(key: Key.Type) -> Key.Value? {
        get { storage[ObjectIdentifier(key)] as? Key.Value }
        set { storage[ObjectIdentifier(key)] = newValue }
    }

    private final class Received: Sendable {
        let head: HTTPRequest
        let rawPath: Substring
        let path: String
        let queryItems: QueryItems
        let origin: Origin
        let number = RequestNumber.next()

        init(head: HTTPRequest, rawPath: Substring, path: String, queryItems: QueryItems, origin: Origin) {
            self.head = head
            self.rawPath = rawPath
            self.path = path
            self.queryItems = queryItems
            self.origin = origin
        }
    }

    /// What all requests of a connection share.
    final class Origin: Sendable {
        let remoteAddress: SocketAddress
        let loop: EventLoop
        let isSecure: Bool

        init(remoteAddress: SocketAddress, loop: EventLoop, isSecure: Bool) {
            self.remoteAddress = remoteAddress
            self.loop = loop
            self.isSecure = isSecure
        }
    }
}

/// Names one thing that a request carries: `enum Principal: RequestKey { typealias Value = User }`.
public protocol RequestKey {
    associatedtype Value: Sendable
}

extension SocketAddress {
    fileprivate static let unknown: SocketAddress = {
        guard let address = SocketAddress(ip: "0.0.0.0", port: 0) else { preconditionFailure("this is an address") }
        return address
    }()
}
