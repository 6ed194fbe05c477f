import Foundation
import FoundationNetworking
import HTTPTypes
import JSON
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// `belfry simulate --http-port`, as the test of an app asks it.
    @Suite struct SimulatorInspectionTests {
        private static let token = String(repeating: "0a", count: 32)

        private static func send(
            _ method: String, _ address: String, _ body: JSON? = nil
        ) async throws -> (status: Int, json: JSON) {
            var request = URLRequest(url: try #require(URL(string: address)))
            request.httpMethod = method
            request.httpBody = body.map { Data($0.encoded()) }
            let (data, response) = try await URLSession.shared.data(for: request)
            let status = try #require(response as? HTTPURLResponse).statusCode
            return (status, data.isEmpty ? .null : try JSON(parsing: [UInt8](data)))
        }

        @Test func testOfAnAppAsksWhatArrivedAndSetsFaults() async throws {
            try await ScratchFolder.with { folder in
                let apple = try await SimulatedApple(in: folder)
                try await ServeFixture.with(in: folder, serve: apple.serve, app: apple.credential) { served in
                    _ = try await served.send(
                        .put, "/devices/phone", ["token": .string(Self.token), "environment": "production"])
                    func push(_ text: String) async throws -> JSON {
                        try await served.send(
                            .post, "/test-pushes",
                            [
                                "token": .string(Self.token), "environment": "production",
                                "payload": ["aps": ["alert": .string(text)]],
                            ])
                    }
                    _ = try await push("One")
                    _ = try await push("Two")
                    let pushes = "\(apple.inspection)/pushes?token=\(Self.token.uppercased())"
                    let first = try await Self.send("GET", pushes).json
                    #expect(first["last"] == 2)
                    let one = try #require(first["pushes"]?.elements.first)
                    #expect(one["status"] == 200 && one["payload"]?["aps"]?["alert"] == "One")
                    #expect(one["headers"]?["apns-push-type"] == "alert" && one["warnings"] == [])
                    let second = try await Self.send("GET", pushes + "&after=1").json
                    #expect(second["pushes"]?.elements.map { $0["number"] } == [2])
                    #expect(try await Self.send("GET", "\(apple.inspection)/pushes?token=0b").json["pushes"] == [])

                    let gone: JSON = [
                        "rules": [
                            [
                                "fault": "answer", "status": 410, "reason": "Unregistered", "first": 1,
                                "token": .string(Self.token),
                            ]
                        ]
                    ]
                    #expect(try await Self.send("PUT", "\(apple.inspection)/faults", gone).json["rules"] == 1)
                    let refused = try await push("Three")["data"]?.elements.first
                    #expect(refused?["outcome"] == "rejected" && refused?["reason"] == "Unregistered")
                    #expect(try await Self.send("DELETE", "\(apple.inspection)/pushes").status == 204)
                    #expect(try await Self.send("GET", pushes).json == ["pushes": [], "last": 3])
                }
                apple.process.send(SIGTERM)
                _ = try await apple.process.ending()
            }
        }

        @Test(arguments: [
            ("rules must not be", #"{"rules": [{"fault": "answr"}]}"#, "did you mean answer?"),
            ("status", #"{"rules": [{"fault": "answer", "status": 200, "reason": "x"}]}"#, "rules[0].status must be"),
            ("seconds", #"{"rules": [{"fault": "delay"}]}"#, "rules[0].seconds is required"),
            ("token", #"{"rules": [{"fault": "silence", "token": "x"}]}"#, "rules[0].token must be hexadecimal"),
            ("none", "{}", "rules is required"), ("text", "x", "The body is not JSON"),
            ("member", #"{"rules": [{"fault": "delay", "second": 2}]}"#, "did you mean seconds?"),
            ("two", #"{"rules": [{"fault": "silence", "first": 2, "nth": 3}]}"#, "only one of first, nth"),
        ])
        func mistakeInAFaultIsSaid(_ name: String, _ body: String, _ words: String) async throws {
            let problem = #expect(throws: (any Error).self) { try SimulatorFaults.read(Array(body.utf8)) }
            #expect("\(try #require(problem))".contains(words), "\(name)")
        }
    }
}
