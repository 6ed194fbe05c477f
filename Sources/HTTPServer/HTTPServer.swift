public import EventLoop
public import Logging
public import ServiceLifecycle
public import TLS

/// An HTTP/1.1 server, with or without TLS. It listens from `init` on, so its address is known early, and serves
/// requests while `run()` runs.
///
/// A graceful shutdown stops listening, answers the requests in flight with `Connection: close`, closes idle
/// connections, ends event streams, and closes the remaining connections after the drain deadline. `announceEnd` before
/// it, with a pause between, loses no request of a client that keeps connections open.
public final class HTTPServer: Service {
    /// The address it listens on, with the port that the kernel chose if 0 was requested.
    public let address: SocketAddress
    private let acceptor: Acceptor
    private let sets: [ConnectionSet]
    private let counts: Lock<ConnectionCounts>
    /// Nil without TLS.
    private let tls: Lock<TLSContext>?

    /// The bytes of responses that the kernel holds for a connection beside those that are on their way.
    private static let unsentBytes = 256 * 1024

    /// Starts listening. Connections are distributed over the group's loops. Those of `other`, a server with the same
    /// limits, count as well.
    public init(
        configuration: ServerConfiguration, router: Router, loops: EventLoopGroup, tls: TLSContext? = nil,
        countingWith other: HTTPServer? = nil, logger: Logger
    ) throws(SystemError) {
        let listener = try Socket.listen(on: configuration.address)
        do throws(SystemError) {
            address = try listener.localAddress()
            if address.port != nil { try listener.limitUnsent(to: Self.unsentBytes) }
        } catch {
            listener.close()
            throw error
        }
        let counts =
            other?.counts
            ?? Lock(
                ConnectionCounts(
                    maximum: configuration.maximumConnections,
                    maximumPerAddress: configuration.maximumConnectionsPerAddress))
        self.counts = counts
        let tls = tls.map { Lock($0) }
        self.tls = tls
        sets = loops.loops.map {
            ConnectionSet(
                on: $0, configuration: configuration, router: router, tls: tls, counts: counts, logger: logger)
        }
        let plainResponse: @Sendable () -> [UInt8] = { OverloadResponse.bytes(router) }
        acceptor = Acceptor(
            listener: listener, on: loops.next(), sets: sets, counts: counts, proxies: configuration.trustedProxies,
            overloadResponse: tls == nil ? plainResponse : nil, logger: logger)
    }

    /// Connections that are open now, and those that were refused since the start because there were too many.
    public var connections: (open: Int, refused: Int) { counts.withLock { ($0.total, $0.refusals) } }

    /// New connections use this certificate; the others keep theirs. Only for a server that was created with TLS.
    public func use(_ context: TLSContext) {
        guard let tls else { preconditionFailure("the server has no TLS") }
        tls.withLock { $0 = context }
    }

    /// Serves until a graceful shutdown has drained the connections, or the task is cancelled.
    public func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await withTaskExecutorPreference(acceptor.loop) {
                await acceptor.start()
                await withDiscardingTaskGroup { group in
                    for set in sets {
                        group.addTask(executorPreference: set.loop) { await set.run() }
                    }
                }
                await acceptor.stop()
            }
        } onCancelOrGracefulShutdown: {
            self.shutDown()
        }
    }

    /// From now on each response says `Connection: close`, and its connection ends. New connections are served, too.
    public func announceEnd() {
        for set in sets { set.loop.perform { set.assumeIsolated { $0.announceEnd() } } }
    }

    /// Begins the graceful shutdown, for use without a `ServiceGroup`.
    ///
    /// Listening ends before the first connection does: a client whose connection was closed is refused when it
    /// connects again, and does not reach the server that is about to end.
    public func shutDown() {
        acceptor.loop.perform {
            self.acceptor.assumeIsolated { $0.stop() }
            for set in self.sets {
                set.loop.perform { set.assumeIsolated { $0.drain() } }
            }
        }
    }
}
