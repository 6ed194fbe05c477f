import Foundation
import HTTPTypes
import JSON
import Notifications
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// `belfry send` through `belfry serve`, to a phone at `belfry simulate --show`.
    @Suite struct SendTests {
        private static let token = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"

        @Test func eachSeedPayloadArrivesThroughATemplate() async throws {
            try await ScratchFolder.with { folder in
                let apple = try await SimulatedApple(in: folder)
                try await ServeFixture.with(in: folder, serve: apple.serve, app: apple.credential) { served in
                    _ = try await served.send(
                        .put, "/devices/phone",
                        ["token": .string(Self.token), "environment": "production"])
                    _ = try await served.send(.patch, "/devices/phone", ["is_test": true, "nickname": "Ada's phone"])
                    for (name, type) in [
                        ("basic", "alert"), ("localized", "alert"), ("rich-attachment", "alert"),
                        ("alert-string-custom-keys", "alert"), ("acknowledged", "alert"), ("silent", "background"),
                    ] {
                        try await Self.sendsSeed(name, pushType: type, served, to: apple)
                    }
                    let file = folder.appending(path: "old.json")
                    try Data(Self.seed("legacy-string-badge").encoded()).write(to: file)
                    let refused = try await served.belfry(
                        "send", ["--device", "phone", "--payload", "@\(file.path)"])
                    #expect(refused.status == 1 && refused.output.isEmpty)
                }
                apple.process.send(SIGTERM)
                _ = try await apple.process.ending()
            }
        }

        private static func sendsSeed(
            _ name: String, pushType: String, _ served: ServeFixture, to apple: SimulatedApple
        ) async throws {
            // Belfry sets this member to its own message ID.
            let payload = try seed(name).without("i")
            let template = try await served.send(
                .post, "/templates",
                ["name": .string(name), "content": ["push_type": .string(pushType), "payload": payload]])
            let id = try #require(template["id"]?.text)
            let before = try apple.process.outputSoFar().utf8.count

            let ending = try await served.belfry("send", ["--device", "phone", "--template", id])

            #expect(ending.status == 0)
            #expect(ending.output.contains("device    Ada's phone"))
            #expect(ending.output.contains("status    200"))
            let all = try await apple.process.output(until: "\n    }\n", after: before)
            let shown = String(decoding: all.utf8.dropFirst(before), as: UTF8.self)
            #expect(shown.contains("200  to 00fc13ad…") && shown.contains("apns-push-type    \(pushType)"))
            #expect(!shown.contains("noticed"), "\(shown)")
            let start = try #require(shown.range(of: "\n    {\n"))
            let received = try JSON(parsing: String(shown[start.lowerBound...]))
            #expect(received.without("i") == payload)
        }

        private static func seed(_ name: String) throws -> JSON {
            let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let file = tests.appending(path: "NotificationsTests/Fixtures/\(name).json")
            return try JSON(parsing: [UInt8](Data(contentsOf: file)))
        }
    }
}

extension JSON {
    /// The object without one member.
    fileprivate func without(_ key: String) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != key })
    }
}
