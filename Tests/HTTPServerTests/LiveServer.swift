import EventLoop
import HTTPClient
import HTTPTypes
import Logging
import TLS
import TestSupport
import Testing

@testable import HTTPServer

/// A running server on a free port, with its clients, on the test's own loops.
struct LiveServer: Sendable {
    let address: SocketAddress
    let server: HTTPServer
    let loop: EventLoop

    var port: UInt16 { address.port ?? 0 }

    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs `body` against the server and then drains it; returns when it has ended.
    static func run(
        _ router: Router, loops count: Int = 4, tls: TLSContext? = nil,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let loops = try EventLoopGroup(count: count, name: "test")
        defer { loops.stop() }
        let any = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
        var configuration = ServerConfiguration(address: any)
        configuration.lingerDeadline = .milliseconds(200)
        configuration.drainDeadline = .seconds(5)
        configure(&configuration)
        let server = try HTTPServer(
            configuration: configuration, router: router, loops: loops, tls: tls, logger: quiet)
        let live = LiveServer(address: server.address, server: server, loop: loops.next())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: live.loop) { try await server.run() }
            let result: Result<Void, any Error>
            do {
                result = .success(try await withTaskExecutorPreference(live.loop) { try await body(live) })
            } catch {
                result = .failure(error)
            }
            server.shutDown()
            try await group.next()
            try result.get()
        }
    }

    func client(_ tls: TLSContext? = nil, host: String = "localhost") async throws -> HTTPClientConnection {
        try await HTTPClientConnection.connect(to: address, host: host, on: loop, tls: tls)
    }

    /// Sends these bytes and returns all received bytes until the server closes.
    func exchange(_ text: String) async throws -> String {
        let raw = try await RawConnection(to: address, on: loop)
        defer { raw.close() }
        try await raw.write(text)
        return try await raw.readToEnd()
    }
}

/// A raw socket that sends arbitrary bytes.
///
/// `@unchecked Sendable`: each test uses it from one task at a time.
final class RawConnection: @unchecked Sendable {
    static let patience = Duration.seconds(30) * TestTimeouts.factor

    private let socket: Socket
    private let loop: EventLoop
    private var pending = ""

    init(to address: SocketAddress, on loop: EventLoop) async throws {
        self.loop = loop
        socket = try await Socket.connect(to: address, on: loop, timeout: Self.patience)
    }

    func close() { socket.close() }
    func shutdownWriting() { socket.shutdownWriting() }

    func write(_ text: String) async throws { try await write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) async throws {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            switch try bytes.withUnsafeBytes({ try socket.write($0) }) {
            case .bytes(let count): bytes = bytes.dropFirst(count)
            case .wouldBlock:
                try await loop.waitUntilReady(
                    socket.descriptor, for: .write, timeout: Self.patience, operation: "write")
            case .end: return
            }
        }
    }

    /// Returns the next bytes, or nil at the end or after a reset.
    func read() async throws -> String? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            do {
                switch try buffer.withUnsafeMutableBytes({ try socket.read(into: $0) }) {
                case .bytes(let count): return String(decoding: buffer[..<count], as: UTF8.self)
                case .end: return nil
                case .wouldBlock:
                    try await loop.waitUntilReady(
                        socket.descriptor, for: .read, timeout: Self.patience, operation: "read")
                }
            } catch let error as SystemError where error.code == 104 {
                return nil
            }
        }
    }

    func readToEnd() async throws -> String {
        while let more = try await read() { pending += more }
        defer { pending = "" }
        return pending
    }

    /// Reads up to and including `end`.
    func read(through end: String) async throws -> String {
        while true {
            if let found = pending.range(of: end) {
                defer { pending = String(pending[found.upperBound...]) }
                return String(pending[..<found.upperBound])
            }
            guard let more = try await read() else { return pending }
            pending += more
        }
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? {
        let here = utf8
        let there = Array(text.utf8)
        var start = here.startIndex
        while start < here.endIndex {
            if here[start...].starts(with: there) { return start..<here.index(start, offsetBy: there.count) }
            start = here.index(after: start)
        }
        return nil
    }

    var status: Int? { Int(dropFirst(9).prefix(3)) }
}

/// A gate that a test opens to let a handler continue.
final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let door: AsyncStream<Void>.Continuation

    init() { (stream, door) = AsyncStream.makeStream() }

    func open() { door.yield() }
    func wait() async { for await _ in stream { return } }
}
