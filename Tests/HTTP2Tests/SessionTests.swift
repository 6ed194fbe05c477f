import EventLoop
import HTTP2
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SessionTests {
    /// The smaller the pieces, the shorter the bodies: each piece takes a turn of the loop.
    @Test(arguments: [(65_536, 20_000), (1, 1_000), (7, 7_000), (1_000, 20_000), (0, 20_000)])
    func bytesMayBeCutAnywhere(pieceSize: Int, bodySize: Int) async throws {
        try await withLink { link in
            // 0 means random sizes, the same in each run.
            var state: UInt64 = 42
            try link.connect {
                guard pieceSize == 0 else { return pieceSize }
                state = state &* 6_364_136_223_846_793_005 &+ 1
                return Int(state >> 33) % 300 + 1
            }
            let body = pattern(bodySize)
            link.request(0..<5, body: body)

            for tag in 0..<5 {
                let response = await link.response(tag)
                #expect(response.headers == [":status": "200", "x-path": "/\(tag)"])
                #expect(response.body == body)
                #expect(response.closed == .noError)
            }
        }
    }

    @Test func bodiesFlowThroughSmallWindowsBothWays() async throws {
        try await withLink { link in
            let small = HTTP2Settings(initialWindowSize: 1_000)
            try link.connect(client: small, server: small)
            let body = pattern(1_000_000)
            link.request(0..<3, body: body)

            for tag in 0..<3 { #expect(await link.response(tag).body == body) }
        }
    }

    @Test func requestsBeyondTheLimitWaitForTheirTurn() async throws {
        try await withLink { link in
            try link.connect(server: HTTP2Settings(maxConcurrentStreams: 2))
            await link.until(link.client) { $0.settingsCount == 1 }
            #expect(link.client.session?.peerMaxConcurrentStreams == 2)
            link.request(0..<20, body: [1])

            for tag in 0..<20 { #expect(await link.response(tag).headers[":status"] == "200") }
            #expect(link.server.mostOpen == 2)
        }
    }

    @Test func limitMayShrinkAndGrowWhileRunning() async throws {
        try await withLink { link in
            try link.connect(server: HTTP2Settings(maxConcurrentStreams: 10))
            await link.until(link.client) { $0.settingsCount == 1 }
            link.server.answers = false
            link.request(0..<10, body: [1])
            await link.until(link.server) { $0.messages.values.count(where: \.isComplete) == 10 }

            link.server.session?.submit(HTTP2Settings(maxConcurrentStreams: 1))
            link.server.session?.flush()
            await link.until(link.client) { $0.settingsCount == 2 }
            link.request(10..<15, body: [1])
            link.server.answers = true
            for tag in 0..<10 { link.server.answer(tag) }
            link.server.session?.flush()

            for tag in 0..<15 { #expect(await link.response(tag).closed == .noError) }
            link.server.session?.submit(HTTP2Settings(maxConcurrentStreams: 50))
            link.server.session?.flush()
            await link.until(link.client) { $0.settingsCount == 3 }
            #expect(link.client.session?.peerMaxConcurrentStreams == 50)
        }
    }

    @Test func requestsThatCrossALowerLimitAreRefusedAndNotLost() async throws {
        try await withLink { link in
            // Sent before the first SETTINGS are read: the client believes in 100 streams.
            try link.connect(server: HTTP2Settings(maxConcurrentStreams: 1))
            link.server.answers = false
            link.request(0..<3, body: [1])

            #expect(await link.response(1).closed == .refusedStream)
            #expect(await link.response(2).closed == .refusedStream)
            link.server.answer(0)
            link.server.session?.flush()
            #expect(await link.response(0).closed == .noError)
            #expect(link.server.messages.count == 1)
        }
    }

    @Test func goAwayRefusesWhatWasNotProcessed() async throws {
        try await withLink { link in
            try link.connect()
            link.server.answers = false
            link.request(0..<3, body: [1])
            await link.until(link.server) { $0.messages.values.count(where: \.isComplete) == 3 }
            link.server.session?.submitGoAway(lastStream: 1, code: .enhanceYourCalm, debugData: "calm")
            link.server.session?.flush()

            #expect(await link.response(1).closed == .refusedStream)
            #expect(await link.response(2).closed == .refusedStream)
            #expect(link.client.goAways == [.init(lastStream: 1, code: .enhanceYourCalm, debugData: "calm")])
            #expect(link.client.session?.allowsRequests == false)
            #expect(link.client.end == nil)

            link.server.answer(0)
            link.server.session?.flush()
            #expect(await link.response(0).headers[":status"] == "200")
            await link.until(link.client) { $0.end != nil }
            #expect(link.client.end == .closed)
        }
    }

    @Test func shutdownNoticeLeavesRequestsUnderWayAlone() async throws {
        try await withLink { link in
            try link.connect()
            link.server.answers = false
            link.request(0..<1, body: [1])
            await link.until(link.server) { $0.messages[0]?.isComplete == true }
            link.server.session?.submitShutdownNotice()
            link.server.session?.flush()
            await link.until(link.client) { $0.goAways.count == 1 }
            link.server.session?.submitGoAway(code: .noError)
            link.server.answer(0)
            link.server.session?.flush()

            #expect(await link.response(0).closed == .noError)
            #expect(link.client.goAways.map(\.lastStream) == [.max, 1])
        }
    }

    @Test func resetReportsItsCode() async throws {
        try await withLink { link in
            try link.connect()
            link.server.answers = false
            link.request(0..<2, body: [1])
            await link.until(link.server) { $0.messages[1]?.isComplete == true }
            link.server.session?.submitReset(stream: 1, code: .refusedStream)
            link.server.session?.flush()
            #expect(await link.response(0).closed == .refusedStream)

            link.client.session?.submitReset(stream: 3, code: .cancel)
            link.client.session?.flush()
            await link.until(link.server) { $0.messages[1]?.closed != nil }
            #expect(link.server.messages[1]?.closed == .cancel)
        }
    }

    @Test func pingIsAnswered() async throws {
        try await withLink { link in
            try link.connect()
            link.client.session?.submitPing()
            link.client.session?.flush()
            await link.until(link.client) { $0.pongs == 1 }
            #expect(link.server.pongs == 0)
        }
    }

    @Test func peerThatClosesEndsTheSession() async throws {
        try await withLink { link in
            try link.connect()
            link.server.answers = false
            link.request(0..<1, body: [1])
            await link.until(link.server) { $0.messages[0]?.isComplete == true }
            link.server.session?.close()
            await link.until(link.client) { $0.end != nil }
            #expect(link.client.end == .closed)
            #expect(link.server.end == nil)
        }
    }

    @Test(arguments: [HTTP2Session.Role.client, .server])
    func halfClosedPeerEndsTheSession(role: HTTP2Session.Role) async throws {
        try await withLink { link in
            let peer = try link.connect(role)
            peer.shutdownWriting()
            let log = role == .client ? link.client : link.server
            await link.until(log) { $0.end != nil }
            #expect(log.end == .closed)
            peer.close()
        }
    }

    @Test(arguments: [HTTP2Session.Role.client, .server])
    func garbageEndsTheSession(role: HTTP2Session.Role) async throws {
        try await withLink { link in
            let peer = try link.connect(role)
            let text = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\nand a few bytes more"
            _ = try Array(text.utf8).withUnsafeBytes { try peer.write($0) }
            let log = role == .client ? link.client : link.server
            // A frame that is too long or a wrong preface: said in a GOAWAY, then closed.
            await link.until(log) { $0.end != nil }
            peer.close()
        }
    }
}
