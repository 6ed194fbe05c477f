/// The body of a request as a stream. Beyond one read buffer, nothing is read from the socket before it is requested.
/// Read it once, in one task, while the request is handled.
public struct RequestBody: AsyncSequence, Sendable {
    public typealias Element = [UInt8]

    enum Source: Sendable {
        case bytes([UInt8])
        /// `request` distinguishes this request's body from that of a later one on the same connection.
        case connection(HTTPConnection, request: Int)
    }

    let source: Source
    /// The Content-Length; nil for a chunked or compressed body.
    public internal(set) var declaredLength: Int?
    /// Whether the bytes are compressed. Readers get them decompressed, and the limit applies to that.
    var isGzip = false
    /// The maximum size in bytes; a larger body is answered with 413.
    var limit = Router.defaultBodyLimit

    init(_ source: Source, declaredLength: Int?) {
        self.source = source
        self.declaredLength = declaredLength
    }

    /// Reads the whole body. Throws `HTTPError` (413) if it is larger than `limit` or the limit of the route.
    public func collect(upTo limit: Int = .max) async throws -> [UInt8] {
        var limited = self
        limited.limit = Swift.min(limit, self.limit)
        try limited.checkDeclaredLength()
        var all: [UInt8]?
        for try await chunk in limited {
            // Most bodies arrive in one chunk, which is then not copied.
            if all == nil { all = chunk } else { all?.append(contentsOf: chunk) }
        }
        return all ?? []
    }

    func checkDeclaredLength() throws(HTTPError) {
        if let declaredLength, declaredLength > limit { throw .contentTooLarge(limit: limit) }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(source: source, limit: limit, isGzip: isGzip)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private var source: Source
        private let limit: Int
        private let isGzip: Bool
        private var gunzip: Gunzip?
        private var count = 0

        init(source: Source, limit: Int, isGzip: Bool) {
            self.source = source
            self.limit = limit
            self.isGzip = isGzip
        }

        public mutating func next() async throws -> [UInt8]? { try await next(isolation: nil) }

        /// Called by `for await`. It stays on the connection's actor; `next()` leaves it and returns, which costs two
        /// jobs per chunk.
        public mutating func next(isolation: isolated (any Actor)?) async throws -> [UInt8]? {
            guard let chunk = isGzip ? try await decompressed() : try await received() else { return nil }
            count += chunk.count
            guard count <= limit else { throw HTTPError.contentTooLarge(limit: limit) }
            return chunk
        }

        private mutating func received() async throws -> [UInt8]? {
            switch source {
            case .bytes(let bytes):
                source = .bytes([])
                return bytes.isEmpty ? nil : bytes
            case .connection(let connection, let request):
                return try await connection.nextBodyChunk(request: request)
            }
        }

        /// The next piece that is not empty.
        private mutating func decompressed() async throws -> [UInt8]? {
            guard let gunzip = gunzip ?? Gunzip() else { throw HTTPError.internalError }
            self.gunzip = gunzip
            while true {
                if gunzip.needsInput {
                    guard let bytes = try await received() else {
                        guard gunzip.isComplete else { throw HTTPError.invalidGzip }
                        return nil
                    }
                    gunzip.feed(bytes)
                }
                guard let piece = gunzip.next() else { throw HTTPError.invalidGzip }
                if !piece.isEmpty { return piece }
            }
        }
    }
}
