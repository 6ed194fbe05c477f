import EventLoop
import Glibc

/// The 503 for a connection that the server can't serve, for a socket without an `HTTPConnection`.
enum OverloadResponse {
    /// Sends the response as far as the socket takes it immediately, and closes the socket.
    static func send(to socket: Socket, _ bytes: [UInt8]) {
        // Closing a socket with unread bytes sends a reset, which can destroy the response (RFC 9112 §9.6).
        withUnsafeTemporaryAllocation(byteCount: readBytes, alignment: 1) { buffer in
            do {
                _ = try socket.read(into: buffer)
                _ = try bytes.withUnsafeBytes { try socket.write($0) }
            } catch {
                // The client has left.
            }
        }
        socket.shutdownWriting()
        socket.close()
    }

    /// The complete response, as `router` renders it.
    static func bytes(_ router: Router) -> [UInt8] {
        let response = router.render(HTTPError.tooManyConnections, for: nil)
        guard case .bytes(let body) = response.body else { return [] }
        var bytes: [UInt8] = []
        ResponseEncoder.appendHead(
            of: response, to: nil, framing: .length(body.count), date: Array(HTTPDate.text(time(nil)).utf8),
            isSecure: false, close: true, into: &bytes)
        return bytes + body
    }

    private static let readBytes = 8 * 1024
}
