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
        let window = try Stand.window(0..<3)
        let ending = await client.send(window)
        #expect(window.unsentCount == 3)
        guard case .unavailable(let error) = ending else { throw Unexpected() }
        return error
    }

    @Test func wrongAuthorityIsRefusedInWords() async throws {
        let other = try Certificates()
        try await withStand(endpoint: { server in
            var endpoint = try server.endpoint()
            endpoint.trust = .pem(other.rootPEM)
            return endpoint
        }) { stand in
            let error = try await failure(of: stand.client)
            guard case .tls = error else { throw error }
            #expect(error.description.contains("certificate"))
            #expect(stand.server.record.counts.requests == 0)
        }
    }

    @Test func wrongHostNameIsRefusedInWords() async throws {
        // An address that is not in the certificate.
        try await withStand({ $0.host = "127.0.0.2" }) { stand in
            let error = try await failure(of: stand.client)
            guard case .tls = error else { throw error }
            #expect(!error.description.isEmpty)
            #expect(stand.server.record.counts.requests == 0)
        }
    }

    @Test func refusedConnectionPausesAndRecoversWhenTheServerComes() async throws {
        let free = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
        let port = try #require(try free.localAddress().port)
        free.close()
        try await withStand { stand in
            // Nobody listens there yet.
            var configuration = stand.server.configuration
            configuration.port = port
            let loops = try EventLoopGroup(count: 1, name: "late")
            defer { loops.stop() }
            let late = try SimulatorServer(configuration: configuration, loops: loops, logger: .silent)
            let pause = Duration.seconds(3)
            let client = try APNSClient(
                endpoint: APNSEndpoint(host: "127.0.0.1", port: port, trust: .pem(late.certificatePEM)),
                tokens: stand.tokens, reasons: ReasonTable(),
                options: .short { ($0.shortestPause, $0.longestPause) = (pause, pause) },
                loop: stand.loop, logger: .silent)

            guard case .connect(let words) = try await failure(of: client) else { throw Unexpected() }
            #expect(!words.isEmpty)
            // No attempt while it pauses, and the reason of the last one is kept.
            guard case .pausing(let reason) = try await failure(of: client) else { throw Unexpected() }
            #expect(reason == words)

            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await late.run() }
                let window = try Stand.window(0..<20)
                try await stand.sendAll(window, with: client)
                #expect(window.acceptedCount == 20)
                await client.shutDown()
                group.cancelAll()
            }
        }
    }

    @Test func peerThatSaysNothingTimesOut() async throws {
        // It listens, and nobody ever accepts.
        let mute = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
        defer { mute.close() }
        let port = try #require(try mute.localAddress().port)
        try await withStand(
            options: { $0.connectTimeout = .milliseconds(150) },
            endpoint: { APNSEndpoint(host: "127.0.0.1", port: port, trust: .pem($0.certificatePEM)) }
        ) { stand in
            let error = try await failure(of: stand.client)
            guard case .tls = error else { throw error }
        }
    }
}

struct APNSErrorTests {
    @Test func eachAddressSaysHowItFailed() {
        let error = APNSError.everyAddress([
            APNSError.Attempt(address: "192.0.2.1:443", error: .connect("connect 192.0.2.1:443: Connection refused")),
            APNSError.Attempt(address: "[2001:db8::1]:443", error: .tls(.timedOut)),
        ])

        #expect(
            error.description == """
                none of 2 addresses can be used: connect 192.0.2.1:443: Connection refused; [2001:db8::1]:443: \
                the TLS handshake took too long
                """)
    }

    @Test func whatAllAddressesHaveInCommonIsSaidOnce() {
        let refused = APNSError.tls(.certificate(host: "api.example", reason: "it has expired"))
        let error = APNSError.everyAddress(
            ["192.0.2.1:443", "192.0.2.2:443"].map { APNSError.Attempt(address: $0, error: refused) })

        #expect(
            error.description == """
                none of 2 addresses can be used: 192.0.2.1:443, 192.0.2.2:443: the certificate of api.example was \
                refused: it has expired
                """)
    }
}
