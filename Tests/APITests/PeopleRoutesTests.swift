import HTTPTypes
import JSON
import Postgres
import Testing

@testable import API
@testable import Store

/// Which values belong to an installation and which to a person.
struct PeopleRoutesTests {
    private static func register(
        _ phone: DeviceAPIFixture, _ installation: String, _ token: String, _ members: String
    ) async throws {
        let body = #"{"token":"\#(token)","environment":"production"\#(members)}"#
        let answer = try await phone.send(.put, "/devices/\(installation)", body)
        #expect(answer.status == 200 && answer.json["registered"] == true)
    }

    private static func device(_ phone: DeviceAPIFixture, _ installation: String) async throws -> JSON {
        try await phone.send(.get, "/devices/\(installation)", key: phone.secret).json
    }

    /// The values that audiences and templates use.
    private static func effective(_ phone: DeviceAPIFixture, _ installation: String) async throws -> String {
        try await phone.pool.query(
            """
            SELECT concat_ws(' ', attributes, tags, opt_outs, own_attributes, own_tags, own_opt_outs)
            FROM devices WHERE installation = \(installation)
            """)[0][0]
    }

    private static let ada =
        #","user_id":"ada","attributes":{"theme":"dark"},"tags":["beta"],"opt_outs":["news"]"#
        + #","person":{"attributes":{"name":"Ada","theme":"light"},"tags":["vip"],"opt_outs":["offers"]}"#

