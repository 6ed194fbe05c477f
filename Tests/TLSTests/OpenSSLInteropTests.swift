import EventLoop
import Foundation
import TLS
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OpenSSLInteropTests {
    /// Runs our server against `openssl s_client` with these options, and returns what each observed.
    private static func serve(_ options: [String]) async throws -> (version: String?, error: TLSError?, output: String)
    {
        let certificates = try Certificates()
        let (chain, key) = try certificates.issue()
        let context = try TLSContext.server(certificateChain: chain, privateKey: key, alpn: ["h2"])
        return try await OpenSSLCommand.withFiles(["root.pem": certificates.rootPEM]) { folder in
            try await onLoop { loop in
                let listener = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
                defer { listener.close() }
                let address = try listener.localAddress()
                async let output = OpenSSLCommand.run(
                    [
                        "s_client", "-connect", "\(address)", "-CAfile", folder + "/root.pem", "-verify_return_error",
                        "-verify_hostname", "localhost", "-alpn", "h2", "-ign_eof",
                    ] + options, input: "hello\n")
                try await loop.waitUntilReady(
                    listener.descriptor, for: .read, timeout: .seconds(30), operation: "accept")
                let (socket, _) = try #require(try listener.accept())
                let peer = try Peer(socket, on: loop, tls: context)
                var failure: TLSError?
                do throws(TLSError) {
                    try await peer.handshake()
                    let question = try await peer.receive(6)
                    try await peer.send(Array("heard: ".utf8) + question)
                } catch {
                    failure = error
                }
                let version = await peer.version
                await peer.close()
                return (version, failure, try await output)
            }
        }
    }

    @Test(arguments: [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")])
    func opensslAsClientIsServedInBothVersions(option: String, version: String) async throws {
        let met = try await Self.serve([option])
        #expect(met.error == nil)
        #expect(met.version == version)
        #expect(met.output.contains("heard: hello\n"))
        #expect(met.output.contains("ALPN protocol: h2"))
        #expect(met.output.contains("Verify return code: 0 (ok)") || met.output.contains("Verification: OK"))
    }

    /// Whoever gets the key later could read what was recorded.
    @Test(arguments: ["AES128-GCM-SHA256", "AES256-SHA256", "ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA256"])
    func suiteWithoutForwardSecrecyOrAuthenticatedEncryptionIsRefused(_ suite: String) async throws {
        let met = try await Self.serve(["-tls1_2", "-cipher", suite])
        #expect(met.error == .failed("no shared cipher"))
        #expect(!met.output.contains("heard:"))
    }

    @Test func aClientThatStopsAtTLS11IsRefused() async throws {
        let met = try await Self.serve(["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        #expect(met.error == .failed("unsupported protocol"))
        #expect(met.output.contains("alert protocol version"))
    }

    /// `s_server -rev` answers each line with its letters turned round.
    @Test(arguments: [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")])
    func opensslAsServerIsUnderstoodInBothVersions(option: String, version: String) async throws {
        let certificates = try Certificates()
        let (chain, key) = try certificates.issue()
        let context = try TLSContext.client(trust: .pem(certificates.rootPEM), alpn: ["h2"])
        try await OpenSSLCommand.withFiles(["chain.pem": chain, "key.pem": key]) { folder in
            let (process, _, stdout) = try OpenSSLCommand.start([
                "s_server", "-accept", "127.0.0.1:0", "-cert", folder + "/chain.pem", "-key", folder + "/key.pem",
                "-alpn", "h2", "-rev", option,
            ])
            defer {
                // Not SIGTERM: a child of a pool's thread has inherited its blocked signals.
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
            let port = try await Self.port(announcedIn: stdout)
            try await onLoop { loop in
                let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
                let socket = try await Socket.connect(to: address, on: loop, timeout: .seconds(30))
                let peer = try Peer(socket, on: loop, tls: context)
                do {
                    try await peer.handshake()
                    #expect(await peer.version == version)
                    #expect(await peer.agreedProtocol == "h2")
                    try await peer.send(Array("hello\n".utf8))
                    #expect(try await peer.receive(6) == Array("olleh\n".utf8))
                } catch {
                    await peer.close()
                    throw error
                }
                await peer.close()
            }
        }
    }

    /// From the line "ACCEPT 127.0.0.1:34567".
    private static func port(announcedIn stdout: FileHandle) async throws -> UInt16 {
        var text = ""
        while true {
            let data = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: stdout.availableData) }
            }
            text += String(decoding: data, as: UTF8.self)
            if let line = text.split(separator: "\n").first(where: { $0.hasPrefix("ACCEPT ") }), text.hasSuffix("\n") {
                return try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
            }
            try #require(!data.isEmpty, "openssl s_server ended: \(text)")
        }
    }
}
