import EventLoop
import HTTPTypes
import Logging
import TLS

/// One client's connection. Its requests are parsed, handled and answered on its loop, in one task.
actor HTTPConnection {
    /// The connection cannot go on: the client left, was too slow, or the server closed it.
    enum ConnectionFailure: Error { case closed, timedOut }

    /// The result of a wait.
    enum Wake { case ready, timedOut, closed }

    /// The result of a read.
    enum Received { case bytes(Int), end, timedOut, closed }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let configuration: ServerConfiguration
    let router: Router
    let resources: LoopResources
    let logger: Logger
    let origin: Request.Origin
    let transport: Transport

    var parser: RequestParser
    /// Whether the socket may have unread bytes without a new readiness event.
    var mayHaveInput = true

    var output = OutputBuffer()
    /// Written since the connection last let others go on.
    var bytesOfTurn = 0
    var isFlushing = false
    var flushTurns = WaitingTasks()
    var isFlushScheduled = false

    var readWaiter: UnsafeContinuation<Wake, Never>?
    var writeWaiter: UnsafeContinuation<Wake, Never>?
    var deadlines = WaitDeadlines()
    var timer: EventLoop.Timer?

    /// Of the current response.
    var sentBodyBytes = 0

    var request = RequestProgress()
    var stream = StreamProgress()

    var isIdle = false
    /// Whether the next response is the last one.
    var endIsAnnounced = false
    var isDraining = false
    var mustClose = false

    init(
        socket: Socket, from address: SocketAddress, on loop: EventLoop, tls: TLSContext?,
        configuration: ServerConfiguration, router: Router, resources: LoopResources, logger: Logger
    ) throws(TLSError) {
        self.loop = loop
        self.configuration = configuration
        self.router = router
        self.resources = resources
        self.logger = logger
        origin = Request.Origin(
            remoteAddress: address, loop: loop, isSecure: tls != nil, proxies: configuration.trustedProxies)
        parser = RequestParser(limits: configuration.limits)
        if let tls {
            transport = try Transport(socket, on: loop, tls: tls)
        } else {
            transport = Transport(socket, on: loop)
        }
    }

    /// Serves requests until either side closes the connection.
    func run() async {
        defer { close() }
        do {
            try await performHandshake()
            transport.notify(whenReadable: false, whenWritable: false) { self.becameReady() }
            try await serve()
        } catch {
            logger.debug(
                "connection failed",
                metadata: ["peer": "\(origin.remoteAddress)", "error": "\(error)"])
        }
    }

    /// Answers 503 because the server has too many connections.
    func rejectAsOverloaded() async {
        defer { close() }
        transport.notify(whenReadable: false, whenWritable: false) { self.becameReady() }
        do { try await refuse(.tooManyConnections) } catch {
            logger.debug("rejecting a connection failed", metadata: ["error": "\(error)"])
        }
    }

    /// Ends the connection after the current request, or immediately if it is idle.
    func drain() {
        isDraining = true
        if isIdle { wakeReader(.closed) }
        if stream.isOfEvents { stream.clientLeft() }
    }

    /// Closes the connection immediately: every wait for the socket fails.
    func close() {
        guard !transport.isClosed else { return }
        if let timer { loop.cancel(timer) }
        timer = nil
        transport.close()
        wakeReader(.closed)
        wakeWriter(.closed)
        stream.clientLeft()
    }

    private func performHandshake() async throws {
        guard origin.isSecure else { return }
        let deadline = loop.schedule(after: configuration.headerDeadline) { self.transport.close(throwing: .timedOut) }
        defer { loop.cancel(deadline) }
        try await transport.handshake()
    }

    private func serve() async throws {
        // The first request of a new client must arrive within the header deadline, not the idle deadline.
        var headDeadline: MonotonicTime? = .now() + configuration.headerDeadline
        while true {
            switch parser.next() {
            case .head(let head):
                guard try await answer(head) else { return }
                headDeadline = nil
            case .refused(let error): return try await refuse(error)
            case .body, .end: continue
            case nil:
                try await flush()
                let isBetween = parser.isBetweenRequests
                if isBetween && isDraining { return }
                let now = MonotonicTime.now()
                if !isBetween && headDeadline == nil { headDeadline = now + configuration.headerDeadline }
                parser.trim()
                isIdle = isBetween
                let received = await receive(until: headDeadline ?? now + configuration.idleDeadline)
                isIdle = false
                switch received {
                case .bytes: break
                case .timedOut where !isBetween: return try await refuse(.headerTimeout)
                case .end, .timedOut, .closed: return
                }
            }
        }
    }
}
