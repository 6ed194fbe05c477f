import Crypto
import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import JSON
import Logging
import Postgres
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// Secrets, tokens and personal values reach neither the logs of Belfry and its PostgreSQL, nor its error answers,
    /// nor records of what people did, at any log level. `DispatcherTests` has the same for Apple's failures.
    @Suite struct CanaryTests {
        /// Tables with records for people, once there are any: every row is searched.
        private static let recordTables = "%audit%"

        @Test func searchFindsEachCanary() throws {
            let canaries = try Canaries()
            let bytes = try Hex.decode(canaries.token)
            let texts = [
                canaries.apiKey, canaries.cookie, canaries.token.uppercased(), Base64URL.encode(bytes), "\(bytes)",
                canaries.p8, canaries.password, canaries.installation, canaries.userID, canaries.attribute,
            ]
            for text in texts { #expect(canaries.found(in: "before \(text) after").count == 1) }
            #expect(canaries.found(in: texts.joined(separator: " ")).count == texts.count)
        }

        @Test func noCanaryIsInALogAnErrorOrARecord() async throws {
            let canaries = try Canaries()
            try await ScratchFolder.with { folder in
                let apple = try await SimulatedApple(in: folder)
                try await ServeFixture.with(
                    in: folder, serve: apple.serve, app: apple.credential,
                    environment: ["BELFRY_LOG_LEVEL": "trace", "BELFRY_REQUEST_DEADLINE_SECONDS": "1"],
                    capturesErrors: true
                ) { served in
                    try await Self.sendPushes(canaries, served, apple)
                    let statuses = try await Self.walkRoutes(canaries, served)
                    // Not a vacuous search: requests were accepted and refused, and the server has logged.
                    #expect(statuses[2, default: 0] > 40 && statuses[4, default: 0] > 400 && statuses[5] == nil)
                    let output = try served.serverOutput()
                    #expect(output.contains("connection to APNs failed"))
                    #expect(canaries.found(in: output) == [])
                    #expect(canaries.found(in: try await Self.records(served)) == [])
                }
                let log = try String(contentsOf: folder.appending(path: "postgres/postgres.log"), encoding: .utf8)
                #expect(log.contains("database system is ready"))
                #expect(canaries.found(in: log) == [])
            }
        }

        /// A person with a device gets pushes, while Apple is there and when it is not.
        private static func sendPushes(
            _ canaries: Canaries, _ served: ServeFixture, _ apple: SimulatedApple
        ) async throws {
            _ = try await served.send(
                .put, "/devices/\(canaries.installation)",
                [
                    "token": .string(canaries.token), "environment": "production", "user_id": .string(canaries.userID),
                    "person": ["attributes": ["name": .string(canaries.attribute)]],
                ])
            _ = try await served.send(
                .post, "/credentials",
                [
                    "p8": .string(canaries.p8), "key_id": "CANARY1234", "team_id": "CANARY1234",
                    "environments": ["development"],
                ])
            let campaign = try await served.send(
                .post, "/campaigns", ["name": "x", "payload": ["aps": ["alert": "Hello {{ name }}"]]])
            let id = try #require(campaign["id"]?.text)
            _ = try await served.send(.post, "/campaigns/\(id)/start", nil)
            while try await served.send(.get, "/campaigns/\(id)", nil)["state"] != "sent" {
                try await Task.sleep(for: .milliseconds(20))
            }
            let push: JSON = ["user_ids": [.string(canaries.userID)], "payload": ["aps": ["alert": "Code {{ name }}"]]]
            _ = try await served.send(.post, "/pushes", push)
            apple.process.send(SIGKILL)
            _ = try await apple.process.ending()
            _ = try await served.send(.post, "/pushes", push)
            while !(try served.serverOutput().contains("connection to APNs failed")) {
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        /// Returns the number of answers by the first digit of their status.
        private static func walkRoutes(_ canaries: Canaries, _ served: ServeFixture) async throws -> [Int: Int] {
            let loop = try EventLoop(name: "canaries")
            defer { loop.stop() }
            return try await withTaskExecutorPreference(loop) {
                let client = HTTPClient(loop: loop, host: "127.0.0.1", port: served.port)
                let (_, document) = try await client.send(.get, "/openapi.json", bodyLimit: 1 << 22)
                let requests = CanaryRequests(canaries, key: served.key, document: try JSON(parsing: document))
                var statuses: [Int: Int] = [:]
                for request in try requests.all() {
                    let (head, body) = try await client.send(
                        request.method, request.path, headers: request.headers, body: request.body, bodyLimit: 1 << 22)
                    statuses[head.status.code / 100, default: 0] += 1
                    let text = String(decoding: body, as: UTF8.self) + "\(head.headerFields)"
                    // A successful answer may contain what its caller is allowed to read.
                    var allowed: Set<String> =
                        head.status.code < 400 ? ["token", "installation", "user ID", "attribute"] : []
                    // A preview shows the cells of the file that its caller sends, whatever they are.
                    if head.status.code < 400, request.path.contains("/devices/import/preview") {
                        allowed.formUnion([".p8 file", "password"])
                    }
                    #expect(
                        canaries.found(in: text, except: allowed) == [],
                        "\(request.method) \(request.path): \(head.status.code)")
                    #expect(head.status.code < 500, "\(request.method) \(request.path): \(text)")
                }
                await client.close()
                return statuses
            }
        }

        private static func records(_ served: ServeFixture) async throws -> String {
            let loop = try EventLoop(name: "records")
            defer { loop.stop() }
            return try await withTaskExecutorPreference(loop) {
                let logger = Logger(label: "test")
                let connection = try await PostgresConnection.connect(
                    PostgresConfiguration(served.databaseURL), on: loop, logger: logger)
                let tables = try await connection.query(
                    "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE \(recordTables)"
                )
                var text = ""
                for table in try tables.map({ try $0[0, as: String.self] }) {
                    let rows = try await connection.query("SELECT to_jsonb(t)::text FROM \(unescaped: table) AS t")
                    for row in rows { text += try row[0, as: String.self] + "\n" }
                }
                await connection.close()
                return text
            }
        }
    }
}
