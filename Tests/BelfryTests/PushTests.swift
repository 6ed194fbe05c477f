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
    /// Transactional pushes through `belfry serve`.
    @Suite struct PushTests {
        @Test func pushOfAKilledServerBecomesUnknownAfterItsLease() async throws {
            try await ScratchFolder.with { folder in
                // A server that accepts connections and sends nothing.
                let silence = try Socket.listen(on: #require(SocketAddress(ip: "127.0.0.1", port: 0)))
                defer { silence.close() }
                let port = try #require(try silence.localAddress().port)
                let file = folder.appending(path: "key.p8").path
                try TextFile.write(try SigningKey.generate().pem, to: file)
                try await ServeFixture.with(
                    in: folder, serve: ["--apns-host", "localhost", "--apns-port", "\(port)"],
                    app: ["--p8", file, "--key-id", "ABCDEFGHIJ", "--team-id", "KLMNOPQRST"],
                    environment: [
                        "BELFRY_LEASE_SECONDS": "3", "BELFRY_RENEWAL_SECONDS": "1",
                        "BELFRY_REQUEST_DEADLINE_SECONDS": "1",
                    ]
                ) { served in
                    _ = try await served.send(
                        .put, "/devices/phone",
                        ["token": "00fc13ad", "environment": "production", "user_id": "ada"])
                    let taken = try await served.send(
                        .post, "/pushes", ["user_ids": ["ada"], "payload": ["aps": ["alert": "Your code is 4711."]]])
                    let id = try #require(taken["id"]?.text)
                    #expect(try await Self.state(of: id, served) == ["pending", ""])

                    try await served.killAndStartAgain()

                    while try await Self.state(of: id, served) == ["pending", ""] {
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    #expect(try await Self.state(of: id, served) == ["unknown", "worker lost"])
                }
            }
        }

        private static func state(of id: String, _ served: ServeFixture) async throws -> [String] {
            let report = try await served.send(.get, "/pushes/\(id)", nil)
            guard case .array(let devices) = report["devices"], devices.count == 1 else { return [] }
            return [devices[0]["outcome"]?.text ?? "", devices[0]["reason"]?.text ?? ""]
        }
    }
}
