import EventLoop
import Logging
import TLS

/// The connections of one loop, each a child task.
actor ConnectionSet {
    struct Arrival: Sendable {
        let socket: Socket
        let address: SocketAddress
        /// The address under which it is counted, if any.
        let network: IPAddress?
        let verdict: ConnectionCounts.Verdict
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let configuration: ServerConfiguration
    private let router: Router
    private let tls: Lock<TLSContext>?
    private let counts: Lock<ConnectionCounts>
    private let logger: Logger
    private let resources = LoopResources()
    /// Bounded by the connection limit, because connections are counted before they are added.
    private let arrivals: AsyncStream<Arrival>
    private nonisolated let arrivalsContinuation: AsyncStream<Arrival>.Continuation
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private var endIsAnnounced = false
    private var isDraining = false
    private var emptied = WaitingTasks()
    private var idleEnd: EventLoop.Timer?

    init(
        on loop: EventLoop, configuration: ServerConfiguration, router: Router, tls: Lock<TLSContext>?,
        counts: Lock<ConnectionCounts>, logger: Logger
    ) {
        self.loop = loop
        self.configuration = configuration
        self.router = router
        self.tls = tls
        self.counts = counts
        self.logger = logger
        (arrivals, arrivalsContinuation) = AsyncStream.makeStream()
    }

    nonisolated func add(_ arrival: Arrival) {
        if case .terminated = arrivalsContinuation.yield(arrival) { reject(arrival) }
    }

    /// Serves until drained, and then until the last connection has ended or the drain deadline has passed.
    func run() async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await arrival in arrivals {
                    guard let connection = open(arrival) else { continue }
                    group.addTask {
                        if arrival.verdict == .admitted {
                            await connection.run()
                        } else {
                            await connection.rejectAsOverloaded()
                        }
                        await self.remove(connection, arrival)
                    }
                }
                await untilEmpty()
                if let idleEnd { loop.cancel(idleEnd) }
                closeConnections()
                group.cancelAll()
            }
        } onCancel: {
            loop.perform { self.assumeIsolated { $0.closeAll() } }
        }
    }

    /// Each connection, also a new one, ends with its next response, which says so.
    func announceEnd() {
        endIsAnnounced = true
        for connection in connections.values { connection.assumeIsolated { $0.endIsAnnounced = true } }
    }

    /// Accepts no new connections; each existing one ends after its current request. Idle ones end now, or after an
    /// announced end when they have been idle for a moment longer.
    func drain() {
        arrivalsContinuation.finish()
        guard endIsAnnounced else { return drainConnections() }
        guard idleEnd == nil else { return }
        idleEnd = loop.schedule(after: configuration.idleGrace) { self.drainConnections() }
    }

    private func drainConnections() {
        isDraining = true
        for connection in connections.values { connection.assumeIsolated { $0.drain() } }
    }

    private func open(_ arrival: Arrival) -> HTTPConnection? {
        // No response can be sent before a TLS handshake.
        let isMute = arrival.verdict == .rejected && tls != nil
        do {
            guard !isDraining, !isMute else {
                reject(arrival)
                return nil
            }
            let connection = try HTTPConnection(
                socket: arrival.socket, from: arrival.address, on: loop, tls: tls?.withLock { $0 },
                configuration: configuration,
                router: router, resources: resources, logger: logger)
            connections[ObjectIdentifier(connection)] = connection
            if endIsAnnounced { connection.assumeIsolated { $0.endIsAnnounced = true } }
            return connection
        } catch {
            logger.error("connection setup failed", metadata: ["error": "\(error)"])
            reject(arrival)
            return nil
        }
    }

    private nonisolated func reject(_ arrival: Arrival) {
        arrival.socket.close()
        counts.withLock { $0.remove(arrival.network, arrival.verdict) }
    }

    private func remove(_ connection: HTTPConnection, _ arrival: Arrival) {
        connections[ObjectIdentifier(connection)] = nil
        counts.withLock { $0.remove(arrival.network, arrival.verdict) }
        if connections.isEmpty { finishWaiting() }
    }

    private func untilEmpty() async {
        guard !connections.isEmpty, !Task.isCancelled else { return }
        let deadline = loop.schedule(after: configuration.drainDeadline) {
            self.logger.warning(
                "connections closed at the drain deadline",
                metadata: ["connections": "\(self.connections.count)"])
            self.finishWaiting()
        }
        await withUnsafeContinuation { continuation in
            if connections.isEmpty { continuation.resume() } else { emptied.add(continuation) }
        }
        loop.cancel(deadline)
    }

    private func closeConnections() {
        for connection in connections.values { connection.assumeIsolated { $0.close() } }
    }

    private func closeAll() {
        isDraining = true
        finishWaiting()
    }

    private func finishWaiting() {
        emptied.resumeAll()
    }
}
