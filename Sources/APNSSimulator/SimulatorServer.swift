import Crypto
public import EventLoop
public import Logging
public import ServiceLifecycle
import Synchronization
import TLS

/// A simulated APNs server on this machine: TLS with its own authority, HTTP/2 only, one environment. Call `start`,
/// then `run`. The other members may be used from any thread while it runs.
public final class SimulatorServer: Service {
    /// The longest single wait for a connection. When it ends, the next wait begins.
    private static let longestWait = Duration.seconds(3_600)
    /// The delay before the next attempt after accepting failed, for example for lack of descriptors.
    private static let acceptPause = Duration.milliseconds(50)

    public let record: Record
    public let devices: DeviceTable
    /// The CA certificate that a client must trust.
    public let certificatePEM: String
    private let state: ListenerState
    private let loops: EventLoopGroup
    private let tls: TLSContext
    private let listener = Lock<Socket?>(nil)

    /// `deliver` is called on a loop for each accepted push, `observe` for each request of a validating listener;
    /// neither may block. The listeners of both environments may share devices and record.
    public init(
        configuration: SimulatorConfiguration, devices: DeviceTable = DeviceTable(), record: Record = Record(),
        loops: EventLoopGroup, logger: Logger, deliver: (@Sendable (DeliveredPush) -> Void)? = nil,
        observe: (@Sendable (ObservedPush) -> Void)? = nil
    ) throws {
        self.loops = loops
        self.record = record
        self.devices = devices
        let authority = try configuration.authority ?? CertificateAuthority.make(commonName: "APNs simulator")
        let own = try authority.issue(
            commonName: configuration.hostNames.first ?? configuration.host, dnsNames: configuration.hostNames,
            ipAddresses: ["127.0.0.1", "::1"])
        certificatePEM = authority.certificatePEM
        tls = try TLSContext.server(certificateChain: own.certificatePEM, privateKey: own.keyPEM, alpn: ["h2"])
        state = ListenerState(
            configuration: configuration, devices: devices, record: record, logger: logger, deliver: deliver,
            observe: observe)
    }

    // MARK: Settings and statistics

    public var configuration: SimulatorConfiguration { state.configuration }

    /// The injected faults. Setting them restarts their counts.
    public var faults: Faults {
        get { state.faults }
        set { state.faults = newValue }
    }

    /// Injects a fault immediately on every open connection: a GOAWAY, a disconnect, expired tokens or another stream
    /// limit. Faults that apply to requests have no effect here.
    public func inject(_ fault: Fault) async {
        for connection in state.connections.withLock({ Array($0.values) }) { await connection.inject(fault) }
    }

    /// The answers in accept-all mode. Setting them affects connections that begin later.
    public var quickAnswers: QuickAnswers {
        get { state.quickAnswers.withLock { $0 } }
        set { state.quickAnswers.withLock { $0 = newValue } }
    }

    /// Pushes accepted in accept-all mode.
    public var acceptAllPushes: Int { state.acceptAllPushes.load(ordering: .relaxed) }

    /// Processor time that the loops have used so far.
    public func processorTime() -> Duration {
        loops.loops.reduce(.zero) { $0 + $1.processorTime() }
    }

    // MARK: Life

    /// Starts listening. Connections wait until `run` is called.
    public func start() throws {
        let configuration = state.configuration
        guard let address = SocketAddress(ip: configuration.host, port: configuration.port) else {
            throw SimulatorError.notAnAddress(configuration.host)
        }
        let socket = try Socket.listen(on: address)
        listener.withLock { $0 = socket }
    }

    /// The port on which it listens; nil before `start` and after `run`.
    public var port: UInt16? {
        get throws(SystemError) {
            guard let socket = listener.withLock({ $0 }) else { return nil }
            return try socket.localAddress().port
        }
    }

    /// Serves until shutdown or cancellation. Calls `start` first if that was not done.
    public func run() async throws {
        if listener.withLock({ $0 == nil }) { try start() }
        guard let socket = listener.withLock({ $0 }) else { return }
        let loop = loops.next()
        await withTaskExecutorPreference(loop) {
            await withDiscardingTaskGroup { group in
                while await self.connectionWaits(socket, on: loop) {
                    let own = self.loops.next()
                    guard let accepted = await self.accept(from: socket, on: loop) else { continue }
                    group.addTask(executorPreference: own) {
                        await SimulatedConnection(on: own, state: self.state).run(accepted, tls: self.tls)
                    }
                }
                self.listener.withLock { $0 = nil }
                socket.close()
            }
        }
    }

    /// Waits for a connection. Returns false on shutdown or cancellation.
    private func connectionWaits(_ socket: Socket, on loop: EventLoop) async -> Bool {
        while !Task.isCancelled && !Task.isShuttingDownGracefully {
            do {
                try await cancelWhenGracefulShutdown {
                    try await loop.waitUntilReady(
                        socket.descriptor, for: .read, timeout: Self.longestWait, operation: "accept")
                }
                return true
            } catch {
                // Either the wait timed out or the server is ending; the loop condition decides.
                continue
            }
        }
        return false
    }

    private func accept(from socket: Socket, on loop: EventLoop) async -> Socket? {
        do {
            return try socket.accept()?.0
        } catch {
            state.logger.warning("accepting a connection failed", metadata: ["reason": "\(error)"])
            // The next wait detects a cancellation.
            do { try await loop.sleep(for: Self.acceptPause) } catch { return nil }
            return nil
        }
    }
}

public enum SimulatorError: Error, Equatable, CustomStringConvertible {
    case notAnAddress(String)

    public var description: String {
        switch self {
        case .notAnAddress(let host): "can't listen on `\(host)`: it is not an IP address; use one such as 127.0.0.1"
        }
    }
}
