import EventLoop
import HTTP2
import Testing

/// Compares `hasStartedSending` with the bytes that were actually sent.
@Suite(.timeLimit(.minutes(10)))
struct SendStartTests {
    @Test func sentRequestsHaveStartedAndQueuedOnesHaveNot() async throws {
        try await withLink { link in
            let peer = try link.connect(.client)
            let session = try #require(link.client.session)
            // More than the socket holds, and more than nghttp2 lets out before the first SETTINGS.
            link.request(0..<200, headers: [("x-long", String(repeating: "~", count: 8_000))], body: [1])
            #expect(session.isBlocked)
            let streams = link.client.streams
            let seen = frames(in: try drain(peer))
            peer.close()

            let begun = streams.filter { session.hasStartedSending(stream: $0.value) }
            #expect(!seen.isEmpty && seen.isSubset(of: Set(begun.values)))
            // The first of them, in their order; most have not.
            #expect(begun.count < 100)
            #expect(Set(begun.keys) == Set(0..<begun.count))

            // The socket has room again, and the client may write some more before it learns of the close.
            await link.until(link.client) { $0.end != nil }
            let after = streams.filter { session.hasStartedSending(stream: $0.value) }
            #expect(after.count >= begun.count && after.count < 200)
            #expect(Set(after.keys) == Set(0..<after.count))
        }
    }

    @Test func requestThatWaitsForAStreamNeverGoesOutOnceItIsReset() async throws {
        try await withLink { link in
            try link.connect(server: HTTP2Settings(maxConcurrentStreams: 1))
            await link.until(link.client) { $0.settingsCount == 1 }
            link.server.answers = false
            link.request(0..<3, body: [1])
            await link.until(link.server) { $0.messages[0]?.isComplete == true }
            let session = try #require(link.client.session)
            #expect(session.hasStartedSending(stream: 1))
            #expect(!session.hasStartedSending(stream: 3) && !session.hasStartedSending(stream: 5))

            session.submitReset(stream: 3, code: .cancel)
            session.flush()
            link.server.answers = true
            link.server.answer(0)
            link.server.session?.flush()

            #expect(await link.response(2).closed == .noError)
            #expect(link.server.messages.values.compactMap { $0.headers[":path"] }.sorted() == ["/0", "/2"])
            #expect(link.client.notSent == 1)
        }
    }

    private func drain(_ socket: Socket) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case .bytes(let count) = try piece.withUnsafeMutableBytes({ try socket.read(into: $0) }) {
            bytes += piece[..<count]
        }
        return bytes
    }

    /// The streams whose frames begin in a client's bytes (RFC 9113 §4.1).
    private func frames(in bytes: [UInt8]) -> Set<Int32> {
        var streams: Set<Int32> = []
        // After the connection preface.
        var place = 24
        while place + 9 <= bytes.count {
            let number = bytes[place + 5..<place + 9].reduce(0) { $0 << 8 | Int32($1) }
            if number > 0 { streams.insert(number) }
            place += 9 + bytes[place..<place + 3].reduce(0) { $0 << 8 | Int($1) }
        }
        return streams
    }
}
