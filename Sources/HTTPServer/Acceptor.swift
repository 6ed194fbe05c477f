import EventLoop
import Logging

/// Accepts connections from the listening socket and distributes them over the loops in turn.
actor Acceptor {
    /// The maximum number of connections accepted before other work runs on the loop.
    static let batch = 64
    /// The time that connections wait in the kernel's queue after accepting failed, for example for lack of
    /// descriptors.
    static let pause = Duration.milliseconds(100)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let listener: Socket
    private let sets: [ConnectionSet]
    private let counts: Lock<ConnectionCounts>
    private let proxies: TrustedProxies
    private let logger: Logger
    /// The answer to connections for which there is no descriptor. Nil with TLS, where none can be sent.
    private let overloadResponse: (@Sendable () -> [UInt8])?
    private var spare = SpareDescriptor()
    private var turn = 0
    private var watch: Watch?
    private var resumption: EventLoop.Timer?
    private var isStopped = false

    init(
        listener: Socket, on loop: EventLoop, sets: [ConnectionSet], counts: Lock<ConnectionCounts>,
        proxies: TrustedProxies,
        overloadResponse: (@Sendable () -> [UInt8])?, logger: Logger
    ) {
        self.listener = listener
        self.loop = loop
        self.sets = sets
        self.counts = counts
        self.proxies = proxies
        self.overloadResponse = overloadResponse
        self.logger = logger
    }

    func start() {
        guard !isStopped else { return }
        let watch = loop.watch(listener.descriptor) { _ in self.accept() }
        watch.interest = .read
        self.watch = watch
    }

    /// Stops listening. May be called again. Connections that the kernel has accepted are not reset.
    func stop() {
        guard !isStopped else { return }
        accept()
        isStopped = true
        watch?.cancel()
        watch = nil
        if let resumption { loop.cancel(resumption) }
        spare.release()
        listener.close()
    }

    private func accept() {
        do {
            for _ in 0..<Self.batch {
                guard let (socket, address) = try listener.accept() else { return }
                admit(socket, address)
            }
        } catch {
            let refused = error.isOutOfDescriptors ? refuseWaiting() : 0
            counts.withLock { $0.refused(refused) }
            logger.error(
                "accepting connections failed; paused", metadata: ["error": "\(error)", "refused": "\(refused)"])
            watch?.interest = []
            resumption = loop.schedule(after: Self.pause) { self.watch?.interest = .read }
        }
    }

    /// Answers the connections that wait in the kernel's queue, one after the other with the spare descriptor, so that
    /// their clients need not wait for a timeout. Returns their number.
    private func refuseWaiting() -> Int {
        let response = overloadResponse?()
        var refused = 0
        defer { spare.reserve() }
        do {
            while refused < Self.batch {
                spare.reserve()
                guard spare.isReserved else { break }
                spare.release()
                guard let (socket, _) = try listener.accept() else { break }
                if let response { OverloadResponse.send(to: socket, response) } else { socket.close() }
                refused += 1
            }
        } catch {
            // Another thread took the descriptor. The connections wait for the next attempt.
        }
        return refused
    }

    private func admit(_ socket: Socket, _ address: SocketAddress) {
        // The clients of a proxy share its address.
        let network = proxies.contains(address) ? nil : address.ip?.network
        let verdict = counts.withLock { $0.add(network) }
        guard verdict != .dropped else { return socket.close() }
        if address.port != nil {
            do { try socket.sendWithoutDelay() } catch {
                logger.debug("setting TCP_NODELAY failed", metadata: ["error": "\(error)"])
            }
        }
        turn = (turn + 1) % sets.count
        sets[turn].add(.init(socket: socket, address: address, network: network, verdict: verdict))
    }
}
