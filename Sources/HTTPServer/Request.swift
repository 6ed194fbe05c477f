public import EventLoop
public import HTTPTypes

/// A request on its way through middleware to its handler.
public struct Request: Sendable {
    public let head: HTTPRequest
    /// Decoded, without the query. To find a route its segments are taken apart before decoding, so
    /// that "%2F" stays inside one.
    public let path: String
    public let queryItems: QueryItems
    /// What the route's `{names}` stand for, decoded.
    public internal(set) var parameters = PathParameters()
    /// The pattern of the route that was found, such as "/v1/apps/{app}".
    public internal(set) var route: String?
    public var body: RequestBody
    private let origin: Origin
    private let number: UInt64
    private var storage: [ObjectIdentifier: any Sendable] = [:]

    public var method: HTTPRequest.Method { head.method }
    public var headers: HTTPFields { head.headerFields }
    public var remoteAddress: SocketAddress { origin.remoteAddress }
    /// The loop that this request is parsed, handled and answered on.
    public var loop: EventLoop { origin.loop }
    public var isSecure: Bool { origin.isSecure }
    /// 16 hexadecimal digits that name this request in logs and answers.
    public var id: String { RequestNumber.text(number) }

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
        rawPath = path
        guard let path = PercentEncoding.decode(path), let queryItems = QueryItems(query) else {
            throw .malformed("The request target holds a broken percent escape.")
        }
        self.head = head
        self.path = path
        self.queryItems = queryItems
        self.body = body
        self.origin = origin
        number = RequestNumber.next()
    }

    /// The path as it was sent, without the query.
    let rawPath: Substring

    /// What middleware has found out, such as who asks.
    public subscript<Key: RequestKey>(key: Key.Type) -> Key.Value? {
        get { storage[ObjectIdentifier(key)] as? Key.Value }
        set { storage[ObjectIdentifier(key)] = newValue }
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