    @Test func afterLogoutNothingPersonalStays() async throws {
        try await DeviceAPIFixture.run { phone in
            try await Self.register(phone, "i-1", "01", Self.ada)
            #expect(
                try await Self.effective(phone, "i-1")
                    == #"{"name": "Ada", "theme": "light"} {beta,vip} {news,offers} {"theme": "dark"} {beta} {news}"#)
            let before = try await Self.device(phone, "i-1")
            #expect(before["attributes"] == ["theme": "dark"] && before["tags"] == ["beta"])
            #expect(before["person"]?["attributes"] == ["name": "Ada", "theme": "light"])

            let logout = try await phone.send(.patch, "/devices/i-1", #"{"user_id":null}"#)

            #expect(logout.status == 200)
            #expect(try await Self.effective(phone, "i-1") == #"{"theme": "dark"} {beta} {news}"#)
            let after = try await Self.device(phone, "i-1")
            #expect(after["person"] == .null && after["user_id"] == .null)
            let ben = #"{"user_id":"ben","person":{"attributes":{"name":"Ben"}}}"#
            #expect(try await phone.send(.patch, "/devices/i-1", ben).status == 200)
            #expect(
                try await Self.effective(phone, "i-1")
                    == #"{"name": "Ben", "theme": "dark"} {beta} {news} {"theme": "dark"}"#)
        }
    }

    /// A PUT without user_id is a logout, too.
    @Test func registrationWithoutUserEndsTheOldUsersSession() async throws {
        try await DeviceAPIFixture.run { phone in
            try await Self.register(phone, "i-1", "01", Self.ada)
            try await Self.register(phone, "i-1", "01", "")
            // Tags and opt-outs of the installation stay.
            #expect(try await Self.effective(phone, "i-1") == "{} {beta} {news}")
        }
    }

    @Test func personsChangesReachAllTheirDevicesAndSurviveAReinstall() async throws {
        try await DeviceAPIFixture.run { phone in
            try await Self.register(phone, "phone", "01", Self.ada)
            try await Self.register(phone, "pad", "02", #","user_id":"ada""#)
            try await Self.register(phone, "bens", "03", #","user_id":"ben""#)
            #expect(
                try await Self.effective(phone, "pad")
                    == #"{"name": "Ada", "theme": "light"} {vip} {offers} {} {} {}"#)

            let change = #"{"person":{"attributes":{"theme":null},"add_opt_outs":["news"],"remove_tags":["vip"]}}"#
            #expect(try await phone.send(.patch, "/devices/pad", change).status == 200)

            #expect(
                try await Self.effective(phone, "phone")
                    == #"{"name": "Ada", "theme": "dark"} {beta} {news,offers} {"theme": "dark"} {news}"#)
            #expect(try await Self.effective(phone, "bens") == "{} {} {}")
            // Reinstalled: a new installation, and no word about opt-outs.
            try await Self.register(phone, "new", "04", #","user_id":"ada""#)
            #expect(try await Self.device(phone, "new")["person"]?["opt_outs"] == ["news", "offers"])
            #expect(try await Self.effective(phone, "new") == #"{"name": "Ada"} {} {news,offers} {} {}"#)
        }
    }

    @Test func serverReadsChangesAndErasesAPerson() async throws {
        try await DeviceAPIFixture.run { phone in
            let path = "/people/ada"
            #expect(try await phone.send(.get, path, key: phone.secret).json["code"] == "person-not-found")
            #expect(try await phone.send(.get, path).status == 403)
            let made = try await phone.send(
                .patch, path, #"{"attributes":{"name":"Ada","visits":7},"tags":["vip"]}"#, key: phone.secret)
            #expect(made.status == 200 && made.json["devices"] == [])
            try await Self.register(phone, "i-1", "01", #","user_id":"ada""#)
            #expect(try await Self.effective(phone, "i-1") == #"{"name": "Ada", "visits": 7} {vip} {} {} {}"#)
            let names = try await phone.pool.query(
                "SELECT name FROM known_attributes WHERE name NOT LIKE '$%' ORDER BY 1")
            #expect(try names.map { try $0[0] } == ["name", "visits"])

            let read = try await phone.send(.get, path, key: phone.secret)
            #expect(read.json["attributes"] == ["name": "Ada", "visits": 7])
            #expect(read.json["devices"]?.elements?.map { $0["installation"] } == ["i-1"])
            let refused = try await phone.send(.patch, path, #"{"tag":["x"]}"#, key: phone.secret)
            #expect(refused.json["problems"]?.elements?.map { $0["path"] } == ["tag"])

            #expect(try await phone.send(.delete, path, key: phone.secret).json["erased_devices"] == 1)
            #expect(try await phone.send(.get, path, key: phone.secret).status == 404)
            let count: Int = try await phone.pool.query("SELECT count(*) FROM people")[0][0]
            #expect(count == 0)
        }
    }

    @Test func nameDoesNotSurviveTheErasureOfTheLastUser() async throws {
        try await DeviceAPIFixture.run { phone in
            try await Self.register(phone, "i-1", "01", Self.ada)
            #expect(try await phone.send(.patch, "/devices/i-1", #"{"user_id":null}"#).status == 200)
            _ = try await phone.send(.delete, "/people/ada", key: phone.secret)
            #expect(try await Self.effective(phone, "i-1") == #"{"theme": "dark"} {beta} {news}"#)
            try await Self.register(phone, "i-2", "02", #","user_id":"ada""#)
            #expect(try await Self.effective(phone, "i-2") == "{} {} {}")
        }
    }

    @Test func retiredDeviceIsToldToRegisterAgain() async throws {
        try await DeviceAPIFixture.run { phone in
            try await Self.register(phone, "i-1", "01", "")
            #expect(try await phone.send(.patch, "/devices/i-1", "{}").json["registered"] == true)
            try await phone.pool.execute("UPDATE devices SET retired_at = now(), retired_reason = 1")
            #expect(try await phone.send(.patch, "/devices/i-1", #"{"user_id":"x"}"#).json["registered"] == false)
            #expect(try await phone.send(.get, "/devices/i-1").json["registered"] == false)
            try await Self.register(phone, "i-1", "01", "")
            #expect(try await phone.send(.patch, "/devices/i-1", "{}").json["registered"] == true)
            // The token moves to another installation.
            try await Self.register(phone, "i-2", "01", "")
            #expect(try await phone.send(.patch, "/devices/i-1", "{}").json["registered"] == false)
        }
    }

    @Test func installationReadsItselfWithoutThePersonsData() async throws {
        try await DeviceAPIFixture.run { phone in
            try await Self.register(phone, "i-1", "01", Self.ada)
            let own = try await phone.send(.get, "/devices/i-1")
            #expect(own.status == 200 && own.json["opt_outs"] == ["news"])
            #expect(own.json["person"] == ["opt_outs": ["offers"]])
            #expect(own.json["attributes"] == nil && own.json["token_ending"] == nil)
            #expect(try await phone.send(.get, "/devices").status == 403)
        }
    }

    @Test func personOfADeviceWithoutUserIsNotStored() async throws {
        try await DeviceAPIFixture.run { phone in
            try await Self.register(phone, "i-1", "01", "")
            let answer = try await phone.send(.patch, "/devices/i-1", #"{"person":{"tags":["vip"]}}"#)
            #expect(answer.status == 200)
            #expect(answer.json["warnings"]?.elements?.map { $0["code"] } == ["user-id-missing"])
            let count: Int = try await phone.pool.query("SELECT count(*) FROM people")[0][0]
            #expect(count == 0)
        }
    }

    @Test func moreThanAHundredTagsAreRefusedAndNothingIsStored() async throws {
        try await DeviceAPIFixture.run { phone in
            let tags = (0..<100).map { "\"t\($0)\"" }.joined(separator: ",")
            try await Self.register(phone, "i-1", "01", #","tags":[\#(tags)]"#)
            let refused = try await phone.send(.patch, "/devices/i-1", #"{"add_tags":["more"],"user_id":"ada"}"#)
            #expect(refused.status == 422 && refused.json["code"] == "too-many-tags")
            #expect(try await Self.device(phone, "i-1")["user_id"] == .null)
            // The person's tags do not count.
            let personal = #"{"user_id":"ada","person":{"tags":["more"]}}"#
            #expect(try await phone.send(.patch, "/devices/i-1", personal).status == 200)
        }
    }

    @Test func changeOfADeviceWithAnOldVersionIsRefused() async throws {
        try await DeviceAPIFixture.run { phone in
            try await Self.register(phone, "i-1", "01", "")
            func send(_ method: HTTPRequest.Method, _ tag: String, _ body: String?) async throws -> Int {
                var headers: HTTPFields = [.authorization: "Bearer \(phone.secret)", .ifMatch: tag]
                if body != nil { headers[.contentType] = "application/json" }
                return try await phone.send(method, "/devices/i-1", headers: headers, body)
            }
            let tag = try #require(try await phone.send(.get, "/devices/i-1", key: phone.secret).headers[.eTag])
            #expect(try await send(.patch, "\"1\"", #"{"nickname":"x"}"#) == 412)
            #expect(try await send(.patch, "W/" + tag, #"{"nickname":"x"}"#) == 200)
            #expect(try await send(.patch, tag, #"{"nickname":"y"}"#) == 412)
            #expect(try await send(.delete, tag, nil) == 412)
            #expect(try await Self.device(phone, "i-1")["nickname"] == "x")
            let newer = try #require(try await phone.send(.get, "/devices/i-1", key: phone.secret).headers[.eTag])
            #expect(try await send(.delete, newer, nil) == 204)
        }
    }
}
