import Campaigns
import Crypto
import HTTPTypes
import JSON
import Postgres
import Testing

@testable import API

/// Nobody receives or changes what belongs to a user without the signature of the app's server, even if they know the
/// installation.
@Suite struct IdentityOfDevicesTests {
    private struct Phone {
        let api: DeviceAPIFixture
        let signature: String

        static func run(_ body: @escaping @Sendable (Phone) async throws -> Void) async throws {
            try await DeviceAPIFixture.run { api in
                let made = try await api.send(.post, "/identity-key", key: api.secret)
                let secret = try #require(made.json["secret"]?.string)
                let on = try await api.send(.patch, "", #"{"identity_verification":true}"#, key: api.secret)
                #expect(on.status == 200)
                let signature = Hex.encode(HMACSHA256.authenticate("ada".utf8, key: Array(secret.utf8)))
                let phone = Phone(api: api, signature: signature)
                #expect(try await phone.logIn().status == 200)
                #expect(try await phone.user == "ada")
                try await body(phone)
            }
        }

        private static let rest = "112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
        static let token = #""token":"00\#(rest)","environment":"production""#
        static let other = #""token":"ff\#(rest)","environment":"production""#
        static let otherToken = #""token":"ff\#(rest)""#

        func logIn() async throws -> (status: Int, json: JSON, headers: HTTPFields) {
            let person = #""person":{"attributes":{"plan":"gold"},"opt_outs":[]}"#
            return try await send(
                .put, #"{\#(Self.token),"user_id":"ada","user_id_signature":"\#(signature)",\#(person)}"#)
        }

        func send(_ method: HTTPRequest.Method, _ body: String) async throws -> (
            status: Int, json: JSON, headers: HTTPFields
        ) {
            try await api.send(method, "/devices/i-1", body)
        }

        var user: String? {
            get async throws {
                try await api.pool.query("SELECT user_id FROM devices WHERE installation = 'i-1'")[0][0]
            }
        }

        var plan: String? {
            get async throws { try await api.pool.query("SELECT attributes->>'plan' FROM people")[0][0] }
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.patch, #"{\#(Phone.other)}"#), (.put, #"{\#(Phone.other)}"#),
        (.patch, #"{\#(Phone.otherToken)}"#), (.patch, #"{"environment":"development"}"#),
    ])
    func deviceThatIsMovedWithoutASignatureLosesItsUserAndStaysRegistered(
        _ method: HTTPRequest.Method, _ body: String
    ) async throws {
        try await Phone.run { phone in
            let moved = try await phone.send(method, body)
            #expect(moved.status == 200 && moved.json["registered"] == true)
            #expect(try await phone.user == nil)
            if method == .patch {
                #expect(moved.json["warnings"]?.elements?.compactMap { $0["code"]?.string } == ["user-logged-out"])
            }
            // The device's row has nothing of the person.
            let plan: String? = try await phone.api.pool.query("SELECT attributes->>'plan' FROM devices")[0][0]
            #expect(plan == nil)
            // With the signature, the app takes its device back.
            #expect(try await phone.logIn().status == 200)
            #expect(try await phone.user == "ada")
        }
    }

    @Test func unchangedTokenWithoutASignatureKeepsTheUser() async throws {
        try await Phone.run { phone in
            let same = try await phone.send(.patch, #"{\#(Phone.token),"locale":"de"}"#)
            #expect(same.status == 200 && same.json["warnings"]?.elements == [])
            #expect(try await phone.user == "ada")
        }
    }

    @Test(arguments: [
        #"{"person":{"attributes":{"plan":"none"}}}"#, #"{"person":{"tags":["x"]}}"#,
        #"{"person":{"add_opt_outs":["news"]}}"#, #"{"person":{"replace_attributes":{}},\#(Phone.other)}"#,
    ])
    func personIsNotChangedWithoutASignature(_ body: String) async throws {
        try await Phone.run { phone in
            let refused = try await phone.send(.patch, body)
            #expect(refused.status == 403 && refused.json["code"] == "identity-unverified")
            #expect(try await phone.plan == "gold")
            #expect(try await phone.user == "ada")
            let signed = #"{"user_id":"ada","user_id_signature":"\#(phone.signature)",\#(body.dropFirst())"#
            #expect(try await phone.send(.patch, signed).status == 200)
        }
    }

    /// Somebody could state their token while nobody uses the device, and wait for the login.
    @Test func loginStatesTheToken() async throws {
        try await Phone.run { phone in
            #expect(try await phone.send(.patch, #"{"user_id":null}"#).status == 200)
            #expect(try await phone.send(.patch, #"{\#(Phone.other)}"#).status == 200)
            let login = #""user_id":"ada","user_id_signature":"\#(phone.signature)""#
            let refused = try await phone.send(.patch, #"{\#(login)}"#)
            #expect(refused.status == 422 && refused.json["field"] == "token")
            #expect(try await phone.user == nil)
            #expect(try await phone.send(.patch, #"{\#(login),\#(Phone.token)}"#).status == 200)
            #expect(try await phone.user == "ada")
            // Naming the same user again needs no token.
            #expect(try await phone.send(.patch, #"{\#(login)}"#).status == 200)
        }
    }

    @Test func retiredDeviceIsNotRevivedWithAnotherTokenForItsUser() async throws {
        try await Phone.run { phone in
            let removed = try await phone.api.send(.delete, "/devices/i-1")
            let moved = try await phone.send(.patch, #"{\#(Phone.other)}"#)
            #expect(removed.status == 204 && moved.status == 200)
            let user = try await phone.user
            #expect(user == nil)
        }
    }

    @Test func userIsReadWithTheSignatureOnly() async throws {
        try await Phone.run { phone in
            for (signature, user) in [(nil, JSON.null), ("00", .null), (phone.signature, "ada")] {
                var fields: HTTPFields = [:]
                if let signature { fields[HTTPField.Name("User-ID-Signature")!] = signature }
                let answer = try await phone.api.sendBytes(
                    .get, "/devices/i-1", key: phone.api.publishable, headers: fields)
                let json = try JSON(parsing: answer.bytes)
                #expect(json["user_id"] == user)
                #expect((json["person"] == .null) == (user == .null))
            }
        }
    }

    /// Requests at the same time share a transaction; a refused one does not take others with it.
    @Test func refusalConcernsOneRequestOfAGroup() async throws {
        try await Phone.run { phone in
            async let refused = phone.send(.patch, #"{"person":{"attributes":{"plan":"none"}}}"#)
            async let stored = phone.send(.patch, #"{"locale":"fr"}"#)
            async let again = phone.logIn()
            let statuses = try await [refused.status, stored.status, again.status]
            #expect(statuses == [403, 200, 200])
            #expect(try await phone.plan == "gold")
        }
    }

    /// Unreleased content goes to test devices. Nobody moves one to a phone of theirs: not while nobody uses it, not by
    /// logging out, and not by logging in as themselves.
    @Test(arguments: [
        (HTTPRequest.Method.patch, "{%}"), (.put, "{%}"), (.patch, #"{%,"user_id":null}"#),
        (.patch, #"{%,"user_id":"ada","user_id_signature":"SIGNATURE"}"#),
    ])
    func testDeviceThatIsMovedWithoutAProofOfItsUserIsNone(_ method: HTTPRequest.Method, _ body: String) async throws {
        try await Phone.run { phone in
            #expect(try await phone.send(.patch, #"{"user_id":null}"#).status == 200)
            let marks = #"{"is_test":true,"nickname":"Desk"}"#
            let state: PostgresQuery = "SELECT is_test, nickname, encode(token, 'hex') FROM devices"
            #expect(try await phone.api.send(.patch, "/devices/i-1", marks, key: phone.api.secret).status == 200)

            let same = body.replacing("%", with: Phone.token).replacing("SIGNATURE", with: phone.signature)
            #expect(try await phone.send(method, same).status == 200)
            #expect(try await phone.api.pool.query(state)[0][0] == true)
            #expect(try await phone.send(.patch, #"{"user_id":null}"#).status == 200)

            let other = body.replacing("%", with: Phone.other).replacing("SIGNATURE", with: phone.signature)
            #expect(try await phone.send(method, other).json["registered"] == true)
            let moved = try await phone.api.pool.query(state)[0]
            #expect(try moved[0] == false && moved[1, as: String?.self] == nil)
            #expect(try moved[2, as: String.self].hasPrefix("ff"))
        }
    }

    @Test func testDeviceWithTheSignatureOfItsUserStaysOneWithANewToken() async throws {
        try await Phone.run { phone in
            let marks = #"{"is_test":true,"nickname":"Desk"}"#
            #expect(try await phone.api.send(.patch, "/devices/i-1", marks, key: phone.api.secret).status == 200)
            let login = #""user_id":"ada","user_id_signature":"\#(phone.signature)""#
            #expect(try await phone.send(.patch, #"{\#(Phone.other),\#(login)}"#).status == 200)
            let state = try await phone.api.pool.query("SELECT is_test, nickname FROM devices")[0]
            #expect(try state[0] == true && state[1] == "Desk")
        }
    }

    /// The same answer, whether the named user has the device or not, and whether the request is late or not.
    @Test(arguments: ["", #","sent_at":"2020-01-01T00:00:00Z""#])
    func answerOfALogoutDoesNotTellWhoseTheDeviceIs(_ time: String) async throws {
        try await Phone.run { phone in
            var answers: [JSON] = []
            for user in ["ben", "ada"] {
                let body = #"{"user_id":"\#(user)"\#(time)}"#
                answers.append(try await phone.api.send(.post, "/devices/i-1/logout", body).json)
            }
            #expect(answers[0] == answers[1] && answers[0]["logged_out"] == .null)
            #expect(try await phone.user == nil)
            // A server knows its users.
            #expect(try await phone.logIn().status == 200)
            let told = try await phone.api.send(
                .post, "/devices/i-1/logout", #"{"user_id":"ada"}"#, key: phone.api.secret)
            #expect(told.json["logged_out"] == 1)
        }
    }

    @Test func secretKeysAndAppsWithoutVerificationAreTrusted() async throws {
        try await Phone.run { phone in
            let moved = try await phone.api.send(
                .patch, "/devices/i-1", #"{\#(Phone.other),"person":{"attributes":{"plan":"new"}}}"#,
                key: phone.api.secret)
            #expect(moved.status == 200)
            #expect(try await phone.user == "ada")
            #expect(try await phone.plan == "new")
        }
        try await DeviceAPIFixture.run { api in
            let body = #"{\#(Phone.token),"user_id":"ada"}"#
            let registered = try await api.send(.put, "/devices/i-1", body)
            let moved = try await api.send(.patch, "/devices/i-1", #"{\#(Phone.other)}"#)
            let device = try await api.send(.get, "/devices/i-1")
            #expect(registered.status == 200 && moved.status == 200 && device.json["user_id"] == "ada")
        }
    }
}
