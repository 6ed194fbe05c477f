import EventLoop
import HTTPTypes
import JSON
import Postgres
import TestSupport
import Testing

@testable import API
@testable import Application

@Suite struct RegistrationLimitTests {
    private static func body(_ token: Int) -> String {
        let digits = String(token, radix: 16)
        let token = String(repeating: "0", count: 64 - digits.count) + digits
        return #"{"token":"\#(token)","environment":"production"}"#
    }

    @Test func newInstallationsBeyondTheQuotaWaitAndKnownOnesGoOn() async throws {
        try await DeviceAPIFixture.run { phone in
            let limited = try await phone.send(
                .patch, "", #"{"new_installations_per_minute":2}"#, key: phone.secret)
            #expect(limited.json["new_installations_per_minute"] == 2)
            for number in 1...2 {
                #expect(try await phone.send(.put, "/devices/i-\(number)", Self.body(number)).status == 200)
            }
            for _ in 1...2 {
                let refused = try await phone.send(.put, "/devices/i-3", Self.body(3))
                #expect(refused.status == 429 && refused.json["code"] == "too-many-new-installations")
                #expect((1...30).contains(Int(refused.headers[.retryAfter] ?? "") ?? 0))
            }
            #expect(try await phone.send(.put, "/devices/i-1", Self.body(1)).status == 200)
            #expect(try await phone.send(.put, "/devices/i-2", Self.body(4)).status == 200)
            #expect(try await phone.send(.patch, "/devices/i-9", "{}").status == 404)
            #expect(try await phone.send(.put, "/devices/i-4", Self.body(5), key: phone.secret).status == 200)
            let count: Int = try await phone.pool.query("SELECT count(*) FROM devices")[0][0]
            #expect(count == 3)
            let lines = phone.log.text.split(separator: "\n")
            #expect(lines.count == 1 && lines[0].contains("warning") && lines[0].contains("limit"))
        }
    }

    @Test func answerDoesNotTellWhetherAnotherInstallationHadTheToken() async throws {
        try await DeviceAPIFixture.run { phone in
            #expect(try await phone.send(.put, "/devices/i-1", Self.body(1)).status == 200)
            let moved = try await phone.send(.put, "/devices/i-2", Self.body(1))
            let fresh = try await phone.send(.put, "/devices/i-3", Self.body(2))
            #expect(moved.status == 200 && fresh.status == 200)
            for member in ["kind", "registered", "warnings"] { #expect(moved.json[member] == fresh.json[member]) }
            let old = try await phone.send(.get, "/devices/i-1", key: phone.secret)
            #expect(old.json["retired_reason"] == "token_moved")
        }
    }

    @Test func tokensMoveFromOneNetworkOnlySoOften() async throws {
        try await DeviceAPIFixture.run { phone in
            let burst = RegistrationLimits.tokenMoves.burst
            for number in 0...burst {
                #expect(try await phone.send(.put, "/devices/i-\(number % 2)", Self.body(1)).status == 200)
            }
            // The first one moved nothing.
            let known = try await phone.send(.put, "/devices/i-\(burst % 2)", Self.body(1))
            #expect(known.status == 200)
            for token in [1, 2] {
                let refused = try await phone.send(.put, "/devices/i-7", Self.body(token))
                #expect(refused.status == 429 && refused.json["code"] == "too-many-new-tokens")
                #expect((1...10).contains(refused.headers[.retryAfter].flatMap { Int($0) } ?? 0))
            }
            #expect(try await phone.send(.put, "/devices/i-7", Self.body(1), key: phone.secret).status == 200)
        }
    }
}
