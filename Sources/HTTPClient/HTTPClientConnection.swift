public import EventLoop
public import HTTPTypes
public import TLS

/// One connection to an HTTP/1.1 server, on one loop. Requests that are sent while others wait for
/// their responses are pipelined. Call it from tasks that prefer its loop.
public actor HTTPClientConnection {
    /// Bytes of a response's body, unless said otherwise.
    public static let defaultBodyLimit = 1024 * 1024
    /// From the request to the end of its response, unless said otherwise.
    public static let defaultDeadline = Duration.seconds(30)
    /// Connecting, and then again the TLS handshake, may each take so long.
    public static let connectDeadline = Duration.seconds(10)
    /// Bytes read from the socket at once.
    static let readSize = 16 * 1024
    /// A streamed body is not read further while so much of it waits.
    static let streamBufferBytes = 64 * 1024

    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let transport: Transport
    private let authority: String
    private var parser = ResponseParser()
    private var exchanges: [Exchange] = []
    private var output: [UInt8] = []
    private var sent = 0
    private var timer: EventLoop.Timer?
    private var timerDeadline = MonotonicTime(nanoseconds: 0)
    private var endsAfterResponse = false
    /// The exchange whose body is being taken piece by piece.
    private var streamed: Exchange?
    /// Whether it has carried a response before.
    private(set) var hasServed = false

    /// `host` is what the Host field says and, with TLS, whom the certificate must name.
    public static func connect(
        to address: SocketAddress, host: String, on loop: EventLoop, tls: TLSContext? = nil
    ) async throws(HTTPClientError) -> HTTPClientConnection {
        let socket: Socket
        do {
            socket = try await Socket.connect(to: address, on: loop, timeout: connectDeadline)
        } catch {
            if error.code == SystemError.cancelled("").code { throw .cancelled }
            throw .connect(error)
        }
        let connection: HTTPClientConnection
        do {
            let authority = Self.authority(host: host, port: address.port, isSecure: tls != nil)
            connection = try HTTPClientConnection(socket, host: host, authority: authority, on: loop, tls: tls)
        } catch {
            socket.close()
            throw .tls(error)
        }
        try await connection.open()
        return connection
    }

    private init(
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

    /// The Host field: the port is left out when the scheme implies it.
    private static func authority(host: String, port: UInt16?, isSecure: Bool) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        guard let port, port != (isSecure ? 443 : 80) else { return name }
        return "\(name):\(port)"
    }

    private func open() async throws(HTTPClientError) {
        let deadline = loop.schedule(after: Self.connectDeadline) { self.transport.close(throwing: .timedOut) }
        defer { loop.cancel(deadline) }
        do {
            try await transport.handshake()
        } catch {
            transport.close()
            throw .tls(error)
        }
        transport.notify(whenReadable: true, whenWritable: false) { self.becameReady() }
    }

    /// Whether another request may be sent.
    public var isOpen: Bool { !transport.isClosed && !endsAfterResponse }

    // MARK: Requests

    /// Sends a request and takes the whole response.
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

    /// Sends a request and gives the response's body as it comes: read it to its end, or close the
    /// connection. The deadline is for the head.
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

    /// The next piece of the streamed body; nil at its end.
    func nextPiece() async throws(HTTPClientError) -> [UInt8]? {
        guard let exchange = streamed else { return nil }
        while exchange.body.isEmpty {
            if let failure = exchange.failure { throw failure }
            if exchange.isComplete { return nil }
            transport.interest(reading: true, writing: sent < output.count)
            await exchange.wait(
                until: { !exchange.body.isEmpty || exchange.isComplete || exchange.failure != nil },
                onCancel: {
                    self.loop.perform { self.assumeIsolated { $0.fail(.cancelled) } }
                })
        }
        let piece = exchange.body
        exchange.body = []
        return piece
    }

    /// Closes at once; requests in flight fail.
    public func close() {
        fail(.shutDown)
    }

    private func begin(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: [UInt8], _ exchange: Exchange
    ) throws(HTTPClientError) -> Exchange {
        guard isOpen else { throw .closedBeforeResponse }
        var text = "\(method.rawValue) \(path) HTTP/1.1\r\nHost: \(authority)\r\n"
        for field in headers { text += "\(field.name.rawName): \(field.value)\r\n" }
        if !body.isEmpty || method == .post || method == .put || method == .patch {
            text += "Content-Length: \(body.count)\r\n"
        }
        text += "\r\n"
        output.append(contentsOf: text.utf8)
        output.append(contentsOf: body)
        exchanges.append(exchange)
        arm(for: exchange.deadline)
        write()
        return exchange
    }

    private func wait(for exchange: Exchange) async throws(HTTPClientError) {
        await exchange.wait(
            until: {
                exchange.isReady
            },
            onCancel: {
                // A response cannot be skipped, so the connection goes.
                self.loop.perform { self.assumeIsolated { $0.fail(.cancelled) } }
            })
        if let failure = exchange.failure { throw failure }
    }

    // MARK: The socket

    private func becameReady() {
        if sent < output.count { write() }
        while !transport.isClosed {
            if let streamed, streamed.body.count >= Self.streamBufferBytes {
                return transport.interest(reading: false, writing: sent < output.count)
            }
            switch read() {
            case .bytes(let count):
                process()
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
                if case .bytes(let count) = result { parser.append(UnsafeRawBufferPointer(rebasing: space[..<count])) }
                return result
            } catch {
                // A reset is an end; what it means for each request is said there.
                return .end
            }
        }
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
    }

    private func process() {
        while let exchange = exchanges.first, let event = parser.next(toHead: exchange.isHead) {
            switch event {
            case .head(let head):
                exchange.head = head
                if exchange.isStreamed { exchange.wake() }
            case .body(let bytes):
                guard exchange.body.count + bytes.count <= exchange.bodyLimit else {
                    return fail(.bodyTooLarge(limit: exchange.bodyLimit))
                }
                if exchange.body.isEmpty { exchange.body = bytes } else { exchange.body.append(contentsOf: bytes) }
                if exchange.isStreamed { exchange.wake() }
            case .end(let keeps):
                complete(exchange)
                if !keeps {
                    endsAfterResponse = true
                    return fail(.closedBeforeResponse)
                }
            case .malformed(let reason): return fail(.malformedResponse(reason))
            }
        }
        // Bytes that answer nothing: whatever they are, the connection is out of step.
        if exchanges.isEmpty && !parser.isBetweenResponses { fail(.malformedResponse("it answers no request")) }
    }

    private func complete(_ exchange: Exchange) {
        exchanges.removeFirst()
        hasServed = true
        exchange.isComplete = true
        exchange.wake()
    }

    private func ended() {
        if let exchange = exchanges.first {
            if parser.finish() {
                complete(exchange)
            } else if exchange.head != nil || !parser.isBetweenResponses {
                exchange.failure = .closedInResponse
            }
        }
        fail(.closedBeforeResponse)
    }

    private func fail(_ error: HTTPClientError) {
        guard !transport.isClosed else { return }
        if let timer { loop.cancel(timer) }
        timer = nil
        transport.close()
        let failed = exchanges
        exchanges = []
        for exchange in failed {
            exchange.failure = exchange.failure ?? error
            exchange.wake()
        }
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
        let waiting = exchanges.filter { !($0.isStreamed && $0.head != nil) }
        guard let earliest = waiting.map(\.deadline).min() else { return }
        if earliest <= .now() { fail(.timedOut) } else { arm(for: earliest) }
    }
}

/// A response's body as it comes. What is not asked for stays in the socket.
public struct HTTPClientBody: AsyncSequence, Sendable {
    let connection: HTTPClientConnection

    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

    public struct Iterator: AsyncIteratorProtocol {
        let connection: HTTPClientConnection

        public mutating func next() async throws(HTTPClientError) -> [UInt8]? { try await connection.nextPiece() }
    }
}
