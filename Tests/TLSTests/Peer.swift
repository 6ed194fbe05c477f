import EventLoop
import Glibc
import TLS
import TestSupport
import Testing

/// One end of a connection.
actor Peer {
    private let loop: EventLoop
    private let transport: Transport
    private var sent = 0
    private var received: [UInt8] = []
    private var callback: CheckedContinuation<Void, Never>?
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// On the loop only.
    init(_ socket: Socket, on loop: EventLoop, tls context: TLSContext?, host: String = "localhost") throws(TLSError) {
        self.loop = loop
        transport =
            if let context {
                try Transport(socket, on: loop, tls: context, host: host)
            } else {
                Transport(socket, on: loop)
            }
    }

    func handshake() async throws(TLSError) { try await transport.handshake() }
    func readable() async throws(TLSError) { try await transport.readable() }
    func writable() async throws(TLSError) { try await transport.writable() }

    /// Returns when the transport calls back for the first time, or is closed.
    func notified(whenReadable: Bool, whenWritable: Bool) async {
        await withCheckedContinuation { continuation in
            callback = continuation
            transport.notify(whenReadable: whenReadable, whenWritable: whenWritable) {
                self.assumeIsolated { $0.calledBack() }
            }
        }
    }

    private func calledBack() {
        transport.interest(reading: false, writing: false)
        callback?.resume()
        callback = nil
    }

    var agreedProtocol: String? { transport.agreedProtocol }
    var version: String? { transport.tlsVersion }
    var isClosed: Bool { transport.isClosed }

    func send(_ bytes: [UInt8]) async throws(TLSError) {
        var sent = 0
        while sent < bytes.count {
            switch try write(bytes[sent...]) {
            case .bytes(let count): sent += count
            case .wouldBlock: try await transport.writable()
            case .end: throw Transport.closed
            }
        }
    }

    /// Writes until the socket blocks. Returns the number of bytes written.
    func sendUntilBlocked(_ bytes: [UInt8]) throws(TLSError) -> Int {
        var sent = 0
        while case .bytes(let count) = try write(bytes[sent...]) { sent += count }
        return sent
    }

    /// Receives `count` bytes, or fewer at the end; reads of random sizes up to `atMost`.
    func receive(_ count: Int, atMost: Int = 100_000) async throws(TLSError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            switch try read(min(.random(in: 1...atMost), count - bytes.count)) {
            case (.bytes, let some): bytes += some
            case (.wouldBlock, _): try await transport.readable()
            case (.end, _): return bytes
            }
        }
        return bytes
    }

    /// Sends all bytes and concurrently receives the same number, with callbacks.
    func exchange(_ bytes: [UInt8], atMost: Int) async throws -> [UInt8] {
        (sent, received) = (0, [])
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            transport.notify(whenReadable: true, whenWritable: true) {
                self.assumeIsolated { peer in
                    do throws(TLSError) {
                        if try peer.exchangeStep(bytes, atMost: atMost) { continuation.resume() }
                    } catch {
                        peer.transport.interest(reading: false, writing: false)
                        continuation.resume(throwing: error)
                    }
                }
            }
        }
        return received
    }

    private func exchangeStep(_ bytes: [UInt8], atMost: Int) throws(TLSError) -> Bool {
        while sent < bytes.count, case .bytes(let count) = try write(bytes[sent...]) { sent += count }
        while received.count < bytes.count, case (.bytes, let some) = try read(.random(in: 1...atMost)) {
            received += some
        }
        let isReading = received.count < bytes.count
        transport.interest(reading: isReading, writing: sent < bytes.count)
        return !isReading
    }

    /// Sends back what comes, until the end.
    func echo(atMost: Int) async throws(TLSError) {
        while true {
            let bytes = try await receiveSome(atMost)
            if bytes.isEmpty { return }
            try await send(bytes)
        }
    }

    /// At least one byte, or none at the end.
    func receiveSome(_ atMost: Int) async throws(TLSError) -> [UInt8] {
        while true {
            switch try read(.random(in: 1...atMost)) {
            case (.bytes, let some): return some
            case (.wouldBlock, _): try await transport.readable()
            case (.end, _): return []
            }
        }
    }

    func shutdownWriting() { transport.shutdownWriting() }
    func close(throwing error: TLSError = Transport.closed) {
        transport.close(throwing: error)
        callback?.resume()
        callback = nil
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(TLSError) -> IOResult {
        let result = bytes.withUnsafeBytes { raw in Result { () throws(TLSError) in try transport.write(raw) } }
        return try result.get()
    }

    func read(_ count: Int) throws(TLSError) -> (IOResult, [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: count)
        let result = buffer.withUnsafeMutableBytes { raw in
            Result { () throws(TLSError) in try transport.read(into: raw) }
        }
        guard case .bytes(let count) = try result.get() else { return (try result.get(), []) }
        return (.bytes(count), Array(buffer.prefix(count)))
    }
}

/// Runs `body` in a task that prefers a loop of its own. `@concurrent`, or it would begin elsewhere.
func onLoop<Result: Sendable>(
    _ body: @concurrent @Sendable (EventLoop) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop(name: "tls-test")
    defer { loop.stop() }
    return try await withTaskExecutorPreference(loop) { try await body(loop) }
}

/// Two ends of one connection in one process; both are closed in the end.
func withPeers<Result: Sendable>(
    server: TLSContext?, client: TLSContext?, host: String = "localhost",
    _ body: @concurrent @Sendable (_ server: Peer, _ client: Peer) async throws -> Result
) async throws -> Result {
    try await onLoop { loop in
        let (near, far) = try Socket.pair()
        let serverPeer = try Peer(near, on: loop, tls: server)
        let clientPeer = try Peer(far, on: loop, tls: client, host: host)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(serverPeer, clientPeer)) } catch { result = .failure(error) }
        await serverPeer.close()
        await clientPeer.close()
        return try result.get()
    }
}

/// Performs the handshake of both ends and returns their errors. A failed end is closed, as its owner would do.
func performHandshake(_ server: Peer, _ client: Peer) async -> (server: TLSError?, client: TLSError?) {
    func attempt(_ peer: Peer) async -> TLSError? {
        do throws(TLSError) {
            try await peer.handshake()
            return nil
        } catch {
            await peer.close()
            return error
        }
    }
    async let serverEnd = attempt(server)
    async let clientEnd = attempt(client)
    return await (serverEnd, clientEnd)
}

func randomBytes(_ count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(count))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes += $0 } }
    return Array(bytes.prefix(count))
}

/// To the least that the kernel gives, a few kilobytes. What is in it already stays.
func shrinkSendBuffer(of socket: Socket) throws {
    var size: Int32 = 1
    let status = setsockopt(
        socket.descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    guard status == 0 else { throw SystemError(operation: "setsockopt", code: errno) }
}
