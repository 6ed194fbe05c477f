import EventLoop
import HTTPClient
import HTTPTypes
import Testing

@testable import HTTPServer

struct HTTPServerTests {
    private func makeRouter() -> Router {
        var router = Router(logger: LiveServer.quiet)
        router.add(.get, "/hello/{name}") { .text("hello \($0.parameters["name"] ?? "")") }
        router.add(.post, "/echo", bodyLimit: 1_000) { request in
            Response(body: .bytes(try await request.body.collect()))
        }
        router.add(.post, "/ignore") { _ in .text("ignored") }
        router.add(.get, "/big") { _ in Response(body: .bytes([UInt8](repeating: 65, count: 3_000_000))) }
        router.add(.get, "/stream") { _ in
            Response(
                body: .stream { writer in for number in 0..<5 { try await writer.write("piece \(number)\n") } })
        }
        return router
    }

    private static let get = "GET /hello/a HTTP/1.1\r\nHost: a\r\n\r\n"

    // MARK: Requests and answers

    @Test func persistentConnectionAnswersManyRequests() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let client = try await live.client()
            for number in 0..<10 {
                let (head, body) = try await client.send(.get, "/hello/\(number)")
                #expect(head.status == .ok)
                #expect(String(decoding: body, as: UTF8.self) == "hello \(number)")
                #expect(head.headerFields[.date]?.hasSuffix("GMT") == true)
            }
            await client.close()
        }
    }

    @Test func hundredPipelinedRequestsAreAnsweredInOrder() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let requests = (0..<100).map { "GET /hello/n\($0)n HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
            let last = "GET /hello/last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let text = try await live.exchange(requests + last)
            let bodies = text.split(separator: "\r\n").filter { $0.hasPrefix("hello ") }
            // Each body is followed by the next status line.
            #expect(text.components(of: "HTTP/1.1 200 OK") == 101)
            #expect(bodies.count == 101)
            for (number, body) in bodies.dropLast().enumerated() { #expect(body.hasPrefix("hello n\(number)n")) }
        }
    }

    @Test func pipelinedAnswerDoesNotWaitForTheNextHandler() async throws {
        let gate = Gate()
        var router = makeRouter()
        router.add(.get, "/slow") { _ in
            await gate.wait()
            return .text("slow")
        }
        try await LiveServer.run(router) { live in
            let raw = try await RawConnection(to: live.address, on: live.loop)
            defer { raw.close() }
            try await raw.write(Self.get + "GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await raw.read(through: "hello a").hasSuffix("hello a"))
            gate.open()
            #expect(try await raw.readToEnd().hasSuffix("slow"))
        }
    }

    @Test func clientPipelinesConcurrentRequests() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let client = try await live.client()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let (_, body) = try await client.send(.get, "/hello/\(number)")
                        #expect(String(decoding: body, as: UTF8.self) == "hello \(number)")
                    }
                }
                try await group.waitForAll()
            }
            await client.close()
        }
    }

    @Test func headResponseHasLengthAndNoBody() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let text = try await live.exchange("HEAD /hello/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(text.contains("Content-Length: 7\r\n"))
            #expect(text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func largeBodiesArriveWhole() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let client = try await live.client()
            let (_, body) = try await client.send(.get, "/big", bodyLimit: 3_000_000)
            #expect(body.count == 3_000_000)
            await client.close()
        }
    }

    @Test func streamOfKnownLengthHasContentLength() async throws {
        var router = Router(logger: LiveServer.quiet)
        router.add(.get, "/sized") { _ in
            Response(
                body: .sizedStream(300_000) { writer in
                    for _ in 0..<3 { try await writer.write([UInt8](repeating: 7, count: 100_000)) }
                })
        }
        router.add(.get, "/short") { _ in
            Response(body: .sizedStream(10) { try await $0.write("short") })
        }
        try await LiveServer.run(router) { live in
            let client = try await live.client()
            for _ in 0..<2 {
                let (head, body) = try await client.send(.get, "/sized")
                #expect(head.headerFields[.contentLength] == "300000")
                #expect(head.headerFields[.transferEncoding] == nil)
                #expect(body == [UInt8](repeating: 7, count: 300_000))
            }
            let (head, body) = try await client.send(.head, "/sized")
            #expect(head.headerFields[.contentLength] == "300000")
            #expect(body.isEmpty)
            // An incomplete body must not look complete.
            await #expect(throws: HTTPClientError.self) { try await client.send(.get, "/short") }
            await client.close()
        }
    }

    @Test func streamedBodyIsChunkedAndForHTTP10EndsWithTheConnection() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let client = try await live.client()
            let (head, body) = try await client.send(.get, "/stream")
            #expect(head.headerFields[.transferEncoding] == "chunked")
            #expect(body.count == 40)
            await client.close()
            let old = try await live.exchange("GET /stream HTTP/1.0\r\n\r\n")
            #expect(!old.contains("chunked") && old.hasSuffix("piece 4\n"))
        }
    }

    @Test func halfClosedClientStillGetsItsAnswer() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let raw = try await RawConnection(to: live.address, on: live.loop)
            defer { raw.close() }
            try await raw.write(Self.get)
            raw.shutdownWriting()
            #expect(try await raw.readToEnd().hasSuffix("hello a"))
        }
    }

    // MARK: Bodies

    @Test func bodyLimitIsEnforced() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let client = try await live.client()
            let (head, body) = try await client.send(.post, "/echo", body: [UInt8](repeating: 1, count: 1_000))
            #expect(head.status == .ok && body.count == 1_000)
            await client.close()
            func post(_ rest: String) async throws -> String {
                try await live.exchange("POST /echo HTTP/1.1\r\nHost: a\r\n\(rest)")
            }
            let chunk = "3e8\r\n" + String(repeating: "a", count: 1_000) + "\r\n"
            let chunked = "Transfer-Encoding: chunked\r\n\r\n" + chunk
            let declared = try await post("Content-Length: 1001\r\n\r\n")
            #expect(declared.status == 413 && declared.contains("Connection: close\r\n"))
            #expect(try await post(chunked + "1\r\na\r\n0\r\n\r\n").status == 413)
            #expect(try await post("Connection: close\r\n" + chunked + "0\r\n\r\n").status == 200)
        }
    }

    @Test func continueIsSentWhenTheBodyIsWanted() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let raw = try await RawConnection(to: live.address, on: live.loop)
            defer { raw.close() }
            try await raw.write(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
            )
            #expect(try await raw.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await raw.write("hi")
            #expect(try await raw.readToEnd().hasSuffix("\r\n\r\nhi"))
        }
    }

    @Test func continueIsNotSentWhenTheBodyIsRejected() async throws {
        try await LiveServer.run(makeRouter()) { live in
            for path in ["/echo", "/nothing", "/ignore"] {
                let text = try await live.exchange(
                    "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\nExpect: 100-continue\r\n\r\n")
                #expect(!text.contains("100 Continue"))
                #expect(text.contains("Connection: close\r\n"))
            }
        }
    }

    @Test func unreadBodyIsDiscardedAndTheConnectionReused() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let client = try await live.client()
            for _ in 0..<3 {
                let (head, _) = try await client.send(.post, "/ignore", body: [UInt8](repeating: 1, count: 60_000))
                #expect(head.status == .ok)
            }
            #expect(await client.isOpen)
            await client.close()
        }
    }

    @Test func streamedRequestBodyIsNotReadAhead() async throws {
        let gate = Gate()
        var router = makeRouter()
        router.add(.post, "/slowly", bodyLimit: 100_000_000) { request in
            await gate.wait()
            var count = 0
            for try await piece in request.body {
                #expect(piece.count <= LoopResources.readSize)
                count += piece.count
            }
            return .text("\(count)")
        }
        try await LiveServer.run(router) { live in
            let client = try await live.client()
            async let answer = client.send(.post, "/slowly", body: [UInt8](repeating: 1, count: 20_000_000))
            gate.open()
            #expect(String(decoding: try await answer.1, as: UTF8.self) == "20000000")
            await client.close()
        }
    }

    // MARK: Rejections

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
        ("GET /hello/%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: x\r\n\r\n", 417),
    ])
    func invalidRequestIsAnsweredAndTheConnectionClosed(text: String, status: Int) async throws {
        try await LiveServer.run(makeRouter()) { live in
            // The next request must not be answered.
            let isBroken = !text.contains("%zz")
            let answer = try await live.exchange(text + (isBroken ? Self.get : Self.closing))
            #expect(answer.status == status)
            if isBroken {
                #expect(answer.contains("Connection: close\r\n"))
                #expect(answer.components(of: "HTTP/1.1 ") == 1)
                #expect(answer.contains("application/problem+json"))
            }
        }
    }

    private static let closing = "GET /hello/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test func incompleteBodyIsA400() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let raw = try await RawConnection(to: live.address, on: live.loop)
            defer { raw.close() }
            try await raw.write("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
            raw.shutdownWriting()
            #expect(try await raw.readToEnd().status == 400)
        }
    }

    // MARK: Deadlines

    @Test func slowHeaderIsA408() async throws {
        try await LiveServer.run(makeRouter(), configure: { $0.headerDeadline = .seconds(2) }) { live in
            let late = try await live.exchange("GET / HTTP/1.1\r\nHost: a\r\nX-A: ")
            #expect(late.status == 408)
            // There was no request, so there is no response.
            let silent = try await live.exchange("")
            #expect(silent == "")
        }
    }

    @Test func slowBodyIsA408() async throws {
        try await LiveServer.run(makeRouter(), configure: { $0.bodyProgressDeadline = .milliseconds(100) }) { live in
            let text = try await live.exchange("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf")
            #expect(text.status == 408 && text.contains("Connection: close\r\n"))
        }
    }

    @Test func idleConnectionIsClosed() async throws {
        try await LiveServer.run(makeRouter(), configure: { $0.idleDeadline = .milliseconds(100) }) { live in
            let text = try await live.exchange(Self.get)
            #expect(text.hasSuffix("hello a"))
        }
    }

    @Test func clientThatDoesNotReadIsClosed() async throws {
        let gate = Gate()
        var router = makeRouter()
        router.add(.get, "/endless") { _ in
            Response(
                body: .stream { writer in
                    defer { gate.open() }
                    while true { try await writer.write([UInt8](repeating: 1, count: 65_536)) }
                })
        }
        try await LiveServer.run(router, configure: { $0.writeDeadline = .milliseconds(100) }) { live in
            let raw = try await RawConnection(to: live.address, on: live.loop)
            defer { raw.close() }
            try await raw.write("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
            await gate.wait()
        }
    }

    // MARK: Connections

    @Test func connectionLimitsAreEnforced() async throws {
        for isPerAddress in [false, true] {
            try await LiveServer.run(
                makeRouter(),
                configure: {
                    if isPerAddress { $0.maximumConnectionsPerAddress = 2 } else { $0.maximumConnections = 2 }
                }
            ) { live in
                let one = try await live.client()
                let two = try await live.client()
                #expect(try await one.send(.get, "/hello/a").0.status == .ok)
                #expect(try await two.send(.get, "/hello/a").0.status == .ok)
                let refused = try await live.exchange(Self.get)
                #expect(refused.status == 503 && refused.contains("Connection: close\r\n"))
                await one.close()
                await two.close()
            }
        }
    }

    @Test func requestsPerConnectionAreLimited() async throws {
        try await LiveServer.run(makeRouter(), configure: { $0.maximumRequestsPerConnection = 2 }) { live in
            let text = try await live.exchange(Self.get + Self.get + Self.get)
            #expect(text.components(of: "200 OK") == 2)
            #expect(text.components(of: "Connection: close\r\n") == 1)
        }
    }

    // MARK: Drain

    @Test func drainFinishesRequestsAndClosesIdleConnections() async throws {
        let (started, release) = (Gate(), Gate())
        var router = makeRouter()
        router.add(.get, "/slow") { _ in
            started.open()
            await release.wait()
            return .text("slow")
        }
        // On one loop both connections are drained together.
        try await LiveServer.run(router, loops: 1) { live in
            let idle = try await RawConnection(to: live.address, on: live.loop)
            defer { idle.close() }
            try await idle.write(Self.get)
            _ = try await idle.read(through: "hello a")
            let busy = try await live.client()
            async let answer = busy.send(.get, "/slow")
            await started.wait()

            live.server.shutDown()

            #expect(try await idle.readToEnd() == "")
            release.open()
            let (head, body) = try await answer
            #expect(head.headerFields[.connection] == "close")
            #expect(String(decoding: body, as: UTF8.self) == "slow")
            await #expect(throws: HTTPClientError.self) { _ = try await live.client() }
        }
    }

    @Test func announcedEndClosesConnectionsWithTheirNextResponse() async throws {
        try await LiveServer.run(makeRouter(), loops: 1) { live in
            let kept = try await RawConnection(to: live.address, on: live.loop)
            defer { kept.close() }
            try await kept.write(Self.get)
            #expect(try await kept.read(through: "hello a").contains("Connection: close") == false)

            live.server.announceEnd()

            try await kept.write(Self.get)
            #expect(try await kept.readToEnd().contains("Connection: close\r\n"))
            // It still listens, and new connections end in the same way.
            let next = try await live.exchange(Self.get)
            #expect(next.status == 200 && next.contains("Connection: close\r\n"))
        }
    }

    /// A proxy may have sent a request on a connection that the server takes for idle.
    @Test func idleConnectionsOfAnAnnouncedEndAnswerOnceMore() async throws {
        try await LiveServer.run(makeRouter(), loops: 1, configure: { $0.idleGrace = .seconds(1_000) }) { live in
            let kept = try await RawConnection(to: live.address, on: live.loop)
            defer { kept.close() }
            try await kept.write(Self.get)
            _ = try await kept.read(through: "hello a")
            live.server.announceEnd()
            live.server.shutDown()
            // Listening has ended.
            await #expect(throws: HTTPClientError.self) { _ = try await live.client() }

            try await kept.write(Self.get)
            let last = try await kept.readToEnd()
            #expect(last.status == 200 && last.contains("Connection: close\r\n"))
        }
    }

    @Test func idleConnectionsOfAnAnnouncedEndAreClosedAfterAMoment() async throws {
        try await LiveServer.run(makeRouter(), configure: { $0.idleGrace = .milliseconds(50) }) { live in
            let kept = try await RawConnection(to: live.address, on: live.loop)
            defer { kept.close() }
            try await kept.write(Self.get)
            _ = try await kept.read(through: "hello a")
            live.server.announceEnd()
            live.server.shutDown()
            #expect(try await kept.readToEnd() == "")
        }
    }

    @Test func drainDeadlineClosesUnfinishedConnections() async throws {
        let started = Gate()
        var router = makeRouter()
        router.add(.get, "/never") { request in
            started.open()
            try await request.loop.sleep(for: .seconds(1_000))
            return .text("never")
        }
        try await LiveServer.run(router, configure: { $0.drainDeadline = .milliseconds(100) }) { live in
            let client = try await live.client()
            async let answer = client.send(.get, "/never")
            await started.wait()
            live.server.shutDown()
            do {
                _ = try await answer
                Issue.record("there was an answer")
            } catch {
                #expect(error is HTTPClientError)
            }
        }
    }

    // MARK: Server-sent events

    @Test func eventsArriveAsTheyAreSentAndEndWithTheServer() async throws {
        let next = Gate()
        let ended = Gate()
        var router = makeRouter()
        router.add(.get, "/events") { _ in
            .events { sink in
                defer { ended.open() }
                try await sink.send(event: "progress", data: "one\ntwo", id: "1")
                await next.wait()
                try await sink.send(data: "three")
                await Gate().wait()
            }
        }
        try await LiveServer.run(router) { live in
            let client = try await live.client()
            let (head, body) = try await client.stream(.get, "/events")
            var pieces = body.makeAsyncIterator()
            #expect(head.headerFields[.contentType] == "text/event-stream")
            let first = try await pieces.next() ?? []
            #expect(
                String(decoding: first, as: UTF8.self) == "event: progress\nid: 1\ndata: one\ndata: two\n\n")
            next.open()
            #expect(String(decoding: try await pieces.next() ?? [], as: UTF8.self) == "data: three\n\n")

            live.server.shutDown()

            #expect(try await pieces.next() == nil)
            await ended.wait()
        }
    }

    @Test func eventsEndWhenTheClientLeaves() async throws {
        let ended = Gate()
        var router = makeRouter()
        router.add(.get, "/events") { _ in
            .events(keepAlive: .milliseconds(20)) { _ in
                defer { ended.open() }
                await Gate().wait()
            }
        }
        try await LiveServer.run(router) { live in
            let client = try await live.client()
            let (_, body) = try await client.stream(.get, "/events")
            var pieces = body.makeAsyncIterator()
            #expect(String(decoding: try await pieces.next() ?? [], as: UTF8.self).hasPrefix(": keep-alive\n\n"))
            await client.close()
            await ended.wait()
        }
    }

    // MARK: The client's pool

    @Test func poolReusesConnectionsAndReplacesClosedOnes() async throws {
        try await LiveServer.run(makeRouter(), configure: { $0.maximumRequestsPerConnection = 3 }) { live in
            let client = HTTPClient(loop: live.loop, host: "127.0.0.1", port: live.port, maximumConnections: 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let (_, body) = try await client.send(.get, "/hello/\(number)")
                        #expect(String(decoding: body, as: UTF8.self) == "hello \(number)")
                    }
                }
                try await group.waitForAll()
            }
            await client.close()
        }
    }

    @Test func poolRejectsWaitersBeyondItsLimit() async throws {
        let (started, release) = (Gate(), Gate())
        var router = makeRouter()
        router.add(.get, "/slow") { _ in
            started.open()
            await release.wait()
            return .text("slow")
        }
        try await LiveServer.run(router) { live in
            let client = HTTPClient(
                loop: live.loop, host: "127.0.0.1", port: live.port, maximumConnections: 1, maximumWaiters: 0)
            async let first = client.send(.get, "/slow")
            await started.wait()
            await #expect(throws: HTTPClientError.self) { try await client.send(.get, "/hello/a") }
            release.open()
            let (head, _) = try await first
            #expect(head.status == .ok)
            await client.close()
        }
    }

    @Test func clientDeadlineEndsTheRequest() async throws {
        let release = Gate()
        var router = makeRouter()
        router.add(.get, "/slow") { _ in
            await release.wait()
            return .text("slow")
        }
        try await LiveServer.run(router) { live in
            let client = try await live.client()
            do {
                _ = try await client.send(.get, "/slow", deadline: .milliseconds(50))
                Issue.record("there was an answer")
            } catch {
                #expect("\(error)" == "\(HTTPClientError.timedOut)")
            }
            release.open()
        }
    }
}

extension String {
    /// The number of occurrences of `text`.
    fileprivate func components(of text: String) -> Int {
        var count = 0
        var rest = Array(utf8)[...]
        let wanted = Array(text.utf8)
        while rest.count >= wanted.count {
            if rest.starts(with: wanted) { count += 1 }
            rest = rest.dropFirst()
        }
        return count
    }
}
