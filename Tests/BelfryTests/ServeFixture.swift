import EventLoop
import Foundation
import HTTPTypes
import JSON
import Logging
import Notifications
import Postgres
import PrivatePostgres
import TLS
import TestSupport
import Testing

@testable import Belfry

/// A `belfry serve` process with a database in the folder, an app and a secret key.
struct ServeFixture {
    let folder: URL
    let url: String
    let port: UInt16
    let key: String
    let app: String
    let databaseURL: String
    /// Starts a command with the server's database.
    let command: @Sendable ([String]) async throws -> BelfryProcess
    let address: SocketAddress
    let database: PostgresConfiguration
    private let api: APIClient
    let loop: EventLoop
    private let server: Lock<BelfryProcess>
    private let start: @Sendable () async throws -> BelfryProcess

    /// `settings` are flags of `serve`, `credential` flags of `app create`, `descriptors` limits of `BelfryProcess`. With
    /// `capturesErrors` the output of the server includes its log.
    static func with(
        in folder: URL, serve settings: [String] = [], app credential: [String] = [],
        environment more: [String: String] = [:], descriptors: String? = nil, capturesErrors: Bool = false,
        _ body: (ServeFixture) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "served")
        defer { loop.stop() }
        let cluster = try await LocalCluster.start(
            directory: folder.appending(path: "postgres").path, logger: Logger(label: "test"))
        let environment = ["DATABASE_URL": cluster.url, "BELFRY_LOG_LEVEL": "error", "BELFRY_DRAIN_SECONDS": "0"]
            .merging(more) { $1 }
        @Sendable func belfry(_ arguments: [String], capturesErrors: Bool = false) async throws -> BelfryProcess {
            try await BelfryProcess(
                arguments, in: folder, environment: environment, descriptors: descriptors,
                capturesErrors: capturesErrors)
        }
        func output(_ arguments: [String]) async throws -> String {
            let ending = try await belfry(arguments).ending()
            #expect(ending.status == 0, "\(arguments): \(ending)")
            return ending.output
        }
        let made = try await output(["app", "create", "--name", "x", "--bundle-id", "com.example.x"] + credential)
        let app = try #require(made.split(separator: " ").dropFirst().first)
        let key = try await output(["key", "create", "--name", "x"]).trimmed
        let port = try freePort()
        let url = "http://127.0.0.1:\(port)"
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
        let start = { @Sendable () async throws -> BelfryProcess in
            let server = try await belfry(["serve", "--port", "\(port)"] + settings, capturesErrors: capturesErrors)
            try await withTaskExecutorPreference(loop) { try await waitUntilUp(address, on: loop) }
            return server
        }
        let server = Lock(try await start())
        let api = try APIClient(url: url, trust: .systemRoots, key: key, on: loop)
        let result: Result<Void, any Error>
        do {
            try await body(
                ServeFixture(
                    folder: folder, url: url, port: port, key: key, app: String(app), databaseURL: cluster.url,
                    command: { try await belfry($0) }, address: address, database: cluster.configuration, api: api,
                    loop: loop,
                    server: server,
                    start: start))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await withTaskExecutorPreference(loop) { await api.close() }
        let last = server.withLock { $0 }
        last.send(SIGTERM)
        _ = try await last.ending()
        await cluster.stop()
        try result.get()
    }

    var process: BelfryProcess { server.withLock { $0 } }

    /// Kills the server and starts it again.
    func killAndStartAgain() async throws {
        let killed = server.withLock { $0 }
        killed.send(SIGKILL)
        _ = try await killed.ending()
        let next = try await start()
        server.withLock { $0 = next }
    }

    /// The text that the server has written to standard output, and to standard error with `capturesErrors`.
    func serverOutput() throws -> String { try server.withLock { $0 }.outputSoFar() }

    /// Runs a command that uses this server.
    func belfry(_ command: String, _ arguments: [String]) async throws -> BelfryProcess.Ending {
        let own = ["--app", app, "--url", url]
        return try await BelfryProcess([command] + own + arguments, in: folder, environment: ["BELFRY_API_KEY": key])
            .ending()
    }

    /// Sends a request to a path of the app and returns the answer.
    func send(_ method: HTTPRequest.Method, _ path: String, _ body: JSON?) async throws -> JSON {
        let (api, app) = (api, app)
        return try await withTaskExecutorPreference(loop) { try await api.send(method, "/v1/apps/\(app)\(path)", body) }
    }

    /// A port for a process that a test starts. It stays reserved until the tests end: otherwise a process or a
    /// connection of another test could get it before that process listens, or while it is started again.
    static func freePort() throws -> UInt16 {
        let reserved = try Socket.reserve(#require(SocketAddress(ip: "127.0.0.1", port: 0)))
        return try #require(try reserved.localAddress().port)
    }

    /// Registers this many devices, sends a campaign to them, and returns its run when it is over.
    func sendCampaign(toDevices count: Int) async throws -> JSON {
        for number in 0..<count {
            let token = String(repeating: "0", count: 64 - "\(number)".count) + "\(number)"
            _ = try await send(
                .put, "/devices/phone-\(number)", ["token": .string(token), "environment": "production"])
        }
        let campaign = try await send(
            .post, "/campaigns", ["name": "News", "payload": ["aps": ["alert": "Tonight at eight."]]])
        let id = try #require(campaign["id"]?.text)
        _ = try await send(.post, "/campaigns/\(id)/start", nil)
        while true {
            let run = try await send(.get, "/campaigns/\(id)/runs", nil)["data"]?.elements.first
            if let run, run["state"] == "finished", run["balanced"] == true { return run }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    static func waitUntilUp(_ address: SocketAddress, on loop: EventLoop) async throws {
        while true {
            do throws(SystemError) {
                try await Socket.connect(to: address, on: loop, timeout: .seconds(30)).close()
                return
            } catch {
                try await loop.sleep(for: .milliseconds(50))
            }
        }
    }
}
