import EventLoop
import Foundation
import HTTP2
import Testing

/// Our client against a server that is not ours.
@Suite(.timeLimit(.minutes(10)))
struct NghttpdTests {
    private static let program = "/usr/sbin/nghttpd"

    /// nghttpd without TLS that sends back what it gets.
    private func withNghttpd(
        _ options: [String], _ body: @Sendable (isolated ConnectionPair) async throws -> Void
    ) async throws {
        try #require(FileManager.default.isExecutableFile(atPath: Self.program), "nghttpd is not installed")
        let reserved = try Socket.reserve(#require(SocketAddress(ip: "127.0.0.1", port: 0)))
        defer { reserved.close() }
        let address = try reserved.localAddress()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["--no-tls", "--address=127.0.0.1", "--echo-upload"] + options + ["\(address.port ?? 0)"]
        try process.run()
        defer {
            // A child of one of Swift's threads has SIGTERM blocked.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try await withLink { link in
            try await link.connectWhenListening(address)
            try await body(link)
        }
    }

    @Test func bodiesComeBackWhole() async throws {
        try await withNghttpd(["-w", "10", "-W", "16"]) { link in
            let body = pattern(300_000)
            link.request(0..<3, headers: [("content-type", "text/plain")], body: body)

            for tag in 0..<3 {
                let response = await link.response(tag)
                #expect(response.headers[":status"] == "200")
                #expect(response.body == body)
            }
        }
    }

    @Test func manyRequestsKeepItsLimit() async throws {
        try await withNghttpd(["-m", "7"]) { link in
            await link.until(link.client) { $0.settingsCount > 0 }
            #expect(link.client.session?.peerMaxConcurrentStreams == 7)
            link.request(0..<2_000, body: pattern(100))

            for tag in 0..<2_000 { #expect(await link.response(tag).body == pattern(100)) }
        }
    }

    @Test func pingIsAnswered() async throws {
        try await withNghttpd([]) { link in
            link.client.session?.submitPing()
            link.client.session?.flush()
            await link.until(link.client) { $0.pongs == 1 }
        }
    }
}

extension ConnectionPair {
    /// Retries until the program listens, because it does not report when it does.
    func connectWhenListening(_ address: SocketAddress) async throws {
        for _ in 0..<250 {
            do {
                return try await connect(to: address)
            } catch let error as SystemError where error.code == ECONNREFUSED {
                try await loop.sleep(for: .milliseconds(20))
            }
        }
        try await connect(to: address)
    }
}
