import EventLoop
import HTTPClient
import HTTPTypes
import TLS
import TestSupport
import Testing

@testable import HTTPServer

struct SecureTransportTests {
    private static let name = "Strict-Transport-Security: max-age=31536000\r\n"

    private static var router: Router {
        var router = Router(logger: LiveServer.quiet)
        router.add(.get, "/") { _ in .text("hello") }
        return router
    }

    private static func request(_ line: String, _ scheme: String) -> String {
        "\(line)\r\nHost: a\r\nX-Forwarded-Proto: \(scheme)\r\nConnection: close\r\n\r\n"
    }

    @Test func everyResponseToAClientOfATLSProxyDemandsTLS() async throws {
        let proxies = TrustedProxies([try #require(AddressRange("127.0.0.1"))])
        try await LiveServer.run(Self.router, configure: { $0.trustedProxies = proxies }) { live in
            for line in ["GET / HTTP/1.1", "HEAD / HTTP/1.1", "GET /missing HTTP/1.1", "PUT / HTTP/1.1"] {
                let secure = try await live.exchange(Self.request(line, "https"))
                #expect(secure.contains(Self.name))
                let plain = try await live.exchange(Self.request(line, "http"))
                #expect(!plain.contains(Self.name))
            }
        }
    }

    @Test func othersCantDemandIt() async throws {
        try await LiveServer.run(Self.router) { live in
            let answer = try await live.exchange(Self.request("GET / HTTP/1.1", "https"))
            #expect(answer.status == 200 && !answer.contains(Self.name))
        }
    }

    @Test func everyResponseOverTLSDemandsIt() async throws {
        let certificates = try Certificates()
        let (chain, key) = try certificates.issue()
        let server = try TLSContext.server(
            certificateChain: chain, privateKey: key, alpn: ["http/1.1"], releasesIdleBuffers: true)
        let client = try TLSContext.client(trust: .pem(certificates.rootPEM), alpn: ["http/1.1"])
        try await LiveServer.run(Self.router, tls: server) { live in
            let connection = try await live.client(client)
            for path in ["/", "/missing"] {
                let (head, _) = try await connection.send(.get, path)
                #expect(head.headerFields[.strictTransportSecurity] == "max-age=31536000")
            }
            await connection.close()
        }
    }
}
