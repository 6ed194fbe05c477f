public import EventLoop
public import HTTPTypes
public import TLS

/// A client that sends requests to one server over a pool of connections, all on one loop. Call it from tasks that
/// prefer the loop.
///
/// A request is retried only if its method is idempotent and a reused connection was closed before a byte of the
/// response arrived.
public actor HTTPClient {
    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let host: String
    private let port: UInt16
    private let tls: TLSContext?
    private let maximumConnections: Int
    private let maximumWaiters: Int
    private var idle: [HTTPClientConnection] = []
    private var busy: [ObjectIdentifier: HTTPClientConnection] = [:]
    /// The number of connections, including those being opened.
    private var count = 0
    private var waiters = WaiterQueue()
    private var isClosed = false

    /// `host` is a name or an address; names are resolved for each new connection.
    public init(
        loop: EventLoop, host: String, port: UInt16, tls: TLSContext? = nil, maximumConnections: Int = 8,
        maximumWaiters: Int = 1_000
    ) {
        precondition(maximumConnections >= 1, "maximumConnections must be at least 1")
        self.loop = loop
        self.host = host
        self.port = port
        self.tls = tls
        self.maximumConnections = maximumConnections
        self.maximumWaiters = maximumWaiters
    }

    public func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8] = [],
        bodyLimit: Int = HTTPClientConnection.defaultBodyLimit,
        deadline: Duration = HTTPClientConnection.defaultDeadline
    ) async throws(HTTPClientError) -> (HTTPResponse, [UInt8]) {
        while true {
            let connection = try await acquire()
            let wasReused = await connection.hasServed
            do throws(HTTPClientError) {
                let response = try await connection.send(
                    method, path, headers: headers, body: body, bodyLimit: bodyLimit, deadline: deadline)
                await release(connection)
                return response
            } catch {
                await release(connection)
                guard case .closedBeforeResponse = error, wasReused, Self.isIdempotent(method) else { throw error }
            }
        }
    }

    /// Uploads a body in pieces; see `HTTPClientConnection.upload`. An upload is never retried.
    public func upload(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], length: Int,
        bodyLimit: Int = HTTPClientConnection.defaultBodyLimit,
        deadline: Duration = HTTPClientConnection.defaultDeadline,
        _ next: @escaping @Sendable () async throws -> [UInt8]?
    ) async throws -> (HTTPResponse, [UInt8]) {
        let connection = try await acquire()
        do {
            let response = try await connection.upload(
                method, path, headers: headers, length: length, bodyLimit: bodyLimit, deadline: deadline, next)
            await release(connection)
            return response
        } catch {
            await release(connection)
            throw error
        }
    }

    /// Closes all connections; requests in flight and those waiting fail.
    public func close() async {
        isClosed = true
        while let waiter = waiters.pop() { waiter.end(false) }
        for connection in idle + Array(busy.values) { await connection.close() }
        idle = []
    }

    /// The idempotent methods (RFC 9110 §9.2.2).
    private static func isIdempotent(_ method: HTTPRequest.Method) -> Bool {
        [.get, .head, .options, .put, .delete].contains(method)
    }

    // MARK: Connections

    private func acquire() async throws(HTTPClientError) -> HTTPClientConnection {
        while true {
            guard !isClosed else { throw .shutDown }
            while let connection = idle.popLast() {
                if await connection.isOpen {
                    busy[ObjectIdentifier(connection)] = connection
                    return connection
                }
                count -= 1
            }
            if count < maximumConnections { return try await connect() }
            try await waitForTurn()
        }
    }

    private func connect() async throws(HTTPClientError) -> HTTPClientConnection {
        count += 1
        var failure = HTTPClientError.shutDown
        do {
            for address in try await NameResolver.system.addresses(of: host, port: port, on: loop) {
                do {
                    let connection = try await HTTPClientConnection.connect(
                        to: address, host: host, on: loop, tls: tls)
                    busy[ObjectIdentifier(connection)] = connection
                    return connection
                } catch {
                    failure = error
                }
            }
        } catch {
            failure = .resolve(error)
        }
        count -= 1
        waiters.pop()?.end(true)
        throw failure
    }

    private func release(_ connection: HTTPClientConnection) async {
        busy[ObjectIdentifier(connection)] = nil
        if await connection.isOpen, !isClosed {
            idle.append(connection)
        } else {
            await connection.close()
            count -= 1
        }
        waiters.pop()?.end(true)
    }

    private func waitForTurn() async throws(HTTPClientError) {
        guard waiters.count < maximumWaiters else { throw .tooManyWaiters(waiters.count) }
        let waiter = Waiter()
        let mayTry = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                waiter.continuation = continuation
                if Task.isCancelled || isClosed {
                    waiter.end(false)
                } else if !idle.isEmpty || count < maximumConnections {
                    // The task may have been suspended before this point and missed a free connection.
                    waiter.end(true)
                } else {
                    waiters.append(waiter)
                }
            }
        } onCancel: {
            loop.perform { waiter.end(false) }
        }
        guard mayTry else { throw isClosed ? .shutDown : .cancelled }
    }
}
