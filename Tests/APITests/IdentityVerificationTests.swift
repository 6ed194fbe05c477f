import Campaigns
import Crypto
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

@Suite struct IdentityVerificationTests {
    private static func body(_ user: String?, _ signature: String? = nil) -> String {
        var members = #""token":"00112233445566778899aabbccddeeff","environment":"production""#
        if let user { members += #","user_id":"\#(user)""# }
        if let signature { members += #","user_id_signature":"\#(signature)""# }
        return "{\(members)}"
    }

    private static func signature(_ user: String, _ secret: String) -> String {
        Hex.encode(HMACSHA256.authenticate(user.utf8, key: Array(secret.utf8)))
    }

    /// Turns verification on, and returns the app's identity key.
    private static func verify(_ phone: DeviceAPIFixture) async throws -> String {
        let made = try await phone.send(.post, "/identity-key", key: phone.secret)
        #expect(made.status == 200 && made.json["version"] == 1)
        #expect(
            try await phone.send(.patch, "", #"{"identity_verification":true}"#, key: phone.secret).status == 200)
        return try #require(made.json["secret"]?.string)
    }

    private static func users(_ phone: DeviceAPIFixture) async throws -> [String?] {
        try await phone.pool.query("SELECT user_id FROM devices ORDER BY id").map { try $0[0] }
    }

    @Test func publishableKeyCanClaimNobodyWithoutTheServersSignature() async throws {
        try await DeviceAPIFixture.run { phone in
            let secret = try await Self.verify(phone)
            let right = Self.signature("ada", secret)
            let wrong = [
                nil, "x", "ff", right + "00", String(right.dropLast(2)), Self.signature("bob", secret),
                Self.signature("ada", secret + "x"),
            ]
            for signature in wrong {
                let refused = try await phone.send(.put, "/devices/i-1", Self.body("ada", signature))
                #expect(refused.status == 403 && refused.json["code"] == "identity-unverified")
            }
            #expect(try await Self.users(phone) == [])

            #expect(try await phone.send(.put, "/devices/i-1", Self.body("ada", right)).status == 200)
            #expect(try await phone.send(.put, "/devices/i-1", Self.body("ada", right.uppercased())).status == 200)
            let changed = try await phone.send(.patch, "/devices/i-1", #"{"user_id":"bob"}"#)
            #expect(changed.status == 403 && changed.json["code"] == "identity-unverified")
            #expect(try await phone.send(.patch, "/devices/i-1", #"{"locale":"de"}"#).status == 200)
            #expect(try await Self.users(phone) == ["ada"])
            #expect(try await phone.send(.patch, "/devices/i-1", #"{"user_id":null}"#).status == 200)
            #expect(try await phone.send(.put, "/devices/i-1", Self.body(nil)).status == 200)
            #expect(try await Self.users(phone) == [nil])
            // A server knows its users.
            #expect(try await phone.send(.put, "/devices/i-1", Self.body("bob"), key: phone.secret).status == 200)
        }
    }

    @Test func withoutVerificationSignaturesDoNotMatter() async throws {
        try await DeviceAPIFixture.run { phone in
            let without = try await phone.send(.put, "/devices/i-1", Self.body("ada"))
            let wrong = try await phone.send(.put, "/devices/i-1", Self.body("ada", "x"))
            #expect(without.status == 200 && wrong.status == 200)
        }
    }

    @Test func newestTwoKeysAreValid() async throws {
        try await DeviceAPIFixture.run { phone in
            let first = try await Self.verify(phone)
            let second = try #require(
                try await phone.send(.post, "/identity-key", key: phone.secret).json["secret"]?.string)
            for secret in [first, second] {
                let body = Self.body("ada", Self.signature("ada", secret))
                #expect(try await phone.send(.put, "/devices/i-1", body).status == 200)
            }
            let third = try await phone.send(.post, "/identity-key", key: phone.secret)
            #expect(third.json["version"] == 3)
            let count: Int = try await phone.pool.query("SELECT count(*) FROM identity_keys")[0][0]
            #expect(count == 2)
            let rules = try #require(try await phone.identityKeys.rules(of: phone.app))
            #expect(!rules.accept(user: "ada", signature: Self.signature("ada", first)))
            #expect(rules.accept(user: "ada", signature: Self.signature("ada", second)))
        }
    }

    @Test func secretIsStoredSealedAndVerificationNeedsOne() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let early = try await api.send(.patch, "/v1/apps/\(app)", ["identity_verification": true])
            #expect(early.status == 409 && early.code == "identity-key-missing")
            let new = try await api.send(
                .post, "/v1/apps", ["name": "x", "bundle_id": "com.example.y", "identity_verification": true])
            #expect(new.code == "identity-key-missing")
            let made = try await api.send(.post, "/v1/apps/\(app)/identity-key")
            #expect(made.status == 200 && made.text("secret").utf8.count == 43)
            let changed = try await api.send(.patch, "/v1/apps/\(app)", ["identity_verification": true])
            #expect(try changed.status == 200 && changed.json["identity_verification"] == true)
            let stored: [UInt8] = try await api.pool.query("SELECT sealed FROM identity_keys")[0][0]
            #expect(!String(decoding: stored, as: UTF8.self).contains(made.text("secret")))
            #expect(try await api.send(.post, "/v1/apps/999/identity-key").status == 404)
        }
    }
}
