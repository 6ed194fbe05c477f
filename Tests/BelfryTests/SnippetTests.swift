import Crypto
import EventLoop
import Foundation
import HTTPTypes
import JSON
import Notifications
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// Runs the examples of Docs/sdk.md against `belfry serve`.
    @Suite struct SnippetTests {
        private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

        private static func blocks(_ language: String) throws -> [String] {
            let docs = tests.appending(path: "../../Docs/sdk.md").standardized
            let text = try String(contentsOf: docs, encoding: .utf8)
            return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
                $0.components(separatedBy: "\n```").first
            }
        }

        @Test func examplesDoWhatTheySay() async throws {
            try await ScratchFolder.with { folder in
                // A server that accepts connections and sends nothing: no push gets an answer.
                let silence = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
                defer { silence.close() }
                let port = try #require(try silence.localAddress().port)
                let file = folder.appending(path: "key.p8").path
                try TextFile.write(try SigningKey.generate().pem, to: file)
                try await ServeFixture.with(
                    in: folder, serve: ["--apns-host", "localhost", "--apns-port", "\(port)"],
                    app: ["--p8", file, "--key-id", "ABCDEFGHIJ", "--team-id", "KLMNOPQRST"]
                ) { served in
                    let environment = try await Self.prepare(served)
                    try await Self.run("/bin/bash", ["-euc", try #require(try Self.blocks("sh").first)], environment)
                    #expect(try await served.send(.get, "/devices/phone-1", nil)["user_id"] == .null)
                    let ada = try await served.send(.get, "/people/ada", nil)
                    #expect(ada["attributes"] == ["first_name": "Ada"] && ada["devices"] == [])

                    let python = try #require(try Self.blocks("python").first)
                    try await Self.run("/usr/bin/python3", ["-c", python], environment)
                    #expect(try await served.send(.get, "/people/grace", nil)["tags"] == ["vip"])
                    // The first, by curl, found nobody.
                    let runs = try await served.send(.get, "/runs", nil)["data"]?.elements ?? []
                    #expect(runs.count == 1 && runs.first?["targeted"] != nil)

                    try await Self.runSwift(served, environment)
                    let push = try await served.send(.get, "/pushes/\(environment["MESSAGE_ID"] ?? "")", nil)
                    let device = push["devices"]?.elements.first
                    #expect(device?["opened_at"] != .null && device?["delivered_at"] != .null)
                }
            }
        }

        /// The example is this test's own source, so it is compiled and run.
        @Test func swiftExampleIsTheCompiledOne() throws {
            let source = try String(
                contentsOf: Self.tests.appending(path: "SampleClient.swift"), encoding: .utf8)
            #expect(try Self.blocks("swift") == [source.trimmingCharacters(in: .newlines)])
        }

        /// The table of Docs/sdk.md.
        @Test func swiftExampleDoesWhatTheTableSays() {
            func next(_ status: Int, _ answer: [String: Any] = [:], after seconds: Double? = nil) -> SampleClient.Next {
                SampleClient.next(status, answer, retryAfter: seconds)
            }
            #expect(next(200, ["registered": true]) == .goOn && next(200, ["registered": false]) == .registerAgain)
            #expect(next(404, ["code": "device-not-found"]) == .registerAgain && next(404) == .drop)
            for status in [400, 413, 415, 422] { #expect(next(status) == .drop) }
            for status in [401, 403] { #expect(next(status) == .waitForUpdate) }
            for status in [408, 429, 500, 503] { #expect(next(status) == .tryAgain(after: nil)) }
            #expect(next(429, after: 7) == .tryAgain(after: 7))
        }

        /// A triggered campaign, a push to acknowledge, and the keys.
        private static func prepare(_ served: ServeFixture) async throws -> [String: String] {
            let key = try await served.send(.post, "/keys", ["name": "phones", "kind": "publishable"])
            let campaign = try await served.send(
                .post, "/campaigns",
                ["name": "Order", "payload": ["aps": ["alert": "Thanks"]], "schedule": ["kind": "triggered"]])
            let id = try #require(campaign["id"]?.text)
            _ = try await served.send(.post, "/campaigns/\(id)/schedule", nil)
            _ = try await served.send(
                .put, "/devices/old",
                ["token": .string(String(repeating: "ab", count: 32)), "environment": "production", "user_id": "eve"])
            let push = try await served.send(
                .post, "/pushes", ["user_ids": ["eve"], "payload": ["aps": ["alert": "Hello"]]])
            return [
                "API": "\(served.url)/v1/apps/\(served.app)", "SECRET": served.key, "CAMPAIGN": id,
                "PUBLISHABLE": try #require(key["key"]?.text),
                "MESSAGE_ID": try #require(push["devices"]?.elements.first?["message_id"]?.text),
            ]
        }

        private static func runSwift(_ served: ServeFixture, _ environment: [String: String]) async throws {
            let client = SampleClient(
                api: try #require(URL(string: environment["API"] ?? "")),
                publishableKey: environment["PUBLISHABLE"] ?? "", installation: "phone-3")
            let token = Data(repeating: 7, count: 32)
            let now = Date()
            let registered = try await client.register(
                token: token, isDevelopment: true, authorizationStatus: "denied", userID: "linus", firstName: "Linus",
                sentAt: now)
            #expect(registered == .goOn)
            let device = try await served.send(.get, "/devices/phone-3", nil)
            #expect(device["environment"] == "development" && device["user_id"] == "linus")
            #expect(device["authorization_status"] == "denied")
            #expect(device["person"]?["attributes"] == ["first_name": "Linus"])
            let event = SampleClient.Event(
                messageID: environment["MESSAGE_ID"] ?? "", kind: "opened", at: Date())
            #expect(try await client.acknowledge([event]) == .goOn)
            // More than one body may have: sent in halves.
            #expect(try await client.acknowledge(Array(repeating: event, count: 1_500)) == .goOn)
            // One that was sent before the login, and one of somebody else.
            #expect(try await client.logOut("linus", sentAt: now.addingTimeInterval(-1)) == .goOn)
            #expect(try await client.logOut("ada", sentAt: now.addingTimeInterval(1)) == .goOn)
            #expect(try await served.send(.get, "/devices/phone-3", nil)["user_id"] == "linus")
            #expect(try await client.logOut("linus", sentAt: now.addingTimeInterval(2)) == .goOn)
            let stranger = SampleClient(api: client.api, publishableKey: "bfp_wrong", installation: "phone-3")
            #expect(try await stranger.acknowledge([event]) == .waitForUpdate)
            #expect(try await served.send(.get, "/devices/phone-3", nil)["user_id"] == .null)
        }

        private static func run(
            _ program: String, _ arguments: [String], _ environment: [String: String]
        ) async throws {
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            let status = try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Int32, any Error>) in
                process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch { ended.resume(throwing: error) }
            }
            let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            #expect(status == 0, "\(program): \(text)")
        }
    }
}
