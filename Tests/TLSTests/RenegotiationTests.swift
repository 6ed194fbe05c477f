import EventLoop
import TLS
import TestSupport
import Testing

/// A read that must write first, and a write that must read: in TLS 1.2 the peer may ask for another
/// handshake at any time, and whatever is called next takes part in it.
@Suite(.timeLimit(.minutes(10)))
struct RenegotiationTests {
    /// The two ways of waiting that a transport has.
    enum Way: CaseIterable { case wait, callback }

    @Test(arguments: Way.allCases)
    func aReadThatMustWriteWaitsForRoomInTheSocket(way: Way) async throws {
        try await Self.withEnds { server, client, socket in
            try await server.askForHandshake()
            // The socket is full, of whole records: the answer to the request has no room.
            let ahead = randomBytes(64_000)
            try await client.send(ahead)
            try shrinkSendBuffer(of: socket)
            #expect(try await client.read(1).0 == .wouldBlock)

            try await Self.expect(client, toBecomeReadyFor: .read, way) {
                // Room is all that the client gets: the server has nothing to say before its answer.
                let received = try await server.receive(ahead.count)
                #expect(received == ahead)
            }
            try await Self.expectConversation(server, client)
        }
    }

    @Test(arguments: Way.allCases)
    func aWriteThatMustReadWaitsForThePeer(way: Way) async throws {
        try await Self.withEnds { server, client, _ in
            try await server.askForHandshake()
            // It answers the request; a write would have to end that handshake first.
            #expect(try await client.read(1).0 == .wouldBlock)
            #expect(try await client.write([1]) == .wouldBlock)

            // The socket has room all the time, which is not what is waited for.
            try await Self.expect(client, toBecomeReadyFor: .write, way) { try await server.answer() }
            async let byte = server.receive(1)
            try await client.send([1])
            #expect(try await byte == [1])
            try await Self.expectConversation(server, client)
        }
    }

    /// Checks that a wait does not end before `cause`, and ends because of it. Everything runs on one loop, so a few
    /// iterations show either.
    private static func expect(
        _ client: Peer, toBecomeReadyFor interest: Interest, _ way: Way, by cause: () async throws -> Void
    ) async throws {
        let isReady = Lock(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                switch way {
                case .wait where interest == .read: try await client.readable()
                case .wait: try await client.writable()
                case .callback:
                    await client.notified(whenReadable: interest == .read, whenWritable: interest == .write)
                }
                isReady.withLock { $0 = true }
            }
            for _ in 0..<20 { await Task.yield() }
            let isEarly = isReady.withLock { $0 }
            #expect(!isEarly)
            try await cause()
            for _ in 0..<20 { await Task.yield() }
            let isInTime = isReady.withLock { $0 }
            #expect(isInTime)
            if !isInTime { await client.close() }
            try await group.waitForAll()
        }
    }

    /// Checks that both directions still work, and that there was a second handshake.
    private static func expectConversation(_ server: RenegotiatingServer, _ client: Peer) async throws {
        async let question = server.receive(8)
        try await client.send(Array("question".utf8))
        #expect(try await question == Array("question".utf8))
        try await server.send(Array("answer".utf8))
        #expect(try await client.receive(6) == Array("answer".utf8))
        #expect(await server.renegotiations == 1)
    }

    /// Our client and the server, after their first handshake. `socket` is the client's.
    private static func withEnds(
        _ body:
            @concurrent @Sendable (_ server: RenegotiatingServer, _ client: Peer, _ socket: Socket) async throws ->
            Void
    ) async throws {
        let certificates = try Certificates()
        let (chain, key) = try certificates.issue()
        let context = try TLSContext.client(trust: .pem(certificates.rootPEM))
        try await onLoop { loop in
            let (near, far) = try Socket.pair()
            let server = try RenegotiatingServer(near, on: loop, chain: chain, key: key)
            let client = try Peer(far, on: loop, tls: context)
            let result: Result<Void, any Error>
            do {
                async let accepting: Void = server.handshake()
                try await client.handshake()
                try await accepting
                #expect(await client.version == "TLSv1.2")
                result = .success(try await body(server, client, far))
            } catch {
                result = .failure(error)
            }
            await client.close()
            await server.close()
            try result.get()
        }
    }
}
