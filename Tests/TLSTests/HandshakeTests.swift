import EventLoop
import Glibc
import TLS
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HandshakeTests {
    private static func ends(
        certificates: Certificates? = nil, chain: (certificatePEM: String, keyPEM: String)? = nil,
        trust: String? = nil, serverALPN: [String] = [], clientALPN: [String] = []
    ) throws -> (server: TLSContext, client: TLSContext) {
        let certificates = try certificates ?? Certificates()
        let (chain, key) = try chain ?? certificates.issue()
        return (
            try .server(certificateChain: chain, privateKey: key, alpn: serverALPN),
            try .client(trust: .pem(trust ?? certificates.rootPEM), alpn: clientALPN)
        )
    }

    /// The client's error about the server's certificate.
    private static func verdict(_ ends: (server: TLSContext, client: TLSContext), host: String) async throws -> String?
    {
        try await withPeers(server: ends.server, client: ends.client, host: host) { server, client in
            await performHandshake(server, client).client?.description
        }
    }

    @Test func bothEndsSpeakTLS13() async throws {
        let (server, client) = try Self.ends()
        try await withPeers(server: server, client: client) { server, client in
            #expect(await performHandshake(server, client) == (nil, nil))
            #expect(await server.version == "TLSv1.3")
            #expect(await client.version == "TLSv1.3")
        }
    }

    // MARK: ALPN

    @Test func theServersFirstProtocolThatTheClientOffersIsAgreed() async throws {
        let (server, client) = try Self.ends(serverALPN: ["h2", "http/1.1"], clientALPN: ["http/1.1", "h2", "x"])
        try await withPeers(server: server, client: client) { server, client in
            #expect(await performHandshake(server, client) == (nil, nil))
            #expect(await server.agreedProtocol == "h2")
            #expect(await client.agreedProtocol == "h2")
        }
    }

    @Test func withoutAProtocolInCommonTheClientIsRefused() async throws {
        let (server, client) = try Self.ends(serverALPN: ["h2"], clientALPN: ["http/1.1"])
        try await withPeers(server: server, client: client) { server, client in
            let (serverError, clientError) = await performHandshake(server, client)
            #expect(serverError == .failed("no application protocol"))
            #expect(clientError?.description.contains("no application protocol") == true)
        }
    }

    @Test(arguments: [(["h2"], []), ([], ["h2"])])
    func whenOneSideHasNoProtocolsNoneIsAgreed(server: [String], client: [String]) async throws {
        let (server, client) = try Self.ends(serverALPN: server, clientALPN: client)
        try await withPeers(server: server, client: client) { server, client in
            #expect(await performHandshake(server, client) == (nil, nil))
            #expect(await server.agreedProtocol == nil)
            #expect(await client.agreedProtocol == nil)
        }
    }

    @Test func aProtocolNameHas1To255Bytes() throws {
        _ = try TLSContext.client(alpn: [String(repeating: "p", count: 255)])
        for name in ["", String(repeating: "p", count: 256)] {
            #expect(throws: TLSError.self) { try TLSContext.client(alpn: ["h2", name]) }
        }
    }

    // MARK: Certificates

    @Test(arguments: ["localhost", "127.0.0.1", "::1"])
    func namesAndAddressesOfTheCertificateAreBelieved(host: String) async throws {
        #expect(try await Self.verdict(Self.ends(), host: host) == nil)
    }

    @Test(arguments: ["example.org", "10.0.0.1", "::2", "local", "sub.localhost"])
    func anotherHostIsRefused(host: String) async throws {
        #expect(
            try await Self.verdict(Self.ends(), host: host)
                == "the certificate of \(host) was refused: it was issued for another host")
    }

    @Test func aWildcardMatchesOneLabel() async throws {
        let certificates = try Certificates()
        let ends = try Self.ends(certificates: certificates, chain: certificates.issue(dnsNames: ["*.example.org"]))
        #expect(try await Self.verdict(ends, host: "push.example.org") == nil)
        #expect(try await Self.verdict(ends, host: "a.push.example.org") != nil)
        #expect(try await Self.verdict(ends, host: "example.org") != nil)
    }

    @Test func anUnknownIssuerIsRefused() async throws {
        let ends = try Self.ends(trust: Certificates(commonName: "Somebody else").rootPEM)
        #expect(
            try await Self.verdict(ends, host: "localhost")
                == "the certificate of localhost was refused: its issuer is not among the trusted roots; "
                + "on Debian, install ca-certificates")
    }

    @Test func anUnknownCertificateThatSignsItselfIsRefused() async throws {
        let own = try Certificates(commonName: "localhost")
        let ends = try Self.ends(
            chain: (own.rootPEM, own.rootKeyPEM), trust: Certificates(commonName: "Somebody else").rootPEM)
        #expect(
            try await Self.verdict(ends, host: "localhost")
                == "the certificate of localhost was refused: it is self-signed and not among the trusted roots")
    }

    @Test func expiredOrNotYetValidCertificatesAreRejected() async throws {
        let certificates = try Certificates()
        let expired = try Self.ends(certificates: certificates, chain: certificates.issue(.expired))
        #expect(
            try await Self.verdict(expired, host: "localhost")
                == "the certificate of localhost was refused: it has expired")
        let early = try Self.ends(certificates: certificates, chain: certificates.issue(.notYetValid))
        #expect(
            try await Self.verdict(early, host: "localhost")
                == "the certificate of localhost was refused: it is not valid yet; check the clocks of both machines")
    }

    /// OpenSSL would accept any host.
    @Test func aClientMustNameItsHost() async throws {
        let (_, client) = try Self.ends()
        try await onLoop { loop in
            let (near, far) = try Socket.pair()
            #expect(throws: TLSError.configuration(" is not a valid host name")) {
                try Transport(near, on: loop, tls: client)
            }
            near.close()
            far.close()
        }
    }

    // MARK: Misbehaving peers

    @Test(arguments: [true, false])
    func aPeerThatClosesDuringTheHandshakeIsNamed(isServer: Bool) async throws {
        let (server, client) = try Self.ends()
        try await withPeers(server: isServer ? server : nil, client: isServer ? nil : client) { server, client in
            let (tested, other) = isServer ? (server, client) : (client, server)
            async let error = #expect(throws: TLSError.self) { try await tested.handshake() }
            for _ in 0..<20 { await Task.yield() }
            await other.shutdownWriting()
            #expect(await error == .closedDuringHandshake)
        }
    }

    @Test func aPeerThatGoesAwayDuringTheHandshakeIsAnError() async throws {
        let (_, client) = try Self.ends()
        try await withPeers(server: nil, client: client) { other, client in
            await other.close()
            let error = await #expect(throws: TLSError.self) { try await client.handshake() }
            #expect(error == .system(SystemError(operation: "TLS on the socket", code: EPIPE)))
        }
    }

    /// The server's certificates do not fit into its socket.
    @Test func aHandshakeThatHasToWaitForRoomGoesOn() async throws {
        let certificates = try Certificates()
        let (own, key) = try certificates.issue()
        let chain = own + String(repeating: certificates.rootPEM, count: 50)
        let (serverContext, clientContext) = try Self.ends(certificates: certificates, chain: (chain, key))
        try await onLoop { loop in
            let (near, far) = try Socket.pair()
            try shrinkSendBuffer(of: near)
            let server = try Peer(near, on: loop, tls: serverContext)
            let client = try Peer(far, on: loop, tls: clientContext)
            let deadline = loop.schedule(after: .seconds(30)) {
                for peer in [server, client] { peer.assumeIsolated { $0.close(throwing: .timedOut) } }
            }
            #expect(await performHandshake(server, client) == (nil, nil))
            loop.cancel(deadline)
            await server.close()
            await client.close()
        }
    }

    @Test func aPeerThatDoesNotSpeakTLSIsAnError() async throws {
        let (server, _) = try Self.ends()
        try await withPeers(server: server, client: nil) { server, client in
            try await client.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            await #expect(throws: TLSError.failed("http request")) { try await server.handshake() }
        }
    }
}
