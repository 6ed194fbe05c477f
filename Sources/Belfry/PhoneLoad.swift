import API
import Campaigns
import EventLoop
import HTTPClient
import HTTPTypes

/// What many phones do to a server, for `belfry bench`: requests over kept connections, and how many a second were
/// answered with 200.
struct PhoneLoad {
    let address: SocketAddress
    let app: App.ID
    /// An API key that may register devices and acknowledge.
    let key: String
    /// Each has one request on the way: a server answers those of one connection one after the other.
    var connections = 512

    struct Rate {
        /// Devices, or events.
        let count: Int
        let duration: Duration
        var perSecond: Double { Double(count) / duration.seconds }
    }

    /// Unlike 200.
    struct Refused: Error {
        let status: Int
        let body: String
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
                "authorization":"authorized","attributes":{"plan":"free","visits":\(number % 100)}}
                """
            return (.put, "/v1/apps/\(app)/devices/bench-\(number)", body)
        }
    }

    /// Acknowledges `count` pushes in requests of `size`; `id` gives the n-th message id.
    @concurrent
    func acknowledge(
        _ count: Int, inRequestsOf size: Int = 100, on loop: EventLoop, id: @escaping @Sendable (Int) -> MessageID
    ) async throws -> Rate {
        try await run(count / size, weight: size, on: loop) { index in
            let events = (0..<size).map { "{\"id\":\"\(id(index * size + $0).text)\",\"kind\":\"delivered\"}" }
            return (.post, "/v1/apps/\(app)/acknowledgements", "{\"events\":[\(events.joined(separator: ","))]}")
        }
    }

    private typealias Message = (method: HTTPRequest.Method, path: String, body: String)

    @concurrent
    private func run(
        _ count: Int, weight: Int, on loop: EventLoop, _ message: @escaping @Sendable (Int) -> Message
    ) async throws -> Rate {
        try await withTaskExecutorPreference(loop) {
            var open: [HTTPClientConnection] = []
            for _ in 0..<connections {
                open.append(try await HTTPClientConnection.connect(to: address, host: "localhost", on: loop))
            }
            let start = MonotonicTime.now()
            try await withThrowingTaskGroup { group in
                for (worker, connection) in open.enumerated() {
                    group.addTask { [connections] in
                        for index in stride(from: worker, to: count, by: connections) {
                            try await send(message(index), on: connection)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let duration = MonotonicTime.now() - start
            for connection in open { await connection.close() }
            return Rate(count: count * weight, duration: duration)
        }
    }

    private func send(_ message: Message, on connection: HTTPClientConnection) async throws {
        let (head, body) = try await connection.send(
            message.method, message.path,
            headers: [.authorization: "Bearer \(key)", .contentType: "application/json"], body: Array(message.body.utf8)
        )
        guard head.status == .ok else {
            throw Refused(status: head.status.code, body: String(decoding: body.prefix(300), as: UTF8.self))
        }
    }
}
