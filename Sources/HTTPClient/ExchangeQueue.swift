import EventLoop

/// The requests of a connection that wait for their responses, in the order in which they were sent, and the bytes
/// that answer them. It hands each response to its exchange, and says when the connection is of no more use.
struct ExchangeQueue {
    private var parser = ResponseParser()
    private var exchanges: [Exchange] = []
    /// Whether it has carried a response before.
    private(set) var hasServed = false

    mutating func append(_ exchange: Exchange) { exchanges.append(exchange) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { parser.append(bytes) }

    /// Hands on what has come. Returns why the connection must end, if it must.
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
            case .end(let keeps):
                complete(exchange)
                if !keeps { return .closedBeforeResponse }
            case .malformed(let reason): return .malformedResponse(reason)
            }
        }
        // Bytes that answer nothing: whatever they are, the connection is out of step.
        return exchanges.isEmpty && !parser.isBetweenResponses ? .malformedResponse("it answers no request") : nil
    }

    /// The server has closed: that may be how it ends a body.
    mutating func peerClosed() {
        guard let exchange = exchanges.first else { return }
        if parser.finish() {
            complete(exchange)
        } else if exchange.head != nil || !parser.isBetweenResponses {
            exchange.failure = .closedInResponse
        }
    }

    /// Nobody waits any more.
    mutating func failAll(_ error: HTTPClientError) {
        let failed = exchanges
        exchanges = []
        for exchange in failed {
            exchange.failure = exchange.failure ?? error
            exchange.wake()
        }
    }

    /// Of those who wait for a response, or for the head of a streamed one.
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
