import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import JSON
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    struct DevicesListenerTests {
        @Test func devicesRegisterAtTheirOwnAddressAndFindNothingElseThere() async throws {
            try await ScratchFolder.with { folder in
                let port = try ServeFixture.freePort()
                try await ServeFixture.with(in: folder, serve: ["--devices-port", "\(port)"]) { fixture in
                    let made = try await fixture.send(.post, "/keys", ["kind": "publishable", "name": "app"])
                    let key = try #require(made["key"]?.text)
                    let path = "/v1/apps/\(fixture.app)"
                    let body = "{\"token\": \"\(String(repeating: "ab", count: 32))\", \"environment\": \"production\"}"
                    func statuses(_ port: UInt16) async throws -> [Int] {
                        let client = HTTPClient(
                            loop: fixture.loop, host: "127.0.0.1", port: port, tls: nil, maximumConnections: 1)
                        let fields: HTTPFields = [.authorization: "Bearer \(key)", .contentType: "application/json"]
                        var statuses = [
                            try await client.send(
                                .put, path + "/devices/phone", headers: fields, body: Array(body.utf8)
                            ).0.status.code
                        ]
                        for other in ["/healthz", path + "/topics", path + "/campaigns", "/readyz", "/"] {
                            statuses.append(try await client.send(.get, other, headers: fields).0.status.code)
                        }
                        await client.close()
                        return statuses
                    }
                    let (devices, all) = try await withTaskExecutorPreference(fixture.loop) {
                        (try await statuses(port), try await statuses(fixture.port))
                    }
                    #expect(devices == [200, 200, 200, 404, 404, 404])
                    #expect(all == [200, 200, 200, 403, 200, 200])
                }
            }
        }

        @Test func addressWithoutAPortIsAnErrorAndSoIsAPortThatIsTaken() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder) { fixture in
                    for (arguments, message) in [
                        (["--devices-host", "127.0.0.1"], "Set --devices-port, too."),
                        (["--devices-port", "\(fixture.port)"], "--devices-port or BELFRY_DEVICES_PORT"),
                    ] {
                        let port = try ServeFixture.freePort()
                        let ending = try await BelfryProcess(
                            ["serve", "--port", "\(port)"] + arguments, in: folder,
                            environment: ["DATABASE_URL": fixture.databaseURL], capturesErrors: true
                        ).ending()
                        #expect(ending.status != 0)
                        #expect(ending.output.contains(message), "\(ending.output)")
                    }
                }
            }
        }
    }
}
