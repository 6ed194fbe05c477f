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
    private var handler: (any ConnectionHandler)?

    init(on loop: EventLoop, state: ListenerState) {
        self.loop = loop
        self.state = state
    }

    /// Serves the connection and returns when it is closed. Cancelling the task closes it immediately; a graceful
    /// shutdown answers the requests in progress first.
    func run(_ socket: Socket, tls: TLSContext) async {
        let fault = state.connectionBegan()
        if fault == .refuseConnection { return socket.close() }
        guard let transport = makeTransport(socket, tls) else { return socket.close() }
        state.record.connectionBegan(at: .now())
        state.connections.withLock { $0[ObjectIdentifier(self)] = self }
        if await handshake(transport) { await serve(over: transport, fault: fault) }
        transport.close()
        state.connections.withLock { $0[ObjectIdentifier(self)] = nil }
        state.record.connectionEnded()
    }

    func inject(_ fault: Fault) { handler?.inject(fault) }

    private func makeTransport(_ socket: Socket, _ tls: TLSContext) -> Transport? {
        do {
            try socket.sendWithoutDelay()
            return try Transport(socket, on: loop, tls: tls)
        } catch {
            state.logger.debug("connection setup failed", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    private func handshake(_ transport: Transport) async -> Bool {
        let deadline = loop.schedule(after: Self.handshakeDeadline) { transport.close() }
        defer { loop.cancel(deadline) }
        do {
            try await transport.handshake()
        } catch {
            state.logger.debug("TLS handshake failed", metadata: ["reason": "\(error)"])
            return false
        }
        // The handshake also succeeds without ALPN; Apple serves HTTP/2 only.
        return transport.agreedProtocol == "h2"
    }

    private func serve(over transport: Transport, fault: Fault?) async {
        let handler: any ConnectionHandler =
            switch state.configuration.mode {
            case .validating: ValidatingHandler(state: state, loop: loop, fault: fault)
            case .acceptAll: AcceptAllHandler(state: state, loop: loop)
            }
        self.handler = handler
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await withUnsafeContinuation { ending in begin(handler, transport, ending) }
            } onGracefulShutdown: {
                self.loop.perform { self.assumeIsolated { $0.handler?.beginShutdown() } }
            }
        } onCancel: {
            loop.perform { self.assumeIsolated { $0.handler?.close() } }
        }
        self.handler = nil
    }

    private func begin(
        _ handler: any ConnectionHandler, _ transport: Transport, _ ending: UnsafeContinuation<Void, Never>
    ) {
        do {
            try handler.begin(transport, ending)
        } catch {
            state.logger.error("HTTP/2 session setup failed", metadata: ["reason": "\(error)"])
            ending.resume()
            return
        }
        // If the task was cancelled earlier, the cancellation handler ran before there was a session to close.
        if Task.isCancelled { handler.close() }
    }
}
