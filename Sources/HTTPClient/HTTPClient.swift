public import EventLoop
public import HTTPTypes
public import TLS

/// Requests to one server over a few kept connections, all on one loop. Call it from tasks that
/// prefer the loop.
///
/// A request is sent again only when it may safely be, and a kept connection turned out to be closed
/// before a byte of the response came.
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
    /// Connections there are, those being opened included.
    private var count = 0
    private var waiters = WaiterQueue()
    private var isClosed = false

    /// `host` is a name or an address; names are looked up for each new connection.
    public init(
        loop: EventLoop, host: String, port: UInt16, tls: TLSContext? = nil, maximumConnections: Int = 8,
        maximumWaiters: Int = 1_000
    ) {
        precondition(maximumConnections >= 1, "a client needs a connection")
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
            let connection = try await take()
            let isKept = await connection.hasServed
            do throws(HTTPClientError) {
                let response = try await connection.send(
                    method, path, headers: headers, body: body, bodyLimit: bodyLimit, deadline: deadline)
                await giveBack(connection)
                return response
            } catch {
                await giveBack(connection)
                guard case .closedBeforeResponse = error, isKept, Self.mayRepeat(method) else { throw error }
            }
        }
    }

    /// See `HTTPClientConnection.upload`. It is never sent again.
    public func upload(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], length: Int,
        bodyLimit: Int = HTTPClientConnection.defaultBodyLimit,
        deadline: Duration = HTTPClientConnection.defaultDeadline,
        _ next: @escaping @Sendable () async throws -> [UInt8]?
    ) async throws -> (HTTPResponse, [UInt8]) {
        let connection = try await take()
        do {
            let response = try await connection.upload(
                method, path, headers: headers, length: length, bodyLimit: bodyLimit, deadline: deadline, next)
            await giveBack(connection)
            return response
        } catch {
            await giveBack(connection)
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

    /// RFC 9110 §9.2.2.
    private static func mayRepeat(_ method: HTTPRequest.Method) -> Bool {
        [.get, .head, .options, .put, .delete].contains(method)
    }

    // MARK: Connections

    private func take() async throws(HTTPClientError) -> HTTPClientConnection {
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
            for address in try await SocketAddress.resolve(host: host, port: port) {
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

    private func giveBack(_ connection: HTTPClientConnection) async {
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
                    // On the way here the task may have been put off, and a turn been missed.
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
