public import EventLoop
public import HTTPTypes
import TLS

/// One connection to an HTTP/1.1 server, on one loop. Concurrent requests are pipelined. Call it from tasks that
/// prefer its loop.
public actor HTTPClientConnection {
    /// The default maximum size of a response's body, in bytes.
    public static let defaultBodyLimit = 1024 * 1024
    /// The default time from the request to the end of its response.
    public static let defaultDeadline = Duration.seconds(30)
    /// The maximum duration of connecting, and again of the TLS handshake.
    public static let connectDeadline = Duration.seconds(10)
    /// The maximum number of bytes per read.
    static let readSize = 16 * 1024
    /// Reading of a streamed body pauses while this many bytes are buffered.
    static let streamBufferBytes = 64 * 1024

    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let transport: Transport
    private let authority: String
    private var exchanges = ExchangeQueue()
    private var output: [UInt8] = []
    private var sent = 0
    private var timer: EventLoop.Timer?
    private var timerDeadline = MonotonicTime(nanoseconds: 0)
    /// The exchange whose response is consumed in pieces.
    private(set) var streamed: Exchange?
    /// The exchange whose request is uploaded in pieces.
    var uploading: Exchange?

    /// Used by `connect`. If this throws, the caller still owns the socket.
    init(
        _ socket: Socket, host: String, authority: String, on loop: EventLoop, tls: TLSContext?
    ) throws(TLSError) {
        self.loop = loop
        self.authority = authority
        if let tls {
            transport = try Transport(socket, on: loop, tls: tls, host: host)
        } else {
            transport = Transport(socket, on: loop)
        }
    }

    /// Whether another request may be sent.
    public var isOpen: Bool { !transport.isClosed }

    /// Whether the connection has completed a response.
    var hasServed: Bool { exchanges.hasServed }

    // MARK: Requests

    /// Sends a request and returns the whole response.
    public func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8] = [],
        bodyLimit: Int = HTTPClientConnection.defaultBodyLimit,
        deadline: Duration = HTTPClientConnection.defaultDeadline
    ) async throws(HTTPClientError) -> (HTTPResponse, [UInt8]) {
        let exchange = try begin(
            method, path, headers, body,
            Exchange(
                isHead: method == .head, bodyLimit: bodyLimit, isStreamed: false, deadline: .now() + deadline))
        try await wait(for: exchange)
        guard let head = exchange.head else { throw .closedBeforeResponse }
        return (head, exchange.body)
    }

    /// Sends a request and returns the response with its body as a stream. Read the body to its end, or close the
    /// connection. The deadline applies to the head.
    public func stream(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8] = [],
        deadline: Duration = HTTPClientConnection.defaultDeadline
    ) async throws(HTTPClientError) -> (HTTPResponse, HTTPClientBody) {
        let exchange = try begin(
            method, path, headers, body,
            Exchange(isHead: method == .head, bodyLimit: .max, isStreamed: true, deadline: .now() + deadline))
        streamed = exchange
        try await wait(for: exchange)
        guard let head = exchange.head else { throw .closedBeforeResponse }
        return (head, HTTPClientBody(connection: self))
    }

    /// Closes the connection immediately; requests in flight fail.
    public func close() {
        fail(.shutDown)
    }

    /// Begins a request. `length` is the length of the whole body, if more of it is sent later.
    func begin(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: [UInt8], length: Int? = nil,
        _ exchange: Exchange
    ) throws(HTTPClientError) -> Exchange {
        guard isOpen else { throw .closedBeforeResponse }
        var text = "\(method.rawValue) \(path) HTTP/1.1\r\nHost: \(authority)\r\n"
        for field in headers { text += "\(field.name.rawName): \(field.value)\r\n" }
        if length != nil || !body.isEmpty || method == .post || method == .put || method == .patch {
            text += "Content-Length: \(length ?? body.count)\r\n"
        }
        text += "\r\n"
        output.append(contentsOf: text.utf8)
        exchanges.append(exchange)
        arm(for: exchange.deadline)
        write(body)
        return exchange
    }

    func wait(for exchange: Exchange) async throws(HTTPClientError) {
        await exchange.wait(
            until: { exchange.isReady },
            // A response can't be skipped, so the connection is closed.
            onCancel: failLater)
        if let failure = exchange.failure { throw failure }
    }

    // MARK: The socket

    /// Whether output is waiting for the server to read.
    var isBlocked: Bool { sent < output.count }

    func becameReady() {
        if isBlocked { write() }
        while !transport.isClosed {
            if let streamed, streamed.body.count >= Self.streamBufferBytes {
                return transport.interest(reading: false, writing: isBlocked)
            }
            switch read() {
            case .bytes(let count):
                if let error = exchanges.process() { return fail(error) }
                if count < Self.readSize && transport.tlsVersion == nil { return }
            case .wouldBlock: return
            case .end: return ended()
            }
        }
    }

    private func read() -> IOResult {
        withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 16) { space in
            do {
                let result = try transport.read(into: space)
                if case .bytes(let count) = result {
                    exchanges.append(UnsafeRawBufferPointer(rebasing: space[..<count]))
                }
                return result
            } catch {
                // A reset is handled like the end of the connection.
                return .end
            }
        }
    }

    /// Sends bytes after those that are already waiting.
    func write(_ bytes: [UInt8]) {
        output.append(contentsOf: bytes)
        write()
    }

    private func write() {
        while sent < output.count {
            let result: IOResult
            do {
                result = try output.withUnsafeBytes {
                    try transport.write(UnsafeRawBufferPointer(rebasing: $0[sent...]))
                }
            } catch {
                return ended()
            }
            switch result {
            case .bytes(let count): sent += count
            case .wouldBlock: return transport.interest(reading: true, writing: true)
            case .end: return ended()
            }
        }
        sent = 0
        output.removeAll(keepingCapacity: true)
        transport.interest(reading: true, writing: false)
        uploading?.wake()
    }

    private func ended() {
        exchanges.peerClosed()
        fail(.closedBeforeResponse)
    }

    nonisolated func failLater() {
        loop.perform { self.assumeIsolated { $0.fail(.cancelled) } }
    }

    func fail(_ error: HTTPClientError) {
        guard !transport.isClosed else { return }
        if let timer { loop.cancel(timer) }
        timer = nil
        transport.close()
        exchanges.failAll(error)
    }

    // MARK: Deadlines

    private func arm(for deadline: MonotonicTime) {
        if let timer {
            guard deadline < timerDeadline else { return }
            loop.cancel(timer)
        }
        timerDeadline = deadline
        timer = loop.schedule(at: deadline) { self.timerFired() }
    }

    private func timerFired() {
        timer = nil
        guard let earliest = exchanges.earliestDeadline else { return }
        if earliest <= .now() { fail(.timedOut) } else { arm(for: earliest) }
    }
}
