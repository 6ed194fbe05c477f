import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import TLS
import Testing

@testable import HTTPServer

/// Tests with third-party programs: curl and openssl.
struct CommandLineClientTests {
    /// Runs a program, which must succeed, and returns its output. Waiting for it blocks, so it runs outside the loops,
    /// one of which serves the program.
    private static func output(_ arguments: [String]) async throws -> String {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await run(arguments) }
    }

    @concurrent
    private static func run(_ arguments: [String]) async throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(arguments)")
        return String(decoding: data, as: UTF8.self)
    }

    private func makeRouter() -> Router {
        var router = Router(logger: LiveServer.quiet)
        router.add(.post, "/echo", bodyLimit: 10_000_000) { .init(body: .bytes(try await $0.body.collect())) }
        router.add(.get, "/stream") { _ in
            Response(body: .stream { writer in for number in 0..<3 { try await writer.write("\(number)") } })
        }
        return router
    }

    @Test func curlUploadsAndDownloads() async throws {
        try await LiveServer.run(makeRouter()) { live in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("curl-\(UUID().uuidString)")
            let text = String(repeating: "0123456789", count: 200_000)
            try Data(text.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let url = "http://127.0.0.1:\(live.port)"
            // Large bodies make curl ask for 100-continue by itself.
            for options in [[], ["-H", "Transfer-Encoding: chunked"], ["-H", "Expect: 100-continue"], ["--http1.0"]] {
                let result = try await Self.output(
                    ["curl", "-sSf", "-m", "20"] + options + ["--data-binary", "@\(file.path)", "\(url)/echo"])
                #expect(result == text)
            }
            #expect(try await Self.output(["curl", "-sSf", "\(url)/stream", "\(url)/stream"]) == "012012")
            #expect(try await Self.output(["curl", "-sS", "-I", "\(url)/stream"]).hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test func curlAndHTTPClientAreServedOverTLS() async throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: base) }
        let (certificate, key) = (base.path + "/certificate.pem", base.path + "/key.pem")
        _ = try await Self.output([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ])
        let pem = try String(contentsOfFile: certificate, encoding: .utf8)
        let tls = try TLSContext.server(
            certificateChain: pem, privateKey: try String(contentsOfFile: key, encoding: .utf8), alpn: ["http/1.1"])
        try await LiveServer.run(makeRouter(), tls: tls) { live in
            let trusting = try TLSContext.client(trust: .pem(pem), alpn: ["http/1.1"])
            let client = try await live.client(trusting)
            let body = [UInt8](repeating: 7, count: 2_000_000)
            for _ in 0..<3 {
                let answer = try await client.send(.post, "/echo", body: body, bodyLimit: body.count)
                #expect(answer.1 == body)
            }
            await client.close()
            let text = try await Self.output([
                "curl", "-sSf", "-m", "20", "--cacert", certificate, "--resolve", "localhost:\(live.port):127.0.0.1",
                "https://localhost:\(live.port)/stream",
            ])
            #expect(text == "012")
            // A client without TLS gets no response and does not block others.
            #expect(!(try await live.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n").contains("HTTP")))
        }
    }
}
