import Campaigns
import HTTPTypes
import JSON
import Notifications
import Postgres
import Testing

@testable import API
@testable import Store

struct DeviceListRoutesTests {
    @Test func kindAndActivityAreQueryParametersOfEveryMethod() async throws {
        try await DeviceAPIFixture.run { phone in
            let token = #""token":"00","environment":"production""#
            #expect(try await phone.send(.put, "/devices/i-1", "{\(token.replacing("00", with: "01"))}").status == 200)
            let path = "/devices/i-1?kind=live_activity_update&activity=A%201"
            let put = try await phone.send(.put, path, "{\(token)}")
            #expect(put.status == 200 && put.json["kind"] == "live_activity_update")
            let inBody = try await phone.send(.put, "/devices/i-1", #"{\#(token),"kind":"voip"}"#)
            #expect(inBody.status == 422 && inBody.json["field"] == "kind")
            let read = try await phone.send(.get, path, key: phone.secret)
            #expect(read.json["id"] == put.json["id"] && read.json["activity"] == "A 1")
            #expect(try await phone.send(.get, "/devices/i-1", key: phone.secret).json["kind"] == "alert")
            #expect(try await phone.send(.get, "/devices/i-1?kind=widget", key: phone.secret).status == 404)
            for wrong in ["kind=phone", "activity=A%201", "kind=live_activity_update", "kind=voip&kind=alert"] {
                #expect(try await phone.send(.get, "/devices/i-1?\(wrong)", key: phone.secret).status == 400)
            }

            #expect(try await phone.send(.patch, path, #"{"user_id":"anna"}"#).status == 200)
            #expect(try await phone.send(.patch, "/devices/i-1?kind=widget", "{}").status == 404)
            #expect(try await phone.send(.get, "/devices/i-1", key: phone.secret).json["user_id"] == .null)
            #expect(try await phone.send(.delete, path).status == 204)
            #expect(try await phone.send(.get, path, key: phone.secret).json["retired_reason"] == "removed")
            #expect(try await phone.send(.get, "/devices/i-1", key: phone.secret).json["retired_at"] == .null)
        }
    }

    @Test(arguments: [HTTPRequest.Method.put, .patch, .delete, .get])
    func misspelledParameterTouchesNoDevice(_ method: HTTPRequest.Method) async throws {
        try await DeviceAPIFixture.run { phone in
            let body = #"{"token":"01","environment":"production"}"#
            #expect(try await phone.send(.put, "/devices/i-1", body).status == 200)
            let change = #"{"token":"02","environment":"production","user_id":"eve"}"#
            let refused = try await phone.send(
                method, "/devices/i-1?knd=voip", method == .put || method == .patch ? change : nil, key: phone.secret)
            #expect(refused.status == 400)
            #expect(refused.json["code"] == "unknown-parameter" && refused.json["field"] == "knd")
            let parameters = method == .delete ? "kind, activity, sent_at" : "kind, activity"
            #expect(refused.json["detail"]?.string == "Unknown query parameter knd. The parameters are \(parameters).")
            let device = try await phone.send(.get, "/devices/i-1", key: phone.secret).json
            #expect(device["retired_at"] == .null && device["user_id"] == .null && device["token_ending"] == "01")
        }
    }

    /// A nickname is a name, in form C. A user ID keeps its bytes, which signatures cover.
    @Test func searchesFindNicknamesAndUsersHoweverTheyAreTyped() async throws {
        try await DeviceAPIFixture.run { phone in
            let body =
                "{\"token\":\"01\",\"environment\":\"production\",\"user_id\":\"jose\u{301}\",\"nickname\":\"cafe\u{301}\"}"
            #expect(try await phone.send(.put, "/devices/i-1", body, key: phone.secret).status == 200)
            for search in ["caf%C3%A9", "cafe%CC%81", "jose%CC%81"] {
                let found = try await phone.send(.get, "/devices?search=\(search)", key: phone.secret)
                #expect(found.json["data"]?.elements?.count == 1, "\(search)")
                #expect(found.json["data"]?.elements?.first?["nickname"]?.string?.utf8.count == 5)
            }
        }
    }

    @Test func searchesFindPeopleByTheirNames() async throws {
        try await DeviceAPIFixture.run { phone in
            let bodies = [
                #"{"token":"01","environment":"production","attributes":{"first_name":"Mei","last_name":"Chen","city":"Chenzhou"}}"#,
                #"{"token":"02","environment":"production","user_id":"u-2"}"#,
                #"{"token":"03","environment":"production","attributes":{"city":"Meissen","DisplayName":"Bo"}}"#,
            ]
            for (index, body) in bodies.enumerated() {
                #expect(try await phone.send(.put, "/devices/i-\(index)", body, key: phone.secret).status == 200)
            }
            let set = try await phone.send(
                .patch, "/people/u-2", #"{"attributes":{"full_name":"Ada Meyer"}}"#, key: phone.secret)
            #expect(set.status == 200)
            func found(_ search: String) async throws -> [String] {
                let list = try await phone.send(.get, "/devices?search=\(search)", key: phone.secret)
                return try #require(list.json["data"]?.elements).compactMap { $0["installation"]?.string }
            }
            // Of the attributes only names, and those of the person, too.
            #expect(try await found("me") == ["i-0", "i-1"])
            #expect(try await found("mei%20chen") == ["i-0"])
            #expect(try await found("bo") == ["i-2"])
            #expect(try await found("zhou") == [])
        }
    }

    @Test func testDevicesAreMadeWithASecretKeyAndListed() async throws {
        try await DeviceAPIFixture.run { phone in
            for index in 1...3 {
                let body = #"{"token":"0\#(index)","environment":"production","tags":["t\#(index % 2)"]}"#
                #expect(try await phone.send(.put, "/devices/i-\(index)", body).status == 200)
            }
            let change = #"{"is_test":true,"nickname":"Anna's phone"}"#
            let refused = try await phone.send(.patch, "/devices/i-2", change)
            #expect(refused.status == 422)
            #expect(
                refused.json["problems"]?.elements?.map { $0["code"] } == [
                    "secret-key-required", "secret-key-required",
                ])
            #expect(try await phone.send(.patch, "/devices/i-2", change, key: phone.secret).status == 200)

            func listed(_ query: String) async throws -> [JSON?] {
                let list = try await phone.send(.get, "/devices\(query)", key: phone.secret)
                #expect(list.status == 200)
                return list.json["data"]?.elements?.map { $0["installation"] } ?? []
            }
            #expect(try await listed("?test=true") == ["i-2"])
            #expect(try await listed("?test=false") == ["i-1", "i-3"])
            #expect(try await listed("?tag=t1") == ["i-1", "i-3"])
            #expect(try await listed("?kind=widget") == [])
            #expect(try await listed("?kind=alert&tag=t0") == ["i-2"])
            #expect(try await phone.send(.get, "/devices?test=1", key: phone.secret).status == 400)
            #expect(try await phone.send(.get, "/devices?tags=t1", key: phone.secret).status == 400)
        }
    }

    @Test func eachOfManyIsStoredOrRefusedByItself() async throws {
        try await DeviceAPIFixture.run { phone in
            let body = #"""
                {"devices":[
                 {"installation":"i-1","token":"01","environment":"production","time_zone":"Moon","is_test":true},
                 {"installation":"i 2","token":"0","environment":"production"},
                 {"installation":"i-3","token":"03","environment":"development","opt_outs":["news"]},
                 {"token":"04","environment":"production"},
                 7,
                 {"installation":"i-1","token":"05","environment":"production"}]}
                """#
            #expect(try await phone.send(.post, "/devices", body).status == 403)
            let answer = try await phone.send(.post, "/devices", body, key: phone.secret)

            #expect(answer.status == 200)
            #expect(answer.json["stored"] == 3 && answer.json["failed"] == 3)
            let results = answer.json["results"]?.elements ?? []
            #expect(results.map { $0["index"] } == [0, 1, 2, 3, 4, 5])
            #expect(results.map { $0["id"] != nil } == [true, false, true, false, false, true])
            #expect(results[0]["id"] == results[5]["id"])
            #expect(results[0]["warnings"]?.elements?.map { $0["code"] } == ["short-token", "unknown-time-zone"])
            #expect(results[2]["warnings"]?.elements?.map { $0["code"] } == ["short-token", "unknown-topic"])
            #expect(
                results[1]["problems"]?.elements?.map { $0["path"] } == ["installation", "token"])
            #expect(results[3]["problems"]?.elements?.map { $0["code"] } == ["missing"])
            #expect(results[4]["problems"]?.elements?.map { $0["code"] } == ["wrong-type"])
            let rows = try await phone.pool.query(
                "SELECT installation, encode(token, 'hex'), is_test FROM devices ORDER BY installation")
            #expect(rows.count == 2)
            // The later of two holds, and what it does not mention stays.
            #expect(try rows[0][0] == "i-1" && rows[0][1] == "05" && rows[0][2] == true)
            #expect(try rows[1][0] == "i-3")
        }
    }

    @Test func listOfAThousandIsTakenAndOneMoreIsRefusedAsAWhole() async throws {
        try await DeviceAPIFixture.run { phone in
            func body(_ count: Int) -> String {
                let devices = (0..<count).map {
                    #"{"installation":"i-\#($0)","token":"\#(String($0 + 4_096, radix: 16))","environment":"production"}"#
                }
                return #"{"devices":[\#(devices.joined(separator: ","))]}"#
            }
            let refused = try await phone.send(.post, "/devices", body(1_001), key: phone.secret)
            #expect(refused.status == 422 && refused.json["field"] == "devices")
            #expect(try await phone.pool.query("SELECT count(*) FROM devices")[0][0] == 0)
            let stored = try await phone.send(.post, "/devices", body(1_000), key: phone.secret)
            #expect(stored.json["stored"] == 1_000)
            #expect(try await phone.pool.query("SELECT count(*) FROM devices")[0][0] == 1_000)
        }
    }

    @Test func bodyThatIsNoListOfDevicesIsRefused() async throws {
        try await DeviceAPIFixture.run { phone in
            for (body, status) in [
                ("{", 400), ("[]", 422), ("{}", 422), (#"{"devices":{}}"#, 422), (#"{"devices":[]}"#, 422),
                (#"{"devices":[],"devices":[]}"#, 400), (#"{"device":[]}"#, 422), (#"{"devices":[{]}"#, 400),
            ] {
                let answer = try await phone.send(.post, "/devices", body, key: phone.secret)
                #expect(answer.status == status, "\(body)")
            }
        }
    }

    @Test func unknownTopicIsWarnedOfAndKept() async throws {
        try await DeviceAPIFixture.run { phone in
            let topic = #"{"key":"offers","name":"Offers"}"#
            #expect(try await phone.send(.post, "/topics", topic, key: phone.secret).status == 201)
            let put = try await phone.send(
                .put, "/devices/i-1", #"{"token":"01","environment":"production","opt_outs":["offers","soon"]}"#)
            #expect(put.status == 200)
            let warnings = put.json["warnings"]?.elements ?? []
            #expect(warnings.map { $0["code"] } == ["short-token", "unknown-topic"])
            let read = try await phone.send(.get, "/devices/i-1", key: phone.secret)
            #expect(read.json["opt_outs"] == ["offers", "soon"])
        }
    }

    @Test func personIsErased() async throws {
        try await DeviceAPIFixture.run { phone in
            for (index, user) in ["anna", "anna", "b/n"].enumerated() {
                let body = #"{"token":"0\#(index)","environment":"production","user_id":"\#(user)"}"#
                #expect(try await phone.send(.put, "/devices/i-\(index)", body).status == 200)
            }
            #expect(try await phone.send(.delete, "/people/anna").status == 403)
            let erased = try await phone.send(.delete, "/people/anna", key: phone.secret)
            #expect(erased.status == 200 && erased.json == ["erased_devices": 2])
            #expect(try await phone.send(.delete, "/people/anna", key: phone.secret).json == ["erased_devices": 0])
            #expect(try await phone.send(.delete, "/people/b%2Fn", key: phone.secret).json == ["erased_devices": 1])
            let long = String(repeating: "a", count: 201)
            #expect(try await phone.send(.delete, "/people/\(long)", key: phone.secret).status == 400)
            #expect(try await phone.send(.delete, "/people/a%00", key: phone.secret).status == 400)
            #expect(try await phone.pool.query("SELECT count(*) FROM devices")[0][0] == 0)
        }
    }
}
