import API
import Campaigns
import EventLoop
import FoundationEssentials

/// The load of many devices on a server, for `belfry-lab bench`: requests over keep-alive connections, and the rate of
/// successful responses.
struct DeviceLoad {
    let address: SocketAddress
    let app: App.ID
    /// An API key that may register devices and acknowledge.
    let key: String
    /// The number of connections. Each has one request in flight.
    var connections = 1024

    struct Rate {
        /// The number of devices, events or pushes.
        let count: Int
        let duration: Duration
        var perSecond: Double { Double(count) / duration.seconds }
    }

    /// Registers `count` devices that differ in their installation and token, numbered from `first`.
    @concurrent
    func register(_ count: Int, from first: Int = 0, on loop: EventLoop) async throws -> Rate {
        try await run(count, weight: 1, on: loop) { index in
            let number = first + index
            let digits = String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
            let token = String(repeating: "0", count: 64 - digits.count) + digits
            let body = """
                {"token":"\(token)","environment":"production","locale":"de-DE","time_zone":"Europe/Berlin",\
                "os_version":"26.1","app_version":"4.2.0","model":"iPhone18,1","user_id":"user-\(number)",\
                "authorization_status":"authorized","attributes":{"plan":"free","visits":\(number % 100)}}
                """
            return ("PUT", "/v1/apps/\(app)/devices/bench-\(number)", body)
        }
    }

    /// Sends `count` events in requests of `size`; `event` gives the n-th.
    @concurrent
    func acknowledge(
        _ count: Int, inRequestsOf size: Int = 100, on loop: EventLoop,
        event: @escaping @Sendable (Int) -> (id: MessageID, kind: EventKind)
    ) async throws -> Rate {
        try await run(count / size, weight: size, on: loop) { index in
            let events = (0..<size).map { number in
                let (id, kind) = event(index * size + number)
                return "{\"message_id\":\"\(id.text)\",\"kind\":\"\(kind.name)\"}"
            }
            return ("POST", "/v1/apps/\(app)/acknowledgements", "{\"events\":[\(events.joined(separator: ","))]}")
        }
    }

    /// Reports `count` custom events of the registered devices, in requests of `size`: purchases with a value and two
    /// properties, with the time at which they happened, as the kit reports them.
    @concurrent
    func report(_ count: Int, inRequestsOf size: Int = 100, devices: Int, on loop: EventLoop) async throws -> Rate {
        let now = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000) * 1_000).rfc3339
        return try await run(count / size, weight: size, on: loop) { index in
            let events = (0..<size).map { number in
                let event = index * size + number
                let digits = String(event, radix: 16)
                let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
                return """
                    {"id":"\(id)","installation":"bench-\(event * 7_919 % devices)","name":"purchase","at":"\(now)","value":9.5,\
                    "properties":{"plan":"pro","items":\(event % 5)}}
                    """
            }
            return ("POST", "/v1/apps/\(app)/custom-events", "{\"events\":[\(events.joined(separator: ","))]}")
        }
    }

    /// Requests `count` pushes, each to one device by its installation, with a template and its own value. The devices
    /// are `bench-1` to `bench-<devices>`, in turn.
    @concurrent
    func push(_ count: Int, devices: Int, template: Template.ID, on loop: EventLoop) async throws -> Rate {
        try await run(count, weight: 1, on: loop) { index in
            let body = """
                {"installations":["bench-\(1 + index % devices)"],"template":"\(template)","expiration_seconds":300,\
                "values":{"code":"\(100_000 + index % 900_000)"}}
                """
            return ("POST", "/v1/apps/\(app)/pushes", body)
        }
    }

    private typealias Message = (method: String, path: String, body: String)

    @concurrent
    private func run(
        _ count: Int, weight: Int, on loop: EventLoop, _ message: @escaping @Sendable (Int) -> Message
    ) async throws -> Rate {
        try await withTaskExecutorPreference(loop) {
            var sockets: [Socket] = []
            for _ in 0..<connections {
                sockets.append(try await Socket.connect(to: address, on: loop, timeout: Self.connectDeadline))
            }
            // Prepared before the measurement, as the load generator shares the machine with the server.
            let requests = (0..<count).map { bytes(of: message($0)) }
            let start = MonotonicTime.now()
            try await send(requests, over: sockets, on: loop)
            return Rate(count: count * weight, duration: .now() - start)
        }
    }

    /// Returns when all requests have succeeded. Throws the first failure after all connections have ended.
    private func send(
        _ requests: [[UInt8]], over sockets: [Socket], on loop: EventLoop
    ) async throws {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            loop.perform {
                var sent = 0
                var open = sockets.count
                var failure: LoadConnection.Failure?
                for socket in sockets {
                    LoadConnection.start(socket, on: loop) {
                        guard sent < requests.count, failure == nil else { return nil }
                        defer { sent += 1 }
                        return requests[sent]
                    } done: {
                        failure = failure ?? $0
                        open -= 1
                        guard open == 0 else { return }
                        if let failure { continuation.resume(throwing: failure) } else { continuation.resume() }
                    }
                }
            }
        }
    }

    private func bytes(of message: Message) -> [UInt8] {
        let head = """
            \(message.method) \(message.path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\n\
            Content-Type: application/json\r\nContent-Length: \(message.body.utf8.count)\r\n\r\n
            """
        return Array((head + message.body).utf8)
    }

    private static let connectDeadline = Duration.seconds(10)
}
