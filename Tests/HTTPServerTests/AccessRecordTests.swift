import EventLoop
import HTTPClient
import HTTPTypes
import Testing

@testable import HTTPServer

struct AccessRecordTests {
    private static var router: Router {
        var router = Router(logger: LiveServer.quiet)
        router.add(.get, "/apps/{app}") { _ in
            var response = Response.text("hello")
            response.caller = "bfs_abc"
            return response
        }
        router.add(.get, "/stream") { _ in
            Response(
                body: .stream { writer in
                    for _ in 0..<3 { try await writer.write([1, 2, 3, 4]) }
                })
        }
        router.add(.post, "/fail") { _ in throw SystemError(operation: "x", code: 5) }
        return router
    }

    @Test func everyResponseIsReportedWithoutWhatTheClientWrote() async throws {
        let records = Lock<[AccessRecord]>([])
        try await LiveServer.run(
            Self.router, configure: { $0.onResponse = { record in records.withLock { $0.append(record) } } }
        ) { live in
            let client = try await live.client()
            let canary: HTTPFields = [.authorization: "Bearer canary", .userAgent: "canary"]
            for (method, path) in [
                (HTTPRequest.Method.get, "/apps/canary?canary=canary"), (.head, "/apps/canary"), (.get, "/stream"),
                (.post, "/fail"), (.get, "/canary"), (try #require(.init("CANARY")), "/canary"),
            ] {
                _ = try await client.send(
                    method, path, headers: canary, body: method == .post ? Array("canary".utf8) : [])
            }
            await client.close()
            _ = try await live.exchange("canary\r\n\r\n")
        }
        let lines = records.withLock { $0 }.map { record in
            #expect(record.client.host == "127.0.0.1" && record.duration >= .zero)
            #expect((record.requestID == nil) == (record.method == "-"))
            return "\(record.method) \(record.route ?? "-") \(record.status) \(record.caller ?? "-") \(record.bytes)"
        }
        #expect(
            lines.prefix(3) == [
                "GET /apps/{app} 200 bfs_abc 5", "HEAD /apps/{app} 200 bfs_abc 0", "GET /stream 200 - 12",
            ])
        #expect(
            lines.dropFirst(3).map { String($0.prefix { $0 != "-" }) } == ["POST /fail 500 ", "GET ", "other ", ""])
        #expect(lines.last?.hasPrefix("- - 400 - ") == true)
        #expect(!"\(records.withLock { $0 })".lowercased().contains("canary"))
    }

    @Test func theLogNamesTheClientBehindAProxy() async throws {
        let clients = Lock<[String]>([])
        let proxies = TrustedProxies([try #require(AddressRange("127.0.0.1"))])
        try await LiveServer.run(
            Self.router,
            configure: {
                $0.trustedProxies = proxies
                $0.onResponse = { record in clients.withLock { $0.append(record.client.host) } }
            }
        ) { live in
            _ = try await live.exchange(
                "GET /apps/1 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.7\r\nConnection: close\r\n\r\n")
        }
        #expect(clients.withLock { $0 } == ["192.0.2.7"])
    }
}
