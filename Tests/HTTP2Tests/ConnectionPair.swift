import EventLoop
import HTTP2
import TLS
import TestSupport

/// A client and a server of ours on one loop, with a relay between them.
actor ConnectionPair {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let client = Log()
    let server = Log()
    private var relay: FragmentingRelay?

    init(on loop: EventLoop) { self.loop = loop }

    func connect(
        client clientSettings: HTTP2Settings = HTTP2Settings(),
        server serverSettings: HTTP2Settings = HTTP2Settings(), pieceSize: @escaping () -> Int = { 65_536 }
    ) throws {
        let (clientSocket, one) = try Socket.pair()
        let (other, serverSocket) = try Socket.pair()
        relay = FragmentingRelay(one, other, on: loop, pieceSize: pieceSize)
        server.session = try HTTP2Session(
            role: .server, transport: Transport(serverSocket, on: loop), events: server)
        client.session = try HTTP2Session(
            role: .client, transport: Transport(clientSocket, on: loop), events: client)
        server.session?.start(settings: serverSettings)
        client.session?.start(settings: clientSettings)
    }

    /// One side of ours and the bare socket of its peer.
    func connect(_ role: HTTP2Session.Role) throws -> Socket {
        let (own, peer) = try Socket.pair()
        let log = role == .client ? client : server
        log.session = try HTTP2Session(role: role, transport: Transport(own, on: loop), events: log)
        log.session?.start(settings: HTTP2Settings())
        return peer
    }

    /// A client of ours to somebody else's server.
    func connect(to address: SocketAddress, settings: HTTP2Settings = HTTP2Settings()) async throws {
        let socket = try await Socket.connect(to: address, on: loop, timeout: .seconds(30) * TestTimeouts.factor)
        client.session = try HTTP2Session(role: .client, transport: Transport(socket, on: loop), events: client)
        client.session?.start(settings: settings)
    }

    func request(_ tags: Range<Int>, headers: [(StaticString, String)] = [], body: [UInt8] = []) {
        for tag in tags { client.request(tag, path: "/\(tag)", headers: headers, body: body) }
        client.session?.flush()
    }

    func response(_ tag: Int) async -> Log.Message {
        await until(client) { $0.messages[tag]?.closed != nil || $0.end != nil }
        return client.messages[tag] ?? Log.Message()
    }

    func until(_ log: Log, _ condition: @escaping (Log) -> Bool) async {
        if condition(log) { return }
        await withUnsafeContinuation { log.wait(condition, $0) }
    }

    func close() {
        client.session?.close()
        server.session?.close()
        relay?.close()
    }
}

func withLink(_ body: @Sendable (isolated ConnectionPair) async throws -> Void) async throws {
    let loop = try EventLoop(name: "link")
    defer { loop.stop() }
    let link = ConnectionPair(on: loop)
    try await withTaskExecutorPreference(loop) {
        do {
            try await body(link)
            await link.close()
        } catch {
            await link.close()
            throw error
        }
    }
}

/// Bytes in which a lost or repeated piece can be detected.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }
