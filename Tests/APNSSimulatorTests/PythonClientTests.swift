import Crypto
import EventLoop
import Foundation
import Logging
import Testing

@testable import APNSSimulator

/// Tests with third-party clients: httpx (h2) and aioapns, from the Python environment that Scripts/python-tools
/// creates, and nghttp.
@Suite(.timeLimit(.minutes(10)))
struct PythonClientTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let python =
        ProcessInfo.processInfo.environment["BELFRY_VENV"].map { $0 + "/bin/python" }
        ?? root.appendingPathComponent(".build/venv/bin/python").path
    private static let script = root.appendingPathComponent("Scripts/peers/simulator-peers.py").path
    static var hasPython: Bool { FileManager.default.isExecutableFile(atPath: python) }

    /// Runs a program next to the simulator. Returns its exit status and its output.
    private func run(_ program: String, _ arguments: [String]) async throws -> (Int32, String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return await withCheckedContinuation { continuation in
            // Reading blocks, so it runs on its own thread.
            Thread.detachNewThread {
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                continuation.resume(returning: (process.terminationStatus, text))
            }
        }
    }

    private func withServer(_ body: @Sendable @escaping (SimulatorServer, Provider, String) async throws -> Void)
        async throws
    {
        let provider = try Provider()
        var configuration = SimulatorConfiguration()
        configuration.keys = [provider.key()]
        let devices = DeviceTable()
        let gone = devices.add(
            token: [UInt8](repeating: 0xee, count: 32), environment: .production, topic: Provider.bundleID)
        devices.unregister(gone, at: Date(timeIntervalSince1970: 1_700_000_000))
        let loops = try EventLoopGroup(count: 1, name: "simulator")
        defer { loops.stop() }
        let server = try SimulatorServer(
            configuration: configuration, devices: devices, loops: loops, logger: Logger(label: "test"))
        try server.start()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("simulator-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        try server.certificatePEM.write(to: folder.appendingPathComponent("ca.pem"), atomically: true, encoding: .utf8)
        try provider.signingKey.pem.write(
            to: folder.appendingPathComponent("key.p8"), atomically: true, encoding: .utf8)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loops.loops[0]) { try await server.run() }
            try await body(server, provider, folder.path)
            group.cancelAll()
        }
    }

    @Test(.enabled(if: hasPython, "no Python environment: run Scripts/python-tools"), arguments: ["httpx", "aioapns"])
    func pythonClientsAreAnswered(client: String) async throws {
        try await withServer { server, provider, folder in
            let port = try #require(try server.port)
            let (status, text) = try await run(
                Self.python,
                [Self.script, client, "\(port)", folder, provider.keyID, provider.teamID, Provider.bundleID])

            #expect(status == 0, "\(text)")
            #expect(server.record.counts.accepted >= 100)
            #expect(server.record.counts.refused["Unregistered"] == 1)
        }
    }

    @Test func nghttpIsAnswered() async throws {
        let program = "/usr/bin/nghttp"
        try #require(FileManager.default.isExecutableFile(atPath: program), "nghttp is not installed")
        try await withServer { server, provider, folder in
            let port = try #require(try server.port)
            try #"{"aps":{"alert":"Hi"}}"#.write(toFile: folder + "/payload", atomically: true, encoding: .utf8)
            let (_, text) = try await run(
                program,
                [
                    "-v", "--no-dep", "-d", folder + "/payload", "-H", "authorization: bearer \(try provider.token())",
                    "-H", "apns-topic: \(Provider.bundleID)", "-H", "apns-id: \(PushRequest.id)", "-H",
                    "apns-push-type: alert", "-H", ":method: POST",
                    "https://localhost:\(port)/3/device/\(PushRequest.token)",
                ])

            #expect(text.contains(":status: 200"), "\(text)")
            #expect(text.contains("apns-id: \(PushRequest.id)"))
            #expect(text.contains("SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1]"))
            #expect(text.contains("SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1000]"))
            #expect(server.record.counts.accepted == 1)
        }
    }
}
