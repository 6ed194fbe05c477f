import Campaigns
import HTTPTypes
import JSON
import Postgres
import Store
import Testing

@testable import API

/// Names that people and apps choose: one line, nothing that a terminal obeys, nothing that an address can't contain.
struct NamesOfPeopleTests {
    private static let bad = [
        "a\u{1B}[2Jb", "a\nb", "a\u{202E}b", "a\u{2066}b", "a\u{2028}b", "a\u{85}b", "a\u{7F}b",
        " ", "\u{A0}", "\u{3164}", "\u{200B}\u{2800}",
    ]

    @Test(arguments: bad)
    func nameWithAControlCharacterIsRefused(_ name: String) async throws {
        try await APIFixture.run { api in
            let root = "/v1/apps/\(try await api.app())"
            let text = JSON.string(name)
            let payload: JSON = ["aps": ["alert": "Hello"]]
            let bodies: [(String, JSON)] = [
                ("/v1/apps", ["name": text, "bundle_id": "com.example.other"]),
                ("/v1/keys", ["name": text, "kind": "secret", "scopes": ["apps:read"]]),
                ("/v1/users", ["email": "ada@example.com", "name": text, "roles": []]),
                ("/v1/users", ["email": .string(name + "@example.com"), "roles": []]),
                (root + "/campaigns", ["name": text, "payload": payload]),
                (root + "/templates", ["name": text, "content": ["payload": payload]]),
                (root + "/segments", ["name": text, "audience": ["include": ["tag": "vip"]]]),
                (root + "/topics", ["key": "offers", "name": text]),
                (root + "/categories", ["identifier": text, "actions": []]),
                (root + "/local-plans", ["name": text, "notifications": []]),
                (root + "/tag-changes", ["audience": ["include": ["tag": "vip"]], "add_tags": [text]]),
            ]
            for (path, body) in bodies {
                let refused = try await api.send(.post, path, body)
                #expect(refused.status == 422, "\(path)")
            }
            let encoded = name.utf8.map { byte in
                let digits = String(byte, radix: 16)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }.joined()
            let file = try await api.sendBytes(
                .post, "\(root)/media?name=\(encoded)", StubProbe.png, type: "application/octet-stream")
            #expect(file.status == 400 && file.code == "invalid-name")
        }
    }

    @Test(arguments: [".", ".."])
    func dotsAreNoCategory(_ name: String) async throws {
        try await APIFixture.run { api in
            let root = "/v1/apps/\(try await api.app())"
            let refused = try await api.send(
                .post, root + "/categories", ["identifier": .string(name), "actions": []])
            #expect(refused.status == 422)
        }
    }

    /// Servers forget to remove a line end, and the person would be another one.
    @Test(arguments: bad)
    func personIsNotNamedSo(_ name: String) async throws {
        try await DeviceAPIFixture.run { phone in
            let text = String(decoding: JSON.string(name).encoded(), as: UTF8.self)
            let token = #""token":"00112233445566778899aabbccddeeff","environment":"production""#
            for member in [#""user_id":\#(text)"#, #""attributes":{\#(text):1}"#, #""nickname":\#(text)"#] {
                let refused = try await phone.send(.put, "/devices/i-1", "{\(token),\(member)}", key: phone.secret)
                #expect(refused.status == 422, "\(member)")
            }
        }
    }

    @Test(arguments: [".", ".."])
    func deviceIsNotNamedSo(_ name: String) async throws {
        try await DeviceAPIFixture.run { phone in
            let text = String(decoding: JSON.string(name).encoded(), as: UTF8.self)
            let token = #""token":"00112233445566778899aabbccddeeff","environment":"production""#
            for member in [#""user_id":\#(text)"#, #""attributes":{\#(text):1}"#] {
                let refused = try await phone.send(.put, "/devices/i-1", "{\(token),\(member)}", key: phone.secret)
                #expect(refused.status == 422, "\(member)")
            }
            let bulk = try await phone.send(
                .post, "/devices", #"{"devices":[{"installation":\#(text),\#(token)}]}"#, key: phone.secret)
            #expect(bulk.json["failed"] == 1)
        }
    }

    @Test(arguments: ["%2E", "%2e%2E", ".%2e"])
    func dotsAreNoSegmentOfAnAddress(_ name: String) async throws {
        try await DeviceAPIFixture.run { phone in
            let body = #"{"token":"00112233445566778899aabbccddeeff","environment":"production"}"#
            let device = try await phone.send(.put, "/devices/\(name)", body)
            #expect(device.status >= 400 && device.status < 500)
            let person = try await phone.send(.patch, "/people/\(name)", #"{"tags":[]}"#, key: phone.secret)
            #expect(person.status >= 400 && person.status < 500)
        }
    }

    @Test func publishableKeyFillsHalfOfTheCountedTags() async throws {
        try await DeviceAPIFixture.run { phone in
            func tags(_ prefix: String) -> String {
                "[" + (0..<30).map { "\"\(prefix)\($0)\"" }.joined(separator: ",") + "]"
            }
            let token = #""token":"00112233445566778899aabbccddeeff","environment":"production""#
            let app = try await phone.send(.put, "/devices/i-1", "{\(token),\"tags\":\(tags("app"))}")
            #expect(app.status == 200)
            func counted() async throws -> Int { try await phone.pool.query("SELECT count(*) FROM counted_tags")[0][0] }
            #expect(try await counted() == 15)
            let server = try await phone.send(
                .patch, "/devices/i-1", #"{"tags":\#(tags("server"))}"#, key: phone.secret)
            #expect(server.status == 200)
            #expect(try await counted() == 30)
        }
    }
}
