import Campaigns
import HTTPTypes
import JSON
import Notifications
import Testing

@Suite struct AppRoutesTests {
    @Test(arguments: APIFixture.Transport.allCases)
    func appIsMadeReadEditedAndDeleted(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let made = try await api.send(.post, "/v1/apps", ["name": "Shop", "bundle_id": "com.example.Shop"])
            #expect(made.status == 201)
            #expect(made.headers[.eTag]?.hasPrefix("\"1-") == true)
            #expect(try made.json["default_locale"] == "en")
            #expect(try made.json["message_id_key"] == "i")
            let path = "/v1/apps/" + made.text("id")
            #expect(try await api.send(.get, path).body == made.body)

            let renamed = try await api.send(.patch, path, ["name": "Store", "default_time_zone": "Europe/Berlin"])
            #expect(renamed.status == 200)
            #expect(try renamed.json["name"] == "Store")
            #expect(try renamed.json["bundle_id"] == "com.example.Shop")
            #expect(try renamed.json["default_time_zone"] == "Europe/Berlin")

            #expect(try await api.send(.delete, path).status == 204)
            let gone = try await api.send(.get, path)
            #expect(gone.status == 404)
            #expect(gone.code == "app-not-found")
        }
    }

    @Test func bundleIDWithASpaceIsRefusedWithItsField() async throws {
        try await APIFixture.run { api in
            let answer = try await api.send(.post, "/v1/apps", ["name": "Shop", "bundle_id": "com.example. Shop"])

            #expect(answer.status == 422)
            #expect(answer.code == "invalid-body")
            #expect(answer.text("field") == "bundle_id")
            #expect(answer.text("detail").contains("no space"))
            #expect(try await api.send(.get, "/v1/apps").page.ids.isEmpty)
        }
    }

    @Test func allProblemsAreReportedTogether() async throws {
        try await APIFixture.run { api in
            let answer = try await api.send(
                .post, "/v1/apps",
                [
                    "name": .string(String(repeating: "n", count: 101)), "bundle": "com.example.Shop",
                    "message_id_key": "aps", "default_locale": 7, "default_time_zone": "a\u{0}b",
                ])

            #expect(answer.status == 422)
            let expected = [
                "bundle: unknown-field", "bundle_id: missing", "default_locale: wrong-type",
                "default_time_zone: bad-character", "message_id_key: not-allowed", "name: too-long",
            ]
            #expect(answer.problems.sorted() == expected)
        }
    }

    @Test func nameOfAHundredCharactersIsTaken() async throws {
        try await APIFixture.run { api in
            let name = String(repeating: "ü", count: 100)

            let answer = try await api.send(
                .post, "/v1/apps", ["name": .string(name), "bundle_id": "com.example.Shop"])

            #expect(answer.status == 201)
            #expect(answer.text("name") == name)
        }
    }

    @Test func takenBundleIDAndUnknownTimeZoneAreRefused() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()

            let taken = try await api.send(.post, "/v1/apps", ["name": "Again", "bundle_id": "com.example.Shop"])
            #expect(taken.status == 409)
            #expect(taken.code == "bundle-id-taken")
            #expect(taken.text("field") == "bundle_id")
            let zone = try await api.send(.patch, "/v1/apps/\(app)", ["default_time_zone": "Mars/Olympus"])
            #expect(zone.status == 422)
            #expect(zone.code == "unknown-time-zone")
        }
    }

    @Test func bodyThatIsNotJSONIsRefusedWithTheOffset() async throws {
        try await APIFixture.run { api in
            let broken = try await api.sendText(.post, "/v1/apps", #"{"name":,}"#, type: "application/json")
            #expect(broken.status == 400)
            #expect(broken.code == "invalid-json")
            #expect(broken.text("detail").contains("byte 8"))
            let list = try await api.sendText(.post, "/v1/apps", "[]", type: "application/json; charset=utf-8")
            #expect(list.code == "not-an-object")
            let form = try await api.sendText(.post, "/v1/apps", "name=Shop", type: "application/x-www-form-urlencoded")
            #expect(form.status == 415)
            #expect(form.code == "unsupported-media-type")
            let untyped = try await api.sendText(.post, "/v1/apps", "{}", type: nil)
            #expect(untyped.status == 415)
        }
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func bodyBeyondTheLimitIsRefused(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            func body(_ size: Int) -> String { "{\"name\":\"" + String(repeating: "n", count: size - 11) + "\"}" }

            let atLimit = try await api.sendText(.post, "/v1/apps", body(64 * 1024), type: "application/json")
            let beyond = try await api.sendText(.post, "/v1/apps", body(64 * 1024 + 1), type: "application/json")

            #expect(atLimit.status == 422)
            #expect(beyond.status == 413)
            #expect(beyond.code == "body-too-large")
        }
    }

    @Test func listGoesByThePage() async throws {
        try await APIFixture.run { api in
            var apps: [String] = []
            for index in 0..<5 { apps.append(try await api.app("com.example.App\(index)")) }

            var listed: [String] = []
            var cursor: String?
            repeat {
                let page = try await api.send(.get, "/v1/apps?limit=2" + (cursor.map { "&cursor=\($0)" } ?? "")).page
                listed += page.ids
                cursor = page.next
            } while cursor != nil

            #expect(listed == apps.reversed())
            for (query, code) in [
                ("limit=0", "invalid-limit"), ("limit=201", "invalid-limit"), ("limit=x", "invalid-limit"),
                ("cursor=!", "invalid-cursor"), ("cursor=MA", "invalid-cursor"), ("page=2", "unknown-parameter"),
            ] {
                let answer = try await api.send(.get, "/v1/apps?" + query)
                #expect(answer.status == 400)
                #expect(answer.code == code)
            }
            #expect(try await api.send(.get, "/v1/apps?limit=200").status == 200)
        }
    }

    @Test func ifMatchOfAnOlderVersionIsRefused() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/" + (try await api.app())
            _ = try await api.send(.patch, path, ["name": "Second"])

            let old = try await api.send(.patch, path, ["name": "Third"], headers: [.ifMatch: "\"1\""])
            let current = try await api.send(.patch, path, ["name": "Third"], headers: [.ifMatch: "\"2\""])
            let broken = try await api.send(.patch, path, ["name": "Third"], headers: [.ifMatch: "3"])

            #expect(old.status == 412)
            #expect(old.code == "version-conflict")
            #expect(current.status == 200)
            #expect(broken.code == "invalid-if-match")
        }
    }

    @Test func attachmentKeysAreTheAppsOwn() async throws {
        try await APIFixture.run { api in
            let made = try await api.send(.post, "/v1/apps", ["name": "Shop", "bundle_id": "com.example.Shop"])
            #expect(try made.json["attachment_url_key"] == "attachment-url")
            #expect(try made.json["attachment_type_key"] == "attachment-type")
            let path = "/v1/apps/" + made.text("id")

            let changed = try await api.send(
                .patch, path, ["attachment_url_key": "attachment-image", "attachment_type_key": .null])
            #expect(try changed.json["attachment_url_key"] == "attachment-image")
            #expect(try changed.json["attachment_type_key"] == .null)

            let refusals: [(JSON, String)] = [
                (["attachment_url_key": "aps"], "attachment_url_key: custom-key-aps"),
                (["attachment_url_key": "i"], "attachment_url_key: message-id-key-in-use"),
                (["message_id_key": "attachment-image"], "attachment_url_key: message-id-key-in-use"),
                (["attachment_type_key": "attachment-image"], "attachment_type_key: duplicate-key"),
                (["attachment_type_key": .string(String(repeating: "k", count: 33))], "attachment_type_key: too-long"),
            ]
            for (body, problem) in refusals {
                let answer = try await api.send(.patch, path, body)
                #expect(answer.problems == [problem])
            }
            #expect(try await api.send(.get, path).body == changed.body)
        }
    }
}
