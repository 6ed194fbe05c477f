import EventLoop
public import HTTPTypes

extension HTTPClientConnection {
    /// Sends a request whose body of `length` bytes is produced in pieces, and returns the whole response. `next`
    /// returns a piece, or nil at the end; it is called when the socket has accepted the previous piece. An early
    /// response, such as a rejection, ends the upload. The deadline applies to each piece, and to the response after
    /// the last one.
    public func upload(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], length: Int,
        bodyLimit: Int = HTTPClientConnection.defaultBodyLimit,
        deadline: Duration = HTTPClientConnection.defaultDeadline, _ next: @Sendable () async throws -> [UInt8]?
    ) async throws -> (HTTPResponse, [UInt8]) {
        let exchange = try begin(
            method, path, headers, [], length: length,
            Exchange(isHead: false, bodyLimit: bodyLimit, isStreamed: false, deadline: .now() + deadline))
        uploading = exchange
        defer { uploading = nil }
        var missing = length
        do {
            while missing > 0, !exchange.isReady {
                guard let piece = try await next() else { throw HTTPClientError.incompleteBody(missing: missing) }
                precondition(piece.count <= missing, "a body must not be longer than its declared length")
                missing -= piece.count
                exchange.deadline = .now() + deadline
                write(piece)
                await exchange.wait(until: { !isBlocked || exchange.isReady }, onCancel: failLater)
            }
        } catch {
            // The request can't be completed, so the connection is closed.
            fail(.cancelled)
            throw error
        }
        exchange.deadline = .now() + deadline
        try await wait(for: exchange)
        // The server has answered before it read the whole request.
        if missing > 0 || isBlocked { fail(.shutDown) }
        guard let head = exchange.head else { throw HTTPClientError.closedBeforeResponse }
        return (head, exchange.body)
    }
}
