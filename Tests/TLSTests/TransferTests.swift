import EventLoop
import TLS
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TransferTests {
    /// With TLS and without: the transport promises the same.
    private static func contexts(_ isEncrypted: Bool) throws -> (server: TLSContext?, client: TLSContext?) {
        guard isEncrypted else { return (nil, nil) }
        let certificates = try Certificates()
        let (chain, key) = try certificates.issue()
        return (
            try .server(certificateChain: chain, privateKey: key), try .client(trust: .pem(certificates.rootPEM))
        )
    }

    @Test(arguments: [true, false])
    func megabytesGoBothWaysAtOnceInSmallRandomReads(isEncrypted: Bool) async throws {
        let (server, client) = try Self.contexts(isEncrypted)
        try await withPeers(server: server, client: client) { server, client in
            #expect(await performHandshake(server, client) == (nil, nil))
            let bytes = randomBytes(4_000_000)
            async let echo: Void = server.echo(atMost: 20_000)
            let received = try await client.exchange(bytes, atMost: 5_000)
            let isSame = received == bytes
            #expect(isSame, "\(received.count) bytes came")
            await client.shutdownWriting()
            try await echo
        }
    }

    @Test(arguments: [true, false])
    func aWriterWaitsForAReaderAndThenGoesOn(isEncrypted: Bool) async throws {
        let (server, client) = try Self.contexts(isEncrypted)
        try await withPeers(server: server, client: client) { server, client in
            #expect(await performHandshake(server, client) == (nil, nil))
            let bytes = randomBytes(5_000_000)
            let taken = try await client.sendUntilBlocked(bytes)
            #expect(taken > 0 && taken < bytes.count)

            async let rest: Void = client.send(Array(bytes[taken...]))
            let received = try await server.receive(bytes.count)
            try await rest
            let isSame = received == bytes
            #expect(isSame, "\(received.count) bytes came")
        }
    }

    @Test(arguments: [true, false])
    func afterShutdownTheOtherDirectionGoesOn(isEncrypted: Bool) async throws {
        let (server, client) = try Self.contexts(isEncrypted)
        try await withPeers(server: server, client: client) { server, client in
            #expect(await performHandshake(server, client) == (nil, nil))
            try await client.send(Array("question".utf8))
            await client.shutdownWriting()
            #expect(try await server.receive(.max) == Array("question".utf8))
            try await server.send(Array("answer".utf8))
            await server.close()
            #expect(try await client.receive(.max) == Array("answer".utf8))
        }
    }

    @Test(arguments: [true, false])
    func closeResumesAWaiterWithItsReasonAndMayBeRepeated(isEncrypted: Bool) async throws {
        let (server, client) = try Self.contexts(isEncrypted)
        try await withPeers(server: server, client: client) { server, client in
            #expect(await performHandshake(server, client) == (nil, nil))
            await withTaskGroup { group in
                group.addTask { await #expect(throws: TLSError.timedOut) { _ = try await server.receive(1) } }
                // Bytes that the handshake left unread wake the waiter too: it tries, and waits again.
                for _ in 0..<20 { await Task.yield() }
                await server.close(throwing: .timedOut)
                await server.close()
            }
            #expect(await server.isClosed)
            await #expect(throws: TLSError.timedOut) { try await server.readable() }
            let (result, _) = try await server.read(1)
            #expect(result == .end)
            await server.shutdownWriting()
        }
    }

    @Test func closeEndsAHandshake() async throws {
        let (server, _) = try Self.contexts(true)
        try await withPeers(server: server, client: nil) { server, _ in
            await withTaskGroup { group in
                group.addTask { await #expect(throws: TLSError.timedOut) { try await server.handshake() } }
                for _ in 0..<20 { await Task.yield() }
                await server.close(throwing: .timedOut)
            }
        }
    }

    /// In one round of epoll the socket becomes ready, and its owner closes it: the handshake's task,
    /// which runs after that, must not touch the descriptor.
    @Test func aHandshakeThatIsClosedWhileItWasReadyDoesNotGoOn() async throws {
        let (server, _) = try Self.contexts(true)
        try await onLoop { loop in
            let (near, far) = try Socket.pair()
            let (bell, rope) = try Socket.pair()
            let peer = try Peer(near, on: loop, tls: server)
            await withTaskGroup { group in
                group.addTask { await #expect(throws: TLSError.timedOut) { try await peer.handshake() } }
                for _ in 0..<20 { await Task.yield() }
                let rung = Lock<Watch?>(nil)
                let watch = loop.watch(bell.descriptor) { _ in
                    peer.assumeIsolated { $0.close(throwing: .timedOut) }
                    rung.withLock { $0 }?.cancel()
                }
                rung.withLock { $0 = watch }
                watch.interest = .read
                // Ready in this order, and both before the loop looks again.
                for socket in [far, rope] {
                    let sent = withUnsafeBytes(of: UInt8(22)) { byte in Result { try socket.write(byte) } }
                    #expect(throws: Never.self) { try sent.get() }
                }
                await group.waitForAll()
                rung.withLock { $0 = nil }
            }
            bell.close()
            far.close()
            rope.close()
        }
    }
}
