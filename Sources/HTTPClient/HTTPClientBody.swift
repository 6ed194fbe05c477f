import EventLoop
import TLS

/// The body of a response as a stream. Bytes that are not requested stay in the socket.
public struct HTTPClientBody: AsyncSequence, Sendable {
    let connection: HTTPClientConnection

    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

    public struct Iterator: AsyncIteratorProtocol {
        let connection: HTTPClientConnection

        public mutating func next() async throws(HTTPClientError) -> [UInt8]? { try await connection.nextPiece() }
    }
}

extension HTTPClientConnection {
    /// Returns the next piece of the streamed body; nil at its end.
    func nextPiece() async throws(HTTPClientError) -> [UInt8]? {
        guard let exchange = streamed else { return nil }
        while exchange.body.isEmpty {
            if let failure = exchange.failure { throw failure }
            if exchange.isComplete { return nil }
            transport.interest(reading: true, writing: isBlocked)
            await exchange.wait(
                until: { !exchange.body.isEmpty || exchange.isComplete || exchange.failure != nil },
                onCancel: failLater)
        }
        let piece = exchange.body
        exchange.body = []
        return piece
    }
}
