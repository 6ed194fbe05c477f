import EventLoop
public import HTTPTypes

extension HTTPClientConnection {
    /// Sends a request whose body of `length` bytes comes piece by piece, and takes the whole response. `next` gives a
    /// piece, or nil at the end, when the socket has taken those before. A response that comes earlier, as a refusal
    /// does, ends it. The deadline is for each piece to be taken, and for the response behind the last one.
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
                guard let piece = try await next() else { throw HTTPClientError.bodyCutShort(missing: missing) }
                precondition(piece.count <= missing, "a body is as long as its length says")
                missing -= piece.count
                exchange.deadline = .now() + deadline
                write(piece)
                await exchange.wait(until: { !isBlocked || exchange.isReady }, onCancel: failLater)
            }
        } catch {
            // Without its rest the request has no end.
            fail(.cancelled)
            throw error
        }
        exchange.deadline = .now() + deadline
        try await wait(for: exchange)
        // The server has answered what it has not read to its end.
        if missing > 0 || isBlocked { fail(.shutDown) }
        guard let head = exchange.head else { throw HTTPClientError.closedBeforeResponse }
        return (head, exchange.body)
    }
}
