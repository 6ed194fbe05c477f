import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import Logging
import Postgres
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    struct DescriptorTests {
        @Test func aServerWithoutDescriptorsAnswers503AndRecovers() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder, descriptors: "300:1024") { serve in
                    try await withTaskExecutorPreference(serve.loop) { try await checkExhaustion(of: serve) }
                }
            }
        }

        private func checkExhaustion(of serve: ServeFixture) async throws {
            let limits = try String(contentsOfFile: "/proc/\(serve.process.id)/limits", encoding: .utf8)
            #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max open files            1024 ") })
            let client = try await HTTPClientConnection.connect(to: serve.address, host: "localhost", on: serve.loop)
            #expect(try await client.send(.get, "/css/components.css").0.status == .ok)
            #expect(try await client.send(.get, "/readyz").0.status == .ok)

            try await serve.process.limitDescriptors(to: serve.process.lowestFreeDescriptor)
            let (busy, _) = try await client.send(.get, "/css/components.css")
            #expect(busy.status == .serviceUnavailable)
            #expect(busy.headerFields[.retryAfter] != nil)
            // A connection to the database that ended meanwhile would leave a descriptor for the client.
            try await serve.process.limitDescriptors(to: serve.process.lowestFreeDescriptor)
            let refusal = try await answerWithoutRequest(serve)
            #expect(refusal.hasPrefix("HTTP/1.1 503 "), "\(refusal)")

            // No call can get a descriptor now, while the database's connections are lost.
            try await serve.process.limitDescriptors(to: 3)
            let database = try await PostgresConnection.connect(
                serve.database, on: serve.loop, logger: Logger(label: "test"))
            try await database.execute(
                """
                SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND datname IS NOT NULL
                """)
            await database.close()
            // After this answer the server's loops have noticed the loss: no statement is sent on a lost connection.
            #expect(try await client.send(.get, "/healthz").0.status == .ok)
            async let ready = client.send(.get, "/readyz")
            try await serve.process.limitDescriptors(to: 1_024)
            let (answer, body) = try await ready
            #expect(answer.status == .ok, "\(String(decoding: body, as: UTF8.self))")
            #expect(try await client.send(.get, "/css/components.css").0.status == .ok)
            await client.close()
        }

        /// The answer that the server sends to a client that only connects.
        private func answerWithoutRequest(_ serve: ServeFixture) async throws -> String {
            let socket = try await Socket.connect(to: serve.address, on: serve.loop, timeout: .seconds(30))
            defer { socket.close() }
            try await serve.loop.waitUntilReady(
                socket.descriptor, for: .read, timeout: .seconds(30), operation: "read")
            var bytes = [UInt8](repeating: 0, count: 4_096)
            guard case .bytes(let count) = try bytes.withUnsafeMutableBytes({ try socket.read(into: $0) }) else {
                return ""
            }
            return String(decoding: bytes[..<count], as: UTF8.self)
        }

        @Test(
            arguments: [
                (["serve", "--port", "0"], "200:200", "may open 200 files and sockets, but needs 256"),
                (["serve", "--port", "0"], "300:300", "may open 300 files and sockets, but needs 320"),
                (["serve", "--port", "0", "--max-connections", "5000"], "1024:1024", "needs 5256"),
                (["work"], "200:200", "may open 200 files and sockets, but needs 256"),
                (["simulate"], "200:200", "may open 200 files and sockets, but needs 256"),
            ])
        func tooFewDescriptorsRefuseTheStart(arguments: [String], limit: String, message: String) async throws {
            let output = try await refusal(arguments, descriptors: limit)
            #expect(output.contains(message), "\(output)")
        }

        @Test func missingTrustedRootsRefuseTheStart() async throws {
            let none = ["SSL_CERT_FILE": "/nonexistent.pem", "SSL_CERT_DIR": "/nonexistent"]
            for command in [["serve", "--port", "0"], ["work"]] {
                let output = try await refusal(command, environment: none)
                #expect(output.contains("no trusted root certificates in /nonexistent.pem"), "\(output)")
            }
        }

        @Test func aMissingCAFileRefusesTheStart() async throws {
            let output = try await refusal(
                ["work", "--apns-host", "localhost", "--apns-ca-file", "/nonexistent.pem"])
            #expect(output.contains("can't read the file /nonexistent.pem"), "\(output)")
        }

        /// The output of a command that must not start.
        private func refusal(
            _ arguments: [String], environment: [String: String] = [:], descriptors: String? = nil
        ) async throws -> String {
            try await ScratchFolder.with { folder in
                let ending = try await BelfryProcess(
                    arguments, in: folder, environment: environment, descriptors: descriptors, capturesErrors: true
                ).ending()
                #expect(ending.status != 0)
                return ending.output
            }
        }
    }
}
