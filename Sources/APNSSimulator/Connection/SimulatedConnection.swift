import EventLoop
import HTTP2
import Logging
import ServiceLifecycle
import TLS

/// One sender's connection, from the accepted socket to its end.
actor SimulatedConnection {
    private static let handshakeDeadline = Duration.seconds(10)

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let state: ListenerState
    private var exchange: (any Exchange)?

    init(on loop: EventLoop, state: ListenerState) {
        self.loop = loop
        self.state = state
    }

    /// Returns when the connection is closed. Cancelling the task closes it at once; a graceful
    /// shutdown lets requests under way be answered.
    func run(_ socket: Socket, tls: TLSContext) async {
        let fault = state.connectionBegan()
        if fault == .refuseConnection { return socket.close() }
        guard let transport = makeTransport(socket, tls) else { return socket.close() }
        state.record.connectionBegan(at: .now())
        state.connections.withLock { $0[ObjectIdentifier(self)] = self }
        if await handshake(transport) { await exchange(over: transport, fault: fault) }
        transport.close()
        state.connections.withLock { $0[ObjectIdentifier(self)] = nil }
        state.record.connectionEnded()
    }

    func inject(_ fault: Fault) { exchange?.inject(fault) }

    private func makeTransport(_ socket: Socket, _ tls: TLSContext) -> Transport? {
        do {
            try socket.sendWithoutDelay()
            return try Transport(socket, on: loop, tls: tls)
        } catch {
            state.logger.debug("no connection", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    private func handshake(_ transport: Transport) async -> Bool {
        let deadline = loop.schedule(after: Self.handshakeDeadline) { transport.close() }
        defer { loop.cancel(deadline) }
        do {
            try await transport.handshake()
        } catch {
            state.logger.debug("TLS was not agreed on", metadata: ["reason": "\(error)"])
            return false
        }
        // A client without ALPN gets here; Apple serves HTTP/2 only.
        return transport.agreedProtocol == "h2"
    }

    private func exchange(over transport: Transport, fault: Fault?) async {
        let exchange: any Exchange =
            switch state.configuration.mode {
            case .validating: PushExchange(state: state, loop: loop, fault: fault)
            case .quick: QuickExchange(state: state)
            }
        self.exchange = exchange
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await withUnsafeContinuation { ending in begin(exchange, transport, ending) }
            } onGracefulShutdown: {
                self.loop.perform { self.assumeIsolated { $0.exchange?.beginShutdown() } }
            }
        } onCancel: {
            loop.perform { self.assumeIsolated { $0.exchange?.close() } }
        }
        self.exchange = nil
    }

    private func begin(
        _ exchange: any Exchange, _ transport: Transport, _ ending: UnsafeContinuation<Void, Never>
    ) {
        do {
            try exchange.begin(transport, ending)
        } catch {
            state.logger.error("no HTTP/2 session", metadata: ["reason": "\(error)"])
            ending.resume()
            return
        }
        // A task that was cancelled before could not close what had not begun.
        if Task.isCancelled { exchange.close() }
    }
}
