/// A request's body as it comes: nothing is read from the socket before it is asked for, beyond one
/// read buffer. To be read once, by one task, while the request is handled.
public struct RequestBody: AsyncSequence, Sendable {
    public typealias Element = [UInt8]

    enum Source: Sendable {
        case bytes([UInt8])
        /// `request` tells this request's body from that of a later one on the same connection.
        case connection(HTTPConnection, request: Int)
    }

    let source: Source
    /// The Content-Length, or nil for chunks.
    public let declaredLength: Int?
    /// Bytes that the route takes; more is a 413.
    var limit = Router.defaultBodyLimit

    init(_ source: Source, declaredLength: Int?) {
        self.source = source
        self.declaredLength = declaredLength
    }

    /// The whole body. Throws `HTTPError` (413) when it is longer than `limit` or the route's own.
    public func collect(upTo limit: Int = .max) async throws -> [UInt8] {
        var limited = self
        limited.limit = Swift.min(limit, self.limit)
        try limited.refuseDeclaredExcess()
        var all: [UInt8]?
        for try await chunk in limited {
            // Most bodies come in one piece, which is then not copied.
            if all == nil { all = chunk } else { all?.append(contentsOf: chunk) }
        }
        return all ?? []
    }

    func refuseDeclaredExcess() throws(HTTPError) {
        if let declaredLength, declaredLength > limit { throw .contentTooLarge(limit: limit) }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source, limit: limit)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private var source: Source
        private let limit: Int
        private var count = 0

        init(source: Source, limit: Int) {
            self.source = source
            self.limit = limit
        }

        public mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

        /// What `for await` calls: it stays on the connection's actor, where the other one leaves and comes back, at
        /// the cost of two jobs a chunk.
        public mutating func next(isolation: isolated (any Actor)?) async throws -> [UInt8]? {
            let chunk: [UInt8]?
            switch source {
            case .bytes(let bytes):
                chunk = bytes.isEmpty ? nil : bytes
                source = .bytes([])
            case .connection(let connection, let request):
                chunk = try await connection.nextBodyChunk(request: request)
            }
            guard let chunk else { return nil }
            count += chunk.count
            guard count <= limit else { throw HTTPError.contentTooLarge(limit: limit) }
            return chunk
        }
    }
}
