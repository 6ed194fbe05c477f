import EventLoop
import Foundation
import Logging
import Notifications
import Postgres
import Testing

@testable import Belfry

extension BelfrySuite {
    /// `belfry import` against `belfry serve`, on a database in the folder.
    @Suite struct ImportTests {
        private struct World {
            let folder: URL
            let url: String
            let key: String
            let app: String

            func importing(_ file: String, _ text: String, _ more: [String] = []) async throws -> BelfryProcess.Ending {
                try text.write(to: folder.appending(path: file), atomically: true, encoding: .utf8)
                let arguments = ["import", file, "--app", app, "--url", url] + more
                return try await BelfryProcess(arguments, in: folder, environment: ["BELFRY_API_KEY": key]).ending()
            }
        }

        private static func run(_ body: (World) async throws -> Void) async throws {
            try await ScratchFolder.with { folder in
                let loop = try EventLoop(name: "import-test")
                defer { loop.stop() }
                let cluster = try await LocalCluster.start(
                    directory: folder.appending(path: "postgres").path, logger: Logger(label: "test"))
                let port = try freePort()
                let environment = ["DATABASE_URL": cluster.url, "BELFRY_LOG_LEVEL": "error"]
                func belfry(_ arguments: [String]) async throws -> BelfryProcess {
                    try await BelfryProcess(arguments, in: folder, environment: environment)
                }
                func output(_ arguments: [String]) async throws -> String {
                    let ending = try await belfry(arguments).ending()
                    #expect(ending.status == 0)
                    return ending.output
                }
                let made = try await output(["app", "create", "--name", "x", "--bundle-id", "com.example.x"])
                let app = try #require(made.split(separator: " ").dropFirst().first)
                let key = try await output(["key", "create", "--name", "x"]).trimmed
                let server = try await belfry(["serve", "--port", "\(port)"])
                let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
                try await withTaskExecutorPreference(loop) { try await waitUntilUp(address, on: loop) }
                let world = World(
                    folder: folder, url: "http://127.0.0.1:\(port)", key: key, app: String(app))
                let result: Result<Void, any Error>
                do { result = .success(try await body(world)) } catch { result = .failure(error) }
                server.send(SIGTERM)
                _ = try await server.ending()
                await cluster.stop()
                try result.get()
            }
        }

        private static func freePort() throws -> UInt16 {
            let socket = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
            defer { socket.close() }
            return try #require(try socket.localAddress().port)
        }

        private static func waitUntilUp(_ address: SocketAddress, on loop: EventLoop) async throws {
            while true {
                do throws(SystemError) {
                    try await Socket.connect(to: address, on: loop, timeout: .seconds(5)).close()
                    return
                } catch {
                    try await loop.sleep(for: .milliseconds(50))
                }
            }
        }

        @Test func fileIsImportedAndRefusedLinesAreToldWithTheExitStatus() async throws {
            try await Self.run { world in
                let lines = (1...3_000).map { "i\($0),\(String($0 + 4_096, radix: 16)),production" }
                let header = "installation,token,environment\n"
                let good = try await world.importing("good.csv", header + lines.joined(separator: "\n"))
                #expect(good.status == 0)
                #expect(good.output.contains("stored   3,000") && good.output.contains("refused  0"))

                let bad = try await world.importing(
                    "bad.jsonl", "{\"installation\":\"i1\"}\n{}\n", ["--report", "report.json"])
                #expect(bad.status == 1)
                #expect(bad.output.contains("stored   1") && bad.output.contains("line 2: installation must say"))
                let report = try JSON(
                    parsing: [UInt8](Data(contentsOf: world.folder.appending(path: "report.json"))))
                #expect(report["refused"] == 1)

                // Refused as a whole, and before it starts.
                #expect(try await world.importing("odd.csv", "tokn\n").status == 1)
                #expect(try await world.importing("odd.txt", "").status == 64)
                #expect(try await world.importing("odd.csv", "", ["--url", "http://127.0.0.1:1"]).status == 1)
            }
        }
    }
}

struct ImportProgressTests {
    private static let start = MonotonicTime(nanoseconds: 0)

    @Test func terminalGetsABarAFewTimesASecond() {
        var progress = ImportProgress(size: 1_000, isLive: true, now: Self.start)
        progress.took(Array(repeating: UInt8(ascii: "\n"), count: 250))
        #expect(progress.line(now: Self.start + .milliseconds(199)) == nil)
        #expect(
            progress.line(now: Self.start + .seconds(1))
                == "[#######-----------------------]  25 %  about 250 lines, 250/s, 3 s left")
        #expect(progress.line(now: Self.start + .milliseconds(1_100)) == nil)
    }

    @Test func othersGetALineForEachTenPercent() {
        var progress = ImportProgress(size: 1_000, isLive: false, now: Self.start)
        var lines: [String] = []
        for step in 1...20 {
            progress.took(Array(repeating: UInt8(ascii: "\n"), count: 50))
            if let line = progress.line(now: Self.start + .seconds(step)) { lines.append(line) }
        }
        #expect(lines.count == 10)
        #expect(lines.first == "10 %  about 100 lines, 50/s")
        #expect(lines.last == "100 %  about 1,000 lines, 50/s")
    }

    @Test func numbersAreGrouped() {
        #expect([0, 999, 1_000, 1_234_567].map(\.grouped) == ["0", "999", "1,000", "1,234,567"])
    }
}
