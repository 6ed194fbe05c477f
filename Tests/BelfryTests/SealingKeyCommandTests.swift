import EventLoop
import Foundation
import HTTPTypes
import JSON
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// `belfry sealing-key` with a running `belfry serve`.
    @Suite struct SealingKeyCommandTests {
        private static let key = String(repeating: "0a", count: 32)
        private static let next = String(repeating: "0b", count: 32)

        @Test func serverSendsAndRegistersBeforeDuringAndAfterARotation() async throws {
            try await ScratchFolder.with { folder in
                let apple = try await SimulatedApple(in: folder)
                let file = folder.appending(path: "keys").path
                try Self.store("\(Self.key)\n", in: file)
                try await ServeFixture.with(
                    in: folder, serve: apple.serve, app: apple.credential,
                    environment: ["BELFRY_SEALING_KEY_FILE": file]
                ) { served in
                    try await Self.register("phone", served)
                    #expect(try await Self.outcomeOfAPush(served) == "accepted")

                    try Self.store("# since today\n\(Self.next)\n# before\n\(Self.key)\n", in: file)
                    try await served.killAndStartAgain()
                    let listed = try await served.command(["sealing-key", "list"]).ending().output
                    #expect(
                        listed.split(separator: "\n").map { $0.split(separator: " ").last } == ["RECORDS", "0", "3"])
                    let rotation = try await Self.rotateUnderLoad(served)
                    #expect(rotation.contains("credentials: 1 re-sealed\n"))
                    #expect(rotation.contains("All records are encrypted with "))

                    try Self.store("\(Self.next)\n", in: file)
                    try await served.killAndStartAgain()
                    #expect(try await Self.outcomeOfAPush(served) == "accepted")
                    let again = try await served.command(["keys", "rotate"]).ending()
                    #expect(again.status == 0 && again.output.contains("credentials: 0 re-sealed\n"))

                    try Self.store("\(Self.key)\n", in: file)
                    let refused = try await served.command(["serve"]).ending()
                    #expect(refused.status == 1)
                }
                apple.process.send(SIGTERM)
                _ = try await apple.process.ending()
            }
        }

        /// Keys that others may read are refused.
        private static func store(_ keys: String, in file: String) throws {
            try TextFile.write(keys, to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }

        /// Rotates while devices register and pushes are sent, and returns the command's output.
        private static func rotateUnderLoad(_ served: ServeFixture) async throws -> String {
            let isRotated = Lock(false)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var number = 0
                    // One before the rotation ends and one after it, however quick it is.
                    while number < 2 || !isRotated.withLock({ $0 }) {
                        number += 1
                        try await register("load-\(number)", served)
                    }
                }
                group.addTask {
                    var outcomes: [String] = []
                    while outcomes.count < 2 || !isRotated.withLock({ $0 }) {
                        outcomes.append(try await outcomeOfAPush(served))
                    }
                    #expect(outcomes.allSatisfy { $0 == "accepted" }, "\(outcomes)")
                }
                let ending = try await served.command(["keys", "rotate"]).ending()
                #expect(ending.status == 0)
                isRotated.withLock { $0 = true }
                try await group.waitForAll()
                return ending.output
            }
        }

        private static func register(_ installation: String, _ served: ServeFixture) async throws {
            let digits = installation.utf8.map { String(format: "%02x", $0) }.joined()
            _ = try await served.send(
                .put, "/devices/\(installation)",
                [
                    "token": .string(digits.padded(to: 64).replacing(" ", with: "0")), "environment": "production",
                    "user_id": .string(installation),
                ])
        }

        private static func outcomeOfAPush(_ served: ServeFixture) async throws -> String {
            let sent = try await served.send(
                .post, "/pushes", ["user_ids": ["phone"], "payload": ["aps": ["alert": "Your code is 4711."]]])
            let id = try #require(sent["id"]?.text)
            while true {
                let outcome = try await served.send(.get, "/pushes/\(id)", nil)["devices"]?.elements.first?["outcome"]
                let text = try #require(outcome?.text)
                if text != "pending" { return text }
            }
        }
    }
}
