import HTTPTypes
import Testing

@testable import EventLoop
@testable import HTTPServer

/// Middleware that reports its thread before and after the handler.
private struct Lookout: Middleware {
    let look: @Sendable (Request) -> Void

    func handle(
        _ request: Request, next: @escaping @Sendable (Request) async throws -> Response
    ) async throws -> Response {
        look(request)
        let response = try await next(request)
        look(request)
        return response
    }
}

@Suite(.timeLimit(.minutes(10)))
struct LoopAffinityTests {
    private static let requests = 50
    /// Checks around the handler, for each piece of the body, after each wait and around each write.
    private static let looksPerRequest = 2 + 2 + 2 + 3

    /// A request is parsed, routed, handled and answered on one thread, whatever the handler waits for.
    @Test func aRequestNeverLeavesItsLoop() async throws {
        let seen = Lock<(loop: EventLoop?, looks: Int, astray: Int)>((nil, 0, 0))
        let look: @Sendable (Request) -> Void = { request in
            seen.withLock { seen in
                seen.looks += 1
                if !request.loop.isCurrent || (seen.loop ?? request.loop) !== request.loop { seen.astray += 1 }
                seen.loop = request.loop
            }
        }
        let pieceWasRead = Gate()
        var router = Router(logger: LiveServer.quiet)
        router.add(Lookout(look: look))
        router.add(.post, "/walk/{name}") { request in
            for try await _ in request.body {
                look(request)
                pieceWasRead.open()
            }
            await Task.yield()
            look(request)
            try await request.loop.sleep(for: .milliseconds(1))
            look(request)
            return Response(
                body: .stream { writer in
                    look(request)
                    try await writer.write("one, ")
                    look(request)
                    try await writer.write("two")
                    look(request)
                })
        }
        try await LiveServer.run(router) { live in
            try await Self.onLoop { loop in
                let raw = try await RawConnection(to: live.address, on: loop)
                defer { raw.close() }
                func walk() async throws {
                    // The second piece is sent after the first was read, so the handler has waited for it.
                    try await raw.write("POST /walk/a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab")
                    await pieceWasRead.wait()
                    try await raw.write("cd")
                    await pieceWasRead.wait()
                    #expect(try await raw.read(through: "0\r\n\r\n").contains("two"))
                }
                try await walk()
                let server = try #require(seen.withLock(\.loop))
                #expect(server !== loop)
                let before = server.crossings
                for _ in 1..<Self.requests { try await walk() }
                #expect(server.crossings == before)
            }
        }
        #expect(seen.withLock(\.astray) == 0)
        #expect(seen.withLock(\.looks) == Self.requests * Self.looksPerRequest)
    }

    /// Runs `body` on a client's own loop. It is `@concurrent` so that it starts on that loop.
    private static func onLoop(_ body: @concurrent @Sendable (EventLoop) async throws -> Void) async throws {
        let loop = try EventLoop(name: "client")
        defer { loop.stop() }
        try await withTaskExecutorPreference(loop) { try await body(loop) }
    }
}
