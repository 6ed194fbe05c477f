import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import JSON
import Logging
import Postgres
import PrivatePostgres
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// DATABASE_URL names servers that do not accept writes yet.
    struct DatabaseWaitTests {
        private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        @Test func serverAnswersMeanwhileAndServesOnceAStandbyIsPromoted() async throws {
            try await ScratchFolder.with { folder in
                let primary = try await LocalCluster.start(directory: "\(folder.path)/1", logger: Self.quiet)
                let standby = try await primary.startStandby(directory: "\(folder.path)/2")
                await primary.stop()
                let loop = try EventLoop(name: "waiting")
                defer { loop.stop() }
                let port = try ServeFixture.freePort()
                let server = try await BelfryProcess(
                    ["serve", "--port", "\(port)", "--state", "\(folder.path)/var"], in: folder,
                    environment: ["DATABASE_URL": primary.url(with: standby)], capturesErrors: true)
                let waiting = try await server.output(until: "answering with 503 meanwhile")
                #expect(waiting.contains("session is read-only"))

                let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
                try await withTaskExecutorPreference(loop) {
                    try await Self.check(address, on: loop)
                    try await standby.promote()
                    _ = try await server.output(until: "serving")
                    let client = try await HTTPClientConnection.connect(to: address, host: "localhost", on: loop)
                    #expect(try await client.send(.get, "/readyz").0.status == .ok)
                    await client.close()
                }
                // One line for the whole wait.
                #expect(
                    try server.outputSoFar().split(separator: "\n").count { $0.contains("waiting for the database") }
                        == 1)
                server.send(SIGTERM)
                #expect(try await server.ending().status == 0)
                await standby.stop()
            }
        }

        private static func check(_ address: SocketAddress, on loop: EventLoop) async throws {
            let client = try await HTTPClientConnection.connect(to: address, host: "localhost", on: loop)
            #expect(try await client.send(.get, "/healthz").0.status == .ok)
            for (method, path) in [(HTTPRequest.Method.get, "/readyz"), (.post, "/v1/apps/1/devices"), (.get, "/")] {
                let (answer, body) = try await client.send(method, path)
                #expect(answer.status == .serviceUnavailable)
                #expect(answer.headerFields[.retryAfter] != nil)
                let problem = try JSON(parsing: body)
                #expect(problem["code"] == "database-unavailable")
                #expect(String(decoding: body, as: UTF8.self).contains("No database server accepts writes"))
            }
            await client.close()
        }

        @Test func wrongPasswordIsAnErrorAndNoReasonToWait() async throws {
            try await ScratchFolder.with { folder in
                let cluster = try await LocalCluster.start(directory: "\(folder.path)/1", logger: Self.quiet)
                let ending = try await BelfryProcess(
                    ["work", "--state", "\(folder.path)/var"], in: folder,
                    environment: ["DATABASE_URL": cluster.url.replacing("user=belfry", with: "user=nobody&password=x")],
                    capturesErrors: true
                ).ending()
                #expect(ending.status != 0)
                #expect(ending.output.contains("nobody"))
                await cluster.stop()
            }
        }
    }
}
