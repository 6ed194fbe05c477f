import EventLoop
import HTTP2
import Logging
import TLS
import Testing

@testable import APNSSimulator

/// A plain HTTP/2 client of the simulator. It sends the requests of a test and records the responses.
actor TestSender {
    struct Answer: Equatable {
        var headers: [String: String] = [:]
        var body = ""
        /// The code with which the stream was closed without an answer.
        var reset: HTTP2Code?
        var status: Int { Int(headers[":status"] ?? "") ?? 0 }
    }

    struct GoAway: Equatable {
        let lastStream: Int32
        let code: HTTP2Code
        let debugData: String
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let log = Log()

    /// The events of the session. Waiters check their condition after each event.
    private final class Log: HTTP2Events {
        var session: HTTP2Session?
        var bodies: [Int: [UInt8]] = [:]
        var answers: [Int: Answer] = [:]
        var finished: Set<Int> = []
        var goAways: [GoAway] = []
        var limits: [Int] = []
        var end: HTTP2Error?
        var waiters: [(condition: (Log) -> Bool, continuation: UnsafeContinuation<Void, Never>)] = []

        func changed() {
            let ready = waiters.filter { $0.condition(self) }
            waiters.removeAll { $0.condition(self) }
            for waiter in ready { waiter.continuation.resume() }
        }

        func settingsChanged() {
            limits.append(session?.peerMaxConcurrentStreams ?? -1)
            changed()
        }
        func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
            let name = String(decoding: name, as: UTF8.self)
            answers[tag, default: Answer()].headers[name] = String(decoding: value, as: UTF8.self)
        }
        func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer) {
            answers[tag, default: Answer()].body += String(decoding: bytes, as: UTF8.self)
        }
        func streamClosed(stream: Int32, tag: Int, code: HTTP2Code) {
            if code != .noError || answers[tag] == nil { answers[tag, default: Answer()].reset = code }
            finished.insert(tag)
            changed()
        }
        func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer) {
            let text = String(decoding: debugData, as: UTF8.self)
            goAways.append(GoAway(lastStream: lastStream, code: code, debugData: text))
            changed()
        }
        func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool) {
            let rest = bodies[tag] ?? []
            let count = min(buffer.count, rest.count)
            buffer.copyBytes(from: rest[..<count])
            bodies[tag] = Array(rest[count...])
            return (count, count == rest.count)
        }
        func ended(_ error: HTTP2Error) {
            end = error
            changed()
        }
        func requestBegan(stream: Int32) -> Int { 0 }
        func messageEnded(stream: Int32, tag: Int) {}
        func requestNotSent(stream: Int32) {}
        func pingAnswered() {}
        func maySubmit() {}
    }

    init(on loop: EventLoop) { self.loop = loop }

    func connect(to server: SimulatorServer) async throws {
        let port = try #require(try server.port)
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
        let tls = try TLSContext.client(trust: .pem(server.certificatePEM), alpn: ["h2"])
        let socket = try await Socket.connect(to: address, on: loop, timeout: .seconds(30))
        let transport = try Transport(socket, on: loop, tls: tls, host: "localhost")
        try await transport.handshake()
        let session = try HTTP2Session(role: .client, transport: transport, events: log)
        log.session = session
        session.start(settings: HTTP2Settings(enablePush: false))
    }

    /// Sends requests with one flush, numbered from `first`. `answer(_:)` takes these numbers.
    func send(_ requests: [Request], from first: Int = 0) {
        guard let session = log.session else {
            Issue.record("send(_:) was called before connect(to:)")
            return
        }
        for (index, request) in requests.enumerated() {
            log.bodies[first + index] = Array(request.body.utf8)
            // HeaderList copies nothing, so the memory it points to must live until the flush.
            request.withHeaders { headers in
                _ = session.submitRequest(headers, tag: first + index, hasBody: true)
                session.flush()
            }
        }
    }

    func answer(_ number: Int) async -> Answer {
        await until { $0.finished.contains(number) || $0.end != nil }
        return log.answers[number] ?? Answer()
    }

    func push(_ request: Request, number: Int = 0) async -> Answer {
        send([request], from: number)
        return await answer(number)
    }

    func goAways(_ count: Int) async -> [GoAway] {
        await until { $0.goAways.count >= count || $0.end != nil }
        return log.goAways
    }

    /// Waits for `count` announced stream limits and returns them.
    func limits(_ count: Int) async -> [Int] {
        await until { $0.limits.count >= count || $0.end != nil }
        return log.limits
    }

    func end() async -> HTTP2Error? {
        await until { $0.end != nil }
        return log.end
    }

    func close() { log.session?.close() }

    private func until(_ condition: @escaping (Log) -> Bool) async {
        if condition(log) { return }
        await withUnsafeContinuation { log.waiters.append((condition, $0)) }
    }

    struct Request: Sendable {
        var headers: [(StaticString, String)]
        var body: String

        static func push(
            _ authorization: String, token: String = PushRequest.token, id: String? = PushRequest.id,
            body: String = #"{"aps":{"alert":"Hi"}}"#
        ) -> Request {
            var headers: [(StaticString, String)] = [
                (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
                (":path", "/3/device/\(token)"), ("authorization", authorization),
                ("apns-topic", Provider.bundleID), ("apns-push-type", "alert"),
            ]
            if let id { headers.append(("apns-id", id)) }
            return Request(headers: headers, body: body)
        }

        func withHeaders(_ body: (HeaderList) -> Void) {
            let list = HeaderList(capacity: headers.count)
            var memory: [UnsafeMutableRawBufferPointer] = []
            for (name, value) in headers {
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: value.utf8.count, alignment: 1)
                bytes.copyBytes(from: value.utf8)
                memory.append(bytes)
                list.append(name: name, value: UnsafeRawBufferPointer(bytes), isIndexed: true)
            }
            body(list)
            // A request that waits for a free stream is written later, so these few bytes are not freed.
        }
    }
}

/// Runs a simulator for the duration of `body`, with one loop for it and one for a sender.
func withSimulator(
    _ change: (inout SimulatorConfiguration) -> Void = { _ in },
    devices: DeviceTable = DeviceTable(), deliver: (@Sendable (DeliveredPush) -> Void)? = nil,
    _ body: @Sendable @escaping (SimulatorServer, TestSender, String) async throws -> Void
) async throws {
    let provider = try Provider()
    var configuration = SimulatorConfiguration()
    configuration.keys = [provider.key()]
    change(&configuration)
    let loops = try EventLoopGroup(count: 1, name: "simulator")
    let loop = try EventLoop(name: "sender")
    defer {
        loops.stop()
        loop.stop()
    }
    let server = try SimulatorServer(
        configuration: configuration, devices: devices, loops: loops, logger: .init(label: "test"), deliver: deliver)
    try server.start()
    let authorization = "bearer " + (try provider.token())
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask(executorPreference: loop) { try await server.run() }
        try await withTaskExecutorPreference(loop) {
            let sender = TestSender(on: loop)
            try await body(server, sender, authorization)
            await sender.close()
        }
        group.cancelAll()
    }
}
