import EventLoop
import Logging

/// Accepts connections from the listening socket and distributes them over the loops in turn.
actor Acceptor {
    /// The maximum number of connections accepted before other work runs on the loop.
    static let batch = 64
    /// How long connections wait in the kernel's queue after accepting failed, for example for lack of descriptors.
    static let pause = Duration.milliseconds(100)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let listener: Socket
    private let sets: [ConnectionSet]
    private let counts: Lock<ConnectionCounts>
    private let logger: Logger
    private var turn = 0
    private var watch: Watch?
    private var resumption: EventLoop.Timer?
    private var isStopped = false

    init(
        listener: Socket, on loop: EventLoop, sets: [ConnectionSet], counts: Lock<ConnectionCounts>, logger: Logger
    ) {
        self.listener = listener
        self.loop = loop
        self.sets = sets
        self.counts = counts
        self.logger = logger
    }

    func start() {
        guard !isStopped else { return }
        let watch = loop.watch(listener.descriptor) { _ in self.accept() }
        watch.interest = .read
        self.watch = watch
    }

    /// Stops listening. May be called again.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        watch?.cancel()
        watch = nil
        if let resumption { loop.cancel(resumption) }
        listener.close()
    }

    private func accept() {
        do {
            for _ in 0..<Self.batch {
                guard let (socket, address) = try listener.accept() else { return }
                admit(socket, address)
            }
        } catch {
            logger.error("accepting connections failed; paused", metadata: ["error": "\(error)"])
            watch?.interest = []
            resumption = loop.schedule(after: Self.pause) { self.watch?.interest = .read }
        }
    }

    private func admit(_ socket: Socket, _ address: SocketAddress) {
        let host = address.port == nil ? nil : address.host
        let verdict = counts.withLock { $0.add(host) }
        guard verdict != .dropped else { return socket.close() }
        if host != nil {
            do { try socket.sendWithoutDelay() } catch {
                logger.debug("setting TCP_NODELAY failed", metadata: ["error": "\(error)"])
            }
        }
        turn = (turn + 1) % sets.count
        sets[turn].add(.init(socket: socket, address: address, host: host, verdict: verdict))
    }
}
