import EventLoop
import HTTPClient
import HTTPTypes
import Testing

@testable import HTTPServer

/// Tests of bodies that are uploaded in pieces.
struct UploadTests {
    private static let pieceSize = 64 * 1024

    /// A source of a number of pieces that counts how many were requested.
    private final class Source: Sendable {
        let count: Int
        let asked = Lock(0)

        init(_ count: Int) {
            self.count = count
        }

        var length: Int { count * pieceSize }

        func next() -> [UInt8]? {
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            return number <= count ? [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: pieceSize) : nil
        }
    }

    @Test func piecesArriveCompletelyAndTheConnectionIsReused() async throws {
        var router = Router(logger: LiveServer.quiet)
        router.add(.post, "/", bodyLimit: .max) { request in
            var (count, sum) = (0, 0)
            for try await piece in request.body {
                count += piece.count
                sum += piece.reduce(0) { $0 + Int($1) }
            }
            return .text("\(count) \(sum)")
        }
        try await LiveServer.run(router) { live in
            let client = try await live.client()
            for number in [40, 0, 3] {
                let source = Source(number)
                let (head, body) = try await client.upload(.post, "/", length: source.length) { source.next() }
                #expect(head.status == .ok)
                let sum = (1...max(number, 1)).reduce(0, +) * (number == 0 ? 0 : Self.pieceSize)
                #expect(String(decoding: body, as: UTF8.self) == "\(source.length) \(sum)")
            }
            #expect(await client.isOpen)
            await client.close()
        }
    }

    @Test func piecesAreRequestedOnlyAsTheServerReads() async throws {
        let gate = Gate()
        let begun = Gate()
        var router = Router(logger: LiveServer.quiet)
        router.add(.post, "/", bodyLimit: .max) { request in
            begun.open()
            await gate.wait()
            var count = 0
            for try await piece in request.body { count += piece.count }
            return .text("\(count)")
        }
        try await LiveServer.run(router) { live in
            let client = try await live.client()
            // More than fits into the socket buffers of both sides.
            let source = Source(2_000)
            async let answer = client.upload(.post, "/", length: source.length) { source.next() }
            await begun.wait()
            var asked = 0
            // The client stops when its socket is full.
            repeat {
                asked = source.asked.withLock(\.self)
                try await live.loop.sleep(for: .milliseconds(50))
            } while source.asked.withLock(\.self) > asked
            #expect(asked < 1_000)
            gate.open()
            #expect(String(decoding: try await answer.1, as: UTF8.self) == "\(source.length)")
            await client.close()
        }
    }

    @Test func earlyRejectionEndsTheUpload() async throws {
        var router = Router(logger: LiveServer.quiet)
        router.add(.post, "/", bodyLimit: 1_000) { _ in .text("never") }
        try await LiveServer.run(router) { live in
            let client = try await live.client()
            let source = Source(2_000)
            let (head, _) = try await client.upload(.post, "/", length: source.length) { source.next() }
            #expect(head.status == .contentTooLarge)
            #expect(source.asked.withLock(\.self) < 1_000)
            #expect(await !client.isOpen)
        }
    }

    @Test func sourceThatFailsOrEndsEarlyFailsTheRequest() async throws {
        struct Broken: Error {}
        var router = Router(logger: LiveServer.quiet)
        router.add(.post, "/", bodyLimit: .max) { request in .text("\(try await request.body.collect().count)") }
        try await LiveServer.run(router) { live in
            let first = try await live.client()
            await #expect(throws: Broken.self) { try await first.upload(.post, "/", length: 10) { throw Broken() } }
            #expect(await !first.isOpen)
            let second = try await live.client()
            let short = Source(1)
            await #expect(throws: HTTPClientError.self) {
                try await second.upload(.post, "/", length: short.length + 1) { short.next() }
            }
            #expect(await !second.isOpen)
        }
    }
}
