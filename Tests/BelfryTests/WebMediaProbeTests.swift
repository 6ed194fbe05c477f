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

    /// Asks for a path on a server of this machine, which the probe takes for public here.
    private static func look(
        _ path: String, refusal: @escaping @Sendable (SocketAddress) -> String? = { _ in nil }
    ) async throws -> MediaLook {
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
        let probe = WebMediaProbe(loop: loop, trust: .pem(certificates.rootPEM), refusal: refusal)
        let url = try MediaURL("https://localhost:\(server.address.port ?? 0)\(path)")
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let look = await withTaskExecutorPreference(loop) { await probe.look(at: url) }
            server.shutDown()
            try await group.next()
            return look
        }
    }

    @Test(arguments: ["/ranges.png", "/whole.png", "/moved.png"])
    func beginningAndSizeAreSeen(_ path: String) async throws {
        let expected = MediaLook.found(prefix: Array(Self.png.prefix(MediaType.prefixSize)), size: Self.png.count)
        #expect(try await Self.look(path) == expected)
    }

    @Test func fileShorterThanThePrefixIsSeenWhole() async throws {
        #expect(try await Self.look("/small.png") == .found(prefix: Array(Self.png.prefix(30)), size: 30))
    }

    @Test(arguments: [
        ("/missing.png", "it answers with status 404"), ("/circle.png", "it leads on more than 3 times"),
        ("/plain.png", "where it leads on to must be an address that begins with https://"),
    ])
    func whatCannotBeSeenIsSaidInWords(_ path: String, _ words: String) async throws {
        #expect(try await Self.look(path) == .unreachable(words))
    }

    @Test func thisMachineIsNotLookedAt() async throws {
        let look = try await Self.look("/whole.png", refusal: PublicAddress.refusal(of:))

        guard case .forbidden(let rule) = look else {
            Issue.record("\(look)")
            return
        }
        #expect(rule.contains("127.0.0.0/8") || rule.contains("IPv6"))
    }
}
