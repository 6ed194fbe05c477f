import Crypto
public import EventLoop
public import Logging
public import ServiceLifecycle
import Synchronization
import TLS

/// A stand-in for APNs on this machine: TLS with its own authority, HTTP/2 only, one environment.
/// `start`, then `run`; everything else may be asked and changed from any thread while it runs.
public final class SimulatorServer: Service {
    /// Of the wait for a connection; it only bounds the wait, nothing ends by it.
    private static let longestWait = Duration.seconds(3_600)
    /// Before the next try when no connection could be accepted, for want of descriptors.
    private static let acceptPause = Duration.milliseconds(50)

    public let record: Record
    public let devices: DeviceTable
    /// Whom a client must trust.
    public let certificatePEM: String
    private let state: ListenerState
    private let loops: EventLoopGroup
    private let tls: TLSContext
    private let listener = Lock<Socket?>(nil)

    /// `deliver` is called on a loop for each accepted push, `observe` for each request of a validating listener;
    /// neither may wait. Devices and record may be shared by a listener for each environment.
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

    // MARK: Switches and figures

    public var configuration: SimulatorConfiguration { state.configuration }

    /// Counted anew from each change.
    public var faults: Faults {
        get { state.faults }
        set { state.faults = newValue }
    }

    /// Lets something go wrong at once on every open connection: a GOAWAY, a disconnect, a wedge or
    /// another stream limit. Faults of requests have no effect here.
    public func inject(_ fault: Fault) async {
        for connection in state.connections.withLock({ Array($0.values) }) { await connection.inject(fault) }
    }

    /// Pushes answered in quick mode.
    public var quickPushes: Int { state.quickPushes.load(ordering: .relaxed) }

    /// Processor time that the loops have used so far.
    public func processorTime() -> Duration {
        loops.loops.reduce(.zero) { $0 + $1.processorTime() }
    }

    // MARK: Life

    /// Begins to listen. Connections wait until `run`.
    public func start() throws {
        let configuration = state.configuration
        guard let address = SocketAddress(ip: configuration.host, port: configuration.port) else {
            throw SimulatorError.notAnAddress(configuration.host)
        }
        let socket = try Socket.listen(on: address)
        listener.withLock { $0 = socket }
    }

    /// Where it listens; nil before `start` and after `run`.
    public var port: UInt16? {
        get throws(SystemError) {
            guard let socket = listener.withLock({ $0 }) else { return nil }
            return try socket.localAddress().port
        }
    }

    /// Serves until shutdown or cancellation. Starts first if that was not done.
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

    /// False when it is time to end.
    private func connectionWaits(_ socket: Socket, on loop: EventLoop) async -> Bool {
        while !Task.isCancelled && !Task.isShuttingDownGracefully {
            do {
                try await cancelWhenGracefulShutdown {
                    try await loop.waitUntilReady(
                        socket.descriptor, for: .read, timeout: Self.longestWait, operation: "accept")
                }
                return true
            } catch {
                // The time is over or the end has come: the condition above tells.
                continue
            }
        }
        return false
    }

    private func accept(from socket: Socket, on loop: EventLoop) async -> Socket? {
        do {
            return try socket.accept()?.0
        } catch {
            state.logger.warning("cannot accept", metadata: ["reason": "\(error)"])
            // Cancellation is seen by the next wait.
            do { try await loop.sleep(for: Self.acceptPause) } catch { return nil }
            return nil
        }
    }
}

public enum SimulatorError: Error, Equatable, CustomStringConvertible {
    case notAnAddress(String)

    public var description: String {
        switch self {
        case .notAnAddress(let host): "\(host) is not an IP address to listen on"
        }
    }
}
