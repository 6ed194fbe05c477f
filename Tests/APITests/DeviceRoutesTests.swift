import Application
import Campaigns
import HTTPTypes
import JSON
import Notifications
import Postgres
import Testing

@testable import API
@testable import Store

struct DeviceRoutesTests {
    private static let body = #"{"token":"00112233445566778899AABBCCDDEEFF","environment":"production"}"#

    @Test func deviceIsRegisteredReadChangedListedAndRemoved() async throws {
        try await DeviceAPIFixture.run { phone in
            let put = try await phone.send(
                .put, "/devices/i-1",
                #"{"token":"00112233445566778899AABBCCDDEEFF","environment":"production","time_zone":"Moon","user_id":"anna"}"#
            )
            #expect(put.status == 200)
            let id = try #require(put.json["id"])
            #expect(put.json["warnings"]?.encoded().count ?? 0 > 2)

            let read = try await phone.send(.get, "/devices/i-1", key: phone.secret)
            #expect(read.status == 200)
            #expect(read.json["id"] == id)
            #expect(read.json["token_ending"] == "eeff")
            #expect(read.json["time_zone"] == .null)
            #expect(!String(decoding: read.json.encoded(), as: UTF8.self).lowercased().contains("00112233"))

            #expect(
                try await phone.send(.patch, "/devices/i-1", #"{"user_id":null,"attributes":{"a":1}}"#).status == 200)
            #expect(try await phone.send(.put, "/devices/i-2", Self.body.replacing("0011", with: "aa11")).status == 200)
            let list = try await phone.send(.get, "/devices?limit=1", key: phone.secret)
            guard case .array(let data)? = list.json["data"], case .string(let cursor)? = list.json["next_cursor"]
            else {
                Issue.record("no page")
                return
            }
            #expect(data.count == 1 && data[0]["attributes"]?["a"] == 1 && data[0]["user_id"] == .null)
            let next = try await phone.send(.get, "/devices?limit=1&cursor=\(cursor)", key: phone.secret)
            #expect(next.json["data"].map { String(decoding: $0.encoded(), as: UTF8.self) }?.contains("i-2") == true)

            #expect(try await phone.send(.delete, "/devices/i-1").status == 204)
            #expect(try await phone.send(.delete, "/devices/i-1").status == 204)
            #expect(try await phone.send(.delete, "/devices/i-9").status == 404)
            let removed = try await phone.send(.get, "/devices/i-1", key: phone.secret)
            #expect(removed.json["retired_reason"] == "removed")
        }
    }

    @Test func invalidFieldsAreReportedAndNothingIsStored() async throws {
        try await DeviceAPIFixture.run { phone in
            let refused = try await phone.send(.put, "/devices/i-1", #"{"token":"zz","environment":"x","y":1}"#)
            #expect(refused.status == 422)
            guard case .array(let problems)? = refused.json["problems"] else {
                Issue.record("no problems")
                return
            }
            #expect(problems.map { $0["path"] } == ["token", "environment", "y"])
            #expect(try await phone.send(.put, "/devices/i-1", "{").status == 400)
            #expect(try await phone.send(.put, "/devices/i-1", Self.body, type: "text/plain").status == 415)
            #expect(try await phone.send(.put, "/devices/a%20b", Self.body).status == 400)
            #expect(
                try await phone.send(.put, "/devices/\(String(repeating: "a", count: 200))", Self.body).status == 200)
            #expect(
                try await phone.send(.put, "/devices/\(String(repeating: "a", count: 201))", Self.body).status == 400)
            #expect(try await phone.send(.patch, "/devices/none", "{}").status == 404)
            let count: Int = try await phone.pool.query("SELECT count(*) FROM devices")[0][0]
            #expect(count == 1)
        }
    }

    @Test func genuineEventsAreStoredAndForgedOnesRefusedByIndex() async throws {
        try await DeviceAPIFixture.run { phone in
            let genuine = MessageID(messageNumber: 5, device: 6, key: phone.messageKey)
            // With the other device's tag.
            let forged = MessageID(messageNumber: 5, device: 7, tag: genuine.low << 26)
            let body = """
                {"events":[{"message_id":"\(forged.text)","kind":"opened"},{"message_id":"\(genuine.text)","kind":"opened"},
                 {"message_id":"\(genuine.text)","kind":"opened"},{"message_id":"\(genuine.text)","kind":"delivered"}]}
                """
            let answer = try await phone.send(.post, "/acknowledgements", body)
            #expect(answer.status == 200)
            #expect(answer.json["stored"] == 2)
            #expect(answer.json["duplicates"] == 1)
            guard case .array(let refused)? = answer.json["failed"] else {
                Issue.record("nothing refused")
                return
            }
            #expect(refused.map { $0["index"] } == [0])
            #expect(refused.first?["code"] == "unknown-message")
            let again = try await phone.send(.post, "/acknowledgements", body)
            #expect(again.json["stored"] == 0 && again.json["duplicates"] == 3)
        }
    }

    @Test func eventsOfAllKindsAreStoredWithTheTimeOfACorrectedClock() async throws {
        try await DeviceAPIFixture.run { phone in
            let id = MessageID(messageNumber: 5, device: 6, key: phone.messageKey).text
            // The phone's clock is in the year 2001, and each event happened a minute before the request.
            let at = #""message_id":"\#(id)","at":"2001-01-01T00:00:00Z""#
            let body = #"""
                {"sent_at":"2001-01-01T00:01:00Z","events":[
                 {\#(at),"kind":"delivered"},{\#(at),"kind":"presented"},{\#(at),"kind":"opened"},
                 {\#(at),"kind":"action","action":"reply"},{\#(at),"kind":"dismissed"},
                 {\#(at),"kind":"text","text":"On my way"},
                 {\#(at),"kind":"converted","action":"purchase","value":19.99}]}
                """#
            let answer = try await phone.send(.post, "/acknowledgements", body)
            #expect(answer.json["stored"] == 7 && answer.json["failed"] == [] && answer.json["warnings"] == [])
            let times = try await phone.pool.query(
                """
                SELECT count(*) FROM events
                WHERE is_time_corrected AND received_at - happened_at BETWEEN '59 seconds' AND '61 seconds'
                """)
            // A device that opens a push is also engaged.
            #expect(try times[0][0] as Int == 8)
            let early = body.replacing("2001-01-01T00:00:00Z", with: "2000-01-01T00:00:00Z")
            let refused = try await phone.send(.post, "/acknowledgements", early)
            guard case .array(let remarks)? = refused.json["failed"] else {
                Issue.record("nothing refused")
                return
            }
            #expect(remarks.map { $0["code"] } == Array(repeating: "before-start", count: 7))
        }
    }
}
