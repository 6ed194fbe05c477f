public import EventLoop
import Glibc
import Testing

/// An address that never answers: a listener whose queue is full, so that the kernel ignores further connections.
public struct SilentListener: Sendable {
    public let address: SocketAddress
    private let listener: Socket
    private let queued: [Socket]

    public init(ip: String = "127.0.0.1", on loop: EventLoop) async throws {
        listener = try Socket.listen(on: #require(SocketAddress(ip: ip, port: 0)))
        address = try listener.localAddress()
        try #require(listen(listener.descriptor, 0) == 0)
        var queued: [Socket] = []
        // Connecting to loopback takes far less than this.
        while let socket = try? await Socket.connect(to: address, on: loop, timeout: .milliseconds(200)) {
            queued.append(socket)
            try #require(queued.count < 10)
        }
        self.queued = queued
    }

    /// Empties the queue, so that the next attempt is answered; the kernel makes another one a second after the first.
    public func answer() {
        while true {
            let accepted = accept(listener.descriptor, nil, nil)
            guard accepted >= 0 else { return }
            Glibc.close(accepted)
        }
    }

    public func close() {
        for socket in queued { socket.close() }
        listener.close()
    }
}
