import EventLoop
import HTTPClient
import HTTPTypes
import Testing

@testable import HTTPServer

/// Request bodies with Content-Encoding: gzip.
struct GunzipTests {
    private static let text = Array(String(repeating: "Evening bells. ", count: 20_000).utf8)

    private static func router(limit: Int) -> Router {
        var router = Router(logger: LiveServer.quiet)
        router.add(.post, "/echo", bodyLimit: limit) { request in
            Response(body: .bytes(try await request.body.collect()))
        }
        return router
    }

    private static func post(
        _ bytes: [UInt8], encoding: String = "gzip", limit: Int = 1 << 20
    ) async throws -> (status: Int, body: [UInt8]) {
        let loop = try EventLoop(name: "gunzip")
        defer { loop.stop() }
        let request = try Request(.post, "/echo", headers: [.contentEncoding: encoding], body: bytes, on: loop)
        let response = await router(limit: limit).respond(to: request)
        return (response.status.code, try await response.collect(upTo: 1 << 20))
    }

    @Test func bodyIsDecompressed() async throws {
        let packed = try Gzip.compress(Self.text)
        #expect(packed.count < Self.text.count / 50)
        let answer = try await Self.post(packed)
        #expect(answer.status == 200 && answer.body == Self.text)
        // Several members are one body (RFC 1952 §2.2).
        #expect(try await Self.post(packed + packed).body == Self.text + Self.text)
        #expect(try await Self.post([]).body == [])
    }

    @Test func bodyFromASocketIsDecompressed() async throws {
        let packed = try Gzip.compress(Self.text)
        try await LiveServer.run(Self.router(limit: 1 << 20)) { live in
            let client = try await live.client()
            let (head, body) = try await client.send(
                .post, "/echo", headers: [.contentEncoding: "gzip"], body: packed, bodyLimit: 1 << 20)
            #expect(head.status == .ok && body == Self.text)
            await client.close()
        }
    }

    /// The limit is of what the handler gets, and no more than a piece beyond it is ever decompressed.
    @Test func bombIsRefusedAtTheLimit() async throws {
        let bomb = try Gzip.compress([UInt8](repeating: 0, count: 50 << 20))
        #expect(bomb.count < 64 * 1024)
        #expect(try await Self.post(bomb, limit: 64 * 1024).status == 413)
    }

    @Test func brokenAndOtherEncodingsAreRefused() async throws {
        let packed = try Gzip.compress(Self.text)
        #expect(try await Self.post(Array(packed.dropLast(9))).status == 400)
        #expect(try await Self.post(Self.text).status == 400)
        #expect(try await Self.post(packed, encoding: "br").status == 415)
        #expect(try await Self.post(Self.text, encoding: "identity").body == Self.text)
    }

    @Test func anySplitGivesTheSameBytes() throws {
        let packed = try Gzip.compress(Self.text)
        for size in [1, 7, packed.count] {
            let gunzip = try #require(Gunzip())
            var all: [UInt8] = []
            for start in stride(from: 0, to: packed.count, by: size) {
                gunzip.feed(Array(packed[start..<min(start + size, packed.count)]))
                while !gunzip.needsInput { all += try #require(gunzip.next()) }
            }
            #expect(all == Self.text && gunzip.isComplete)
        }
    }
}
