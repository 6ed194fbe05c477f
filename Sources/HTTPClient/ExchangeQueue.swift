import EventLoop

/// The requests of a connection that wait for their responses, in the order in which they were sent. It parses the
/// received bytes, assigns each response to its exchange, and reports when the connection must end.
struct ExchangeQueue {
    private var parser = ResponseParser()
    private var exchanges: [Exchange] = []
    /// Whether the connection has completed a response.
    private(set) var hasServed = false

    mutating func append(_ exchange: Exchange) { exchanges.append(exchange) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { parser.append(bytes) }

    /// Processes the received bytes. Returns the reason if the connection must end.
    mutating func process() -> HTTPClientError? {
        while let exchange = exchanges.first, let event = parser.next(toHead: exchange.isHead) {
            switch event {
            case .head(let head):
                exchange.head = head
                if exchange.isStreamed { exchange.wake() }
            case .body(let bytes):
                guard exchange.body.count + bytes.count <= exchange.bodyLimit else {
                    return .bodyTooLarge(limit: exchange.bodyLimit)
                }
                if exchange.body.isEmpty { exchange.body = bytes } else { exchange.body.append(contentsOf: bytes) }
                if exchange.isStreamed { exchange.wake() }
            case .end(let keepsAlive):
                complete(exchange)
                if !keepsAlive { return .closedBeforeResponse }
            case .malformed(let reason): return .malformedResponse(reason)
            }
        }
        // Bytes without a request: the connection is out of sync.
        return exchanges.isEmpty && !parser.isBetweenResponses ? .malformedResponse("there was no request for it") : nil
    }

    /// Handles that the server closed the connection, which may be the end of a body.
    mutating func peerClosed() {
        guard let exchange = exchanges.first else { return }
        if parser.finish() {
            complete(exchange)
        } else if exchange.head != nil || !parser.isBetweenResponses {
            exchange.failure = .closedInResponse
        }
    }

    /// Fails all requests.
    mutating func failAll(_ error: HTTPClientError) {
        let failed = exchanges
        exchanges = []
        for exchange in failed {
            exchange.failure = exchange.failure ?? error
            exchange.wake()
        }
    }

    /// The earliest deadline of the requests that wait for a response, or for the head of a streamed one.
    var earliestDeadline: MonotonicTime? {
        exchanges.filter { !($0.isStreamed && $0.head != nil) }.map(\.deadline).min()
    }

    private mutating func complete(_ exchange: Exchange) {
        exchanges.removeFirst()
        hasServed = true
        exchange.isComplete = true
        exchange.wake()
    }
}
