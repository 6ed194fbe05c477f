import APNSSimulator
import EventLoop
import Logging
import TLS
import TestSupport
import Testing

@testable import APNS

@Suite(.timeLimit(.minutes(10)))
struct ConnectingTests {
    private func failure(of client: APNSClient) async throws -> APNSError {
        let window = try APNSFixture.window(0..<3)
        let ending = await client.send(window)
        #expect(window.unsentCount == 3)
        guard case .unavailable(let error) = ending else { throw Unexpected() }
        return error
    }

    @Test func wrongAuthorityFailsWithACertificateError() async throws {
        let other = try Certificates()
        try await withFixture(endpoint: { server in
            var endpoint = try server.endpoint()
            endpoint.trust = .pem(other.rootPEM)
            return endpoint
        }) { fixture in
            let error = try await failure(of: fixture.client)
            guard case .tls = error else { throw error }
            #expect(error.description.contains("certificate"))
            #expect(fixture.server.record.counts.requests == 0)
        }
    }

    @Test func wrongHostNameFailsWithATLSError() async throws {
        // An address that is not in the certificate.
        try await withFixture({ $0.host = "127.0.0.2" }) { fixture in
            let error = try await failure(of: fixture.client)
            guard case .tls = error else { throw error }
            #expect(!error.description.isEmpty)
            #expect(fixture.server.record.counts.requests == 0)
        }
    }

    @Test func refusedConnectionPausesAndRecoversWhenTheServerComes() async throws {
        let free = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
        let port = try #require(try free.localAddress().port)
        free.close()
        try await withFixture { fixture in
            // No server listens there yet.
            var configuration = fixture.server.configuration
            configuration.port = port
            let loops = try EventLoopGroup(count: 1, name: "late")
            defer { loops.stop() }
            let late = try SimulatorServer(configuration: configuration, loops: loops, logger: .silent)
            let pause = Duration.seconds(3)
            let client = try APNSClient(
                endpoint: APNSEndpoint(host: "127.0.0.1", port: port, trust: .pem(late.certificatePEM)),
                tokens: fixture.tokens, reasons: ReasonTable(),
                options: .short { ($0.shortestPause, $0.longestPause) = (pause, pause) },
                loop: fixture.loop, logger: .silent)

            guard case .connect(let words) = try await failure(of: client) else { throw Unexpected() }
            #expect(!words.isEmpty)
            // No attempt is made during the pause, and the error has the last reason.
            guard case .backingOff(let reason) = try await failure(of: client) else { throw Unexpected() }
            #expect(reason == words)

            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await late.run() }
                let window = try APNSFixture.window(0..<20)
                try await fixture.sendAll(window, with: client)
                #expect(window.acceptedCount == 20)
                await client.shutDown()
                group.cancelAll()
            }
        }
    }

    @Test func peerThatSaysNothingTimesOut() async throws {
        // It listens, but never accepts.
        let mute = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
        defer { mute.close() }
        let port = try #require(try mute.localAddress().port)
        try await withFixture(
            options: { $0.connectTimeout = .milliseconds(150) },
            endpoint: { APNSEndpoint(host: "127.0.0.1", port: port, trust: .pem($0.certificatePEM)) }
        ) { fixture in
            let error = try await failure(of: fixture.client)
            guard case .tls = error else { throw error }
        }
    }
}

struct APNSErrorTests {
    @Test func everyAddressHasItsReason() {
        let error = APNSError.everyAddress([
            APNSError.Attempt(address: "192.0.2.1:443", error: .connect("connect 192.0.2.1:443: Connection refused")),
            APNSError.Attempt(address: "[2001:db8::1]:443", error: .tls(.timedOut)),
        ])

        #expect(
            error.description == """
                connecting to all 2 addresses failed: connect 192.0.2.1:443: Connection refused; [2001:db8::1]:443: \
                the TLS handshake timed out
                """)
    }

    @Test func sharedReasonIsGivenOnce() {
        let refused = APNSError.tls(.certificate(host: "api.example", reason: "it has expired"))
        let error = APNSError.everyAddress(
            ["192.0.2.1:443", "192.0.2.2:443"].map { APNSError.Attempt(address: $0, error: refused) })

        #expect(
            error.description == """
                connecting to all 2 addresses failed: 192.0.2.1:443, 192.0.2.2:443: the certificate of api.example was \
                refused: it has expired
                """)
    }
}
