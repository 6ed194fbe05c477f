import APNSSimulator
import Dispatch
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
        let reserved = try Socket.reserve(#require(SocketAddress(ip: "127.0.0.1", port: 0)))
        defer { reserved.close() }
        let port = try #require(try reserved.localAddress().port)
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

    // MARK: Several addresses

    /// A resolver that has these addresses for each name.
    private static func resolver(_ addresses: SocketAddress...) -> NameResolver {
        NameResolver(maximumThreads: 1) { _, _ in .success(addresses) }
    }

    private func client(
        of fixture: APNSFixture, _ adjust: (inout APNSOptions) -> Void
    ) throws -> APNSClient {
        try APNSClient(
            endpoint: APNSEndpoint(host: "localhost", port: 443, trust: .pem(fixture.server.certificatePEM)),
            tokens: fixture.tokens, reasons: ReasonTable(), options: .short(adjust), loop: fixture.loop,
            logger: .silent)
    }

    private static func address(of server: SimulatorServer) throws -> SocketAddress {
        let port = try #require(try server.port)
        return try #require(SocketAddress(ip: server.configuration.host, port: port))
    }

    private static func refusing() throws -> SocketAddress {
        let free = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
        defer { free.close() }
        return try free.localAddress()
    }

    @Test func addressThatNeverAnswersDelaysPushesByAQuarterOfASecond() async throws {
        try await withFixture { fixture in
            // The resolver's first family begins.
            let silent = try await SilentListener(ip: "::1", on: fixture.loop)
            defer { silent.close() }
            let working = try Self.address(of: fixture.server)
            let client = try client(of: fixture) { $0.resolver = Self.resolver(silent.address, working) }
            let began = MonotonicTime.now()
            let window = try APNSFixture.window(0..<10)
            guard case .done = await client.send(window) else { throw Unexpected() }
            let elapsed = MonotonicTime.now() - began

            #expect(window.acceptedCount == 10)
            #expect(elapsed >= AddressRace.attemptDelay)
            // Far less than the timeout of an attempt.
            #expect(elapsed < .seconds(10) * TestTimeouts.factor)
            await client.shutDown()
        }
    }

    @Test func addressWithAWrongCertificateIsPassedOver() async throws {
        try await withFixture { fixture in
            var configuration = fixture.server.configuration
            configuration.host = "::1"
            configuration.port = 0
            let loops = try EventLoopGroup(count: 1, name: "wrong")
            defer { loops.stop() }
            let wrong = try SimulatorServer(configuration: configuration, loops: loops, logger: .silent)
            try wrong.start()
            let (first, second) = (try Self.address(of: wrong), try Self.address(of: fixture.server))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask(executorPreference: loops.loops[0]) { try await wrong.run() }
                let client = try client(of: fixture) { $0.resolver = Self.resolver(first, second) }
                let window = try APNSFixture.window(0..<10)
                guard case .done = await client.send(window) else { throw Unexpected() }
                #expect(window.acceptedCount == 10)
                #expect(fixture.server.record.counts.connects == 1)
                await client.shutDown()
                group.cancelAll()
            }
        }
    }

    @Test func errorNamesEachAddressThatFailed() async throws {
        try await withFixture { fixture in
            let other = try Certificates()
            let refusing = try Self.refusing()
            let working = try Self.address(of: fixture.server)
            let client = try APNSClient(
                endpoint: APNSEndpoint(host: "localhost", port: 443, trust: .pem(other.rootPEM)),
                tokens: fixture.tokens, reasons: ReasonTable(),
                options: .short { $0.resolver = Self.resolver(refusing, working) }, loop: fixture.loop,
                logger: .silent)
            let error = try await failure(of: client)
            guard case .everyAddress(let attempts) = error else { throw error }
            #expect(Set(attempts.map(\.address)) == [refusing.description, working.description])
            #expect(error.description.contains("Connection refused"))
            #expect(error.description.contains("certificate"))
        }
    }

    @Test func resolverThatHangsEndsTheAttempt() async throws {
        try await withFixture { fixture in
            let gate = DispatchSemaphore(value: 0)
            defer { gate.signal() }
            let client = try client(of: fixture) { options in
                options.resolveTimeout = .milliseconds(50)
                options.resolver = NameResolver(maximumThreads: 2) { _, _ in
                    gate.wait()
                    return .success([])
                }
            }
            let error = try await failure(of: client)
            guard case .address(let reason) = error else { throw error }
            #expect(reason.hasPrefix("cannot resolve localhost: the name servers have not answered within 0.05"))
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
