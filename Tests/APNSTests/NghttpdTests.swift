import EventLoop
import Foundation
import Logging
import TLS
import TestSupport
import Testing

@testable import APNS

/// The client against nghttpd, an independent server.
@Suite(.timeLimit(.minutes(10)))
struct NghttpdTests {
    private static let program = "/usr/sbin/nghttpd"

    /// A client of an nghttpd with TLS.
    private func withNghttpd(_ options: [String], _ body: (APNSClient, Process) async throws -> Void) async throws {
        try #require(FileManager.default.isExecutableFile(atPath: Self.program), "nghttpd is not installed")
        let certificates = try Certificates()
        let own = try certificates.issue()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("belfry-apns-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch { print("\(folder.path) stays: \(error)") }
        }
        let (key, certificate) = (folder.appendingPathComponent("key.pem"), folder.appendingPathComponent("cert.pem"))
        try Data(own.keyPEM.utf8).write(to: key)
        try Data(own.certificatePEM.utf8).write(to: certificate)
        let reserved = try Socket.reserve(#require(SocketAddress(ip: "127.0.0.1", port: 0)))
        defer { reserved.close() }
        let port = try #require(try reserved.localAddress().port)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["--address=127.0.0.1"] + options + ["\(port)", key.path, certificate.path]
        try process.run()
        defer {
            // A child of one of Swift's threads has SIGTERM blocked.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try await TestLoop.run { loop in
            let client = try APNSClient(
                endpoint: APNSEndpoint(host: "127.0.0.1", port: port, trust: .pem(certificates.rootPEM)),
                tokens: try RenewingSource(), reasons: ReasonTable(), options: .short(), loop: loop, logger: .silent)
            try await body(client, process)
            await client.shutDown()
        }
    }

    /// Connects until it succeeds, since nghttpd does not report that it listens.
    private func send(_ window: PushWindow, with client: APNSClient) async throws {
        while window.unsentCount > 0, .now() < window.startDeadline {
            if case .unavailable = await client.send(window) { try await client.loop.sleep(for: .milliseconds(20)) }
        }
    }

    /// Its answers echo the payload: 200 with a body, which Apple never sends.
    @Test func pushesAreSentWithinItsLimit() async throws {
        try await withNghttpd(["--echo-upload", "-m", "7"]) { client, _ in
            let windows = try (0..<3).map { try APNSFixture.window($0 * 500..<($0 + 1) * 500) }
            for window in windows {
                try await send(window, with: client)
                #expect(window.acceptedCount == 500)
            }
            #expect(await client.windowSize == 7)
        }
    }

    @Test func notFoundIsAFaultOfTheRequest() async throws {
        try await withNghttpd([]) { client, _ in
            let window = try APNSFixture.window(0..<20)
            try await send(window, with: client)
            for index in 0..<20 {
                #expect(window.results[index].status == 404 && window.results[index].reason == 0)
                #expect(window.results[index].action == .fixRequest)
            }
        }
    }

    @Test func killedServerMakesPushesInFlightUnknown() async throws {
        try await withNghttpd(["--echo-upload"]) { client, process in
            let first = try APNSFixture.window(0..<100)
            try await send(first, with: client)
            #expect(first.acceptedCount == 100)
            // It is stopped, so that nothing is answered, and then killed.
            kill(process.processIdentifier, SIGSTOP)
            let second = try APNSFixture.window(100..<200)
            async let ending = client.send(second)
            while second.places(.inFlight).count < 100, .now() < second.startDeadline { await Task.yield() }
            kill(process.processIdentifier, SIGKILL)

            guard case .done = await ending else { throw Unexpected() }
            #expect(second.places(.connectionLost).count == 100)
            #expect(await client.connectionCount == 0)
        }
    }
}
