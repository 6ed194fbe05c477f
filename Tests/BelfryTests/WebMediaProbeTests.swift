import API
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Logging
import Notifications
import TLS
import TestSupport
import Testing

@testable import Belfry

@Suite struct WebMediaProbeTests {
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [UInt8](repeating: 7, count: 50_000)

    /// Probes a path on a local server, whose address the probe treats as public.
    private static func probe(
        _ path: String, restriction: @escaping @Sendable (SocketAddress) -> String? = { _ in nil }
    ) async throws -> MediaProbeResult {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let loops = try EventLoopGroup(count: 1, name: "probe-test")
        defer { loops.stop() }
        let loop = loops.next()
        var router = Router(logger: quiet)
        router.add(.get, "/ranges.png") { request in
            try Response(headers: [.eTag: "\"a\""]).part(of: Self.png.count, for: request) { range in
                .bytes(Array(Self.png[range]))
            }
        }
        router.add(.get, "/whole.png") { _ in Response(body: .bytes(Self.png)) }
        router.add(.get, "/small.png") { _ in Response(body: .bytes(Array(Self.png.prefix(30)))) }
        router.add(.get, "/moved.png") { _ in Response(status: .found, headers: [.location: "/ranges.png"]) }
        router.add(.get, "/circle.png") { _ in Response(status: .found, headers: [.location: "/circle.png"]) }
        router.add(.get, "/plain.png") { _ in
            Response(status: .found, headers: [.location: "http://example.com/a.png"])
        }
        let certificates = try Certificates()
        let issued = try certificates.issue()
        let tls = try TLSContext.server(certificateChain: issued.certificatePEM, privateKey: issued.keyPEM)
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
        let server = try HTTPServer(
            configuration: ServerConfiguration(address: address), router: router, loops: loops, tls: tls,
            logger: quiet)
        let probe = WebMediaProbe(loop: loop, trust: .pem(certificates.rootPEM), restriction: restriction)
        let url = try MediaURL("https://localhost:\(server.address.port ?? 0)\(path)")
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let probe = await withTaskExecutorPreference(loop) { await probe.probe(at: url) }
            server.shutDown()
            try await group.next()
            return probe
        }
    }

    @Test(arguments: ["/ranges.png", "/whole.png", "/moved.png"])
    func prefixAndSizeAreRead(_ path: String) async throws {
        let prefix = Array(Self.png.prefix(MediaType.prefixSize))
        let expected = MediaProbeResult.found(prefix: prefix, size: Self.png.count)
        #expect(try await Self.probe(path) == expected)
    }

    @Test func fileShorterThanThePrefixIsReadWhole() async throws {
        #expect(try await Self.probe("/small.png") == .found(prefix: Array(Self.png.prefix(30)), size: 30))
    }

    @Test(arguments: [
        ("/missing.png", "it returned status 404"), ("/circle.png", "it redirects more than 3 times"),
        ("/plain.png", "the target of its redirect must be an address that begins with https://"),
    ])
    func unreachableFileIsReportedWithAReason(_ path: String, _ reason: String) async throws {
        #expect(try await Self.probe(path) == .unreachable(reason))
    }

    @Test func addressOfThisMachineIsForbidden() async throws {
        let probe = try await Self.probe("/whole.png", restriction: PublicAddress.restriction(of:))

        guard case .forbidden(let rule) = probe else {
            Issue.record("\(probe)")
            return
        }
        #expect(rule.contains("127.0.0.0/8") || rule.contains("IPv6"))
    }
}
