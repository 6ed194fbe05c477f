import HTTPTypes
import JSON
import Notifications
import Postgres
import TestSupport
import Testing

@Suite struct TemplateRoutesTests {
    static let content: JSON = [
        "payload": ["aps": ["alert": ["title": "Hello {{ first_name | default: \"there\" }}"]]],
        "variants": ["ja": ["aps": ["alert": ["title": "こんにちは {{ first_name }}"]]]],
    ]

    @Test(arguments: APIFixture.Transport.allCases)
    func eachSaveMakesAVersionThatStays(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let path = "/v1/apps/\(try await api.app())/templates"
            let made = try await api.send(.post, path, ["name": "Welcome", "content": Self.content])
            #expect(made.status == 201)
            #expect(made.headers[.eTag]?.hasPrefix("\"1-") == true)
            #expect(try made.json["content"]?["payload"] == Self.content["payload"])
            #expect(try made.json["content"]?["variants"] == Self.content["variants"])
            let sizes = try #require(try made.json["sizes"]?.elements)
            #expect(sizes.map { $0["locale"] } == [.null, "ja"])
            #expect(sizes.allSatisfy { $0["limit"] == 4096 && $0["max_bytes"] != 0 })
            let one = path + "/" + made.text("id")

            let other: JSON = ["payload": ["aps": ["alert": "Bye"]]]
            let blind = try await api.send(.patch, one, ["content": other])
            #expect(blind.status == 428)
            let saved = try await api.send(.patch, one, ["content": other], headers: [.ifMatch: "\"1\""])
            #expect(saved.headers[.eTag]?.hasPrefix("\"2-") == true)
            #expect(saved.text("name") == "Welcome")
            let late = try await api.send(.patch, one, ["name": "Late"], headers: [.ifMatch: "\"1\""])
            #expect(late.status == 412)

            let newest = try await api.send(.get, one)
            #expect(try newest.json["content"]?["payload"] == other["payload"])
            #expect(try newest.json["content_version"] == 2)
            let first = try await api.send(.get, one + "?version=1")
            #expect(try first.json["content"]?["payload"] == Self.content["payload"])
            #expect(try first.json["version"] == 2)
            #expect(try await api.send(.get, one + "?version=3").code == "version-not-found")
            let versions = try #require(try await api.send(.get, one + "/versions").json["data"]?.elements)
            #expect(versions.map { $0["version"] } == [2, 1])
        }
    }

    @Test(arguments: [
        #"{"payload":"{{ x | as_number }}"}"#, #"{"payload":{},"variants":{"de":"{{ x | as_number }}"}}"#,
        #"{"payload":[1]}"#,
    ])
    func payloadThatIsNoObjectIsNotShownEither(content: String) async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/templates"
            let content = try JSON(parsing: content)

            #expect(try await api.send(.post, path + "/preview", ["content": content]).status == 422)
            #expect(try await api.send(.post, path, ["name": "a", "content": content]).status == 422)
        }
    }

    @Test func unfilledPlaceholdersGiveWarnings() async throws {
        try await APIFixture.run { api in
            let app = "/v1/apps/\(try await api.app())"
            let payload: JSON = ["aps": ["alert": ["body": "Hi {{ first_name }}"]]]
            let campaign = try await api.send(.post, app + "/campaigns", ["name": "a", "payload": payload])
            #expect(campaign.status == 201)
            #expect(try campaign.json["warnings"]?.elements?.map { $0["path"] } == ["payload.aps.alert.body"])
            let content: JSON = ["payload": ["aps": ["alert": "a"]], "collapse_id": "{{ user_id }}"]
            let template = try await api.send(.post, app + "/templates", ["name": "a", "content": content])
            #expect(try template.json["problems"]?.elements?.map { $0["path"] } == ["content.collapse_id"])
        }
    }

    @Test func nullCharactersAreRefused() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/templates"
            let text = #"{"name":"a","content":{"payload":{"aps":{"alert":"a\u0000"},"k\u0000":1}}}"#

            let answer = try await api.send(.post, path, try JSON(parsing: text))

            #expect(answer.status == 422)
            #expect(answer.problems.count { $0.contains("null-character") } == 2)
        }
    }

    @Test func contentThatWouldTakeLongToReadIsRefusedSoon() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/templates/preview"
            let braces = JSON.string(String(repeating: "{", count: 32_000))
            let placeholders = JSON.string(String(repeating: "{{ a }}", count: 4_000))
            let terms = JSON.string("{% if a" + String(repeating: " and a", count: 5_000) + " %}x{% endif %}")
            for text in [braces, placeholders, terms] {
                let payload = JSON.object((0..<30).map { JSON.Member("k\($0)", text) })
                let begun = ContinuousClock.now
                let answer = try await api.send(.post, path, ["content": ["payload": payload]])
                #expect(answer.status == 422, "\(answer.code) \(answer.text("detail"))")
                // It takes five seconds of a processor, and more of them where eight tests share two.
                #expect(ContinuousClock.now - begun < .seconds(100))
            }
        }
    }

    @Test func messageIDKeyThatAContentHasIsNotTaken() async throws {
        try await APIFixture.run { api in
            let app = "/v1/apps/\(try await api.app())"
            let content: JSON = [
                "payload": ["aps": ["alert": "a"]], "variants": ["de": ["aps": ["alert": "b"], "mid": 1]],
            ]
            _ = try await api.send(.post, app + "/templates", ["name": "Sale", "content": content])
            let tag = try #require(try await api.send(.get, app).headers[.eTag])

            let taken = try await api.send(.patch, app, ["message_id_key": "mid"], headers: [.ifMatch: tag])
            #expect(taken.status == 409)
            #expect(taken.code == "message-id-key-in-use")
            let other = try await api.send(.patch, app, ["message_id_key": "nid"], headers: [.ifMatch: tag])
            #expect(other.status == 200)
        }
    }

    @Test func allProblemsAreReportedTogether() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/templates",
                [
                    "name": "",
                    "content": [
                        "payload": ["aps": ["alert": "{{ name | shout }}", "badge": "2"]],
                        "variants": [
                            "ja": ["aps": ["alert": "{% if a %}"]],
                            "de": ["aps": ["alert": .string(String(repeating: "a", count: 5_000))]],
                        ],
                    ],
                ])

            #expect(answer.status == 422)
            let paths = answer.problems.map { $0.prefix { $0 != ":" } }
            for path in [
                "name", "content.payload.aps.alert", "content.payload.aps.badge", "content.variants.ja.aps.alert",
                "content.variants.de",
            ] { #expect(paths.contains(path[...]), "\(path) in \(answer.problems)") }
            #expect(try await api.send(.get, "/v1/apps/\(app)/templates").page.ids.isEmpty)

            let misspelt = try await api.send(
                .post, "/v1/apps/\(app)/templates", ["name": "A", "content": ["payload": [:], "variant": [:]]])
            #expect(misspelt.problems == ["content.variant: unknown-field"])
        }
    }

    @Test func longestValuesOfDevicesAndCategoriesGiveWarnings() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/templates"
            try await api.pool.execute(
                """
                INSERT INTO known_attributes (app_id, name, longest)
                SELECT id, 'first_name', 5000 FROM apps
                """)
            try await api.pool.execute(
                "INSERT INTO categories (app_id, identifier, definition) SELECT id, 'invite', '{}' FROM apps")

            let answer = try await api.send(
                .post, path,
                [
                    "name": "A",
                    "content": ["payload": ["aps": ["alert": "{{ first_name }} {{ city }}", "category": "invites"]]],
                ])

            #expect(answer.status == 201)
            let problems = Set(answer.problems)
            #expect(problems.contains("content.payload: payload-may-be-too-large"))
            #expect(problems.contains("content.payload.aps.category: unknown-category"))
            #expect(problems.contains("content.payload.aps.alert: unknown-attribute"))
            let list = try #require(try answer.json["problems"]?.elements)
            #expect(list.allSatisfy { $0["severity"] == "warning" })
        }
    }

    @Test func duplicateHasTheNewestContentAndALifeOfItsOwn() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/templates"
            let made = try await api.send(.post, path, ["name": "Welcome", "content": Self.content])
            let one = path + "/" + made.text("id")

            let copy = try await api.send(.post, one + "/duplicate", headers: [.contentType: "application/json"])
            let named = try await api.send(.post, one + "/duplicate", ["name": "Farewell"])

            #expect(copy.status == 201)
            #expect(copy.text("name") == "Welcome (copy)")
            #expect(named.text("name") == "Farewell")
            #expect(try copy.json["content"] == made.json["content"])
            #expect(try copy.json["version"] == 1)
            let ids = try await api.send(.get, path).page.ids
            #expect(ids == [named.text("id"), copy.text("id"), made.text("id")])
        }
    }

    @Test func archivedTemplateIsNotEditedAndNotListed() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/templates"
            let made = try await api.send(.post, path, ["name": "Welcome", "content": Self.content])
            let one = path + "/" + made.text("id")

            let archived = try await api.send(.post, one + "/archive")
            #expect(try archived.json["archived_at"] != .null)
            #expect(try await api.send(.post, one + "/archive").body == archived.body)
            #expect(try await api.send(.get, path).page.ids.isEmpty)
            #expect(try await api.send(.get, path + "?archived=true").page.ids == [made.text("id")])
            let edit = try await api.send(.patch, one, ["name": "B"], headers: [.ifMatch: "*"])
            #expect(edit.code == "template-archived")
            #expect(try await api.send(.post, one + "/unarchive").json["archived_at"] == .null)
            #expect(try await api.send(.patch, one, ["name": "B"], headers: [.ifMatch: "*"]).status == 200)
        }
    }

    @Test func previewShowsWhatSomebodyWouldGet() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/templates"
            let made = try await api.send(.post, path, ["name": "Welcome", "content": Self.content])
            try await api.pool.insertDevice(
                "phone", of: app, ["locale": "'ja-JP'", "attributes": #"'{"first_name": "Aiko \"A\""}'"#])

            let device = try await api.send(.post, path + "/\(made.text("id"))/preview", ["installation": "phone"])
            #expect(device.status == 200)
            #expect(try device.json["selected"] == 1)
            #expect(try device.json["would_send"] == true)
            let variants = try #require(try device.json["variants"]?.elements)
            #expect(variants[1]["payload"]?["aps"]?["alert"]?["title"] == "こんにちは Aiko \"A\"")

            let nobody = try await api.send(
                .post, path + "/preview", ["content": Self.content, "recipient": ["locale": "ja"]])
            #expect(try nobody.json["would_send"] == false)
            let shown = try #require(try nobody.json["variants"]?.elements)
            #expect(shown[1]["missing"] == ["first_name"])
            #expect(shown[0]["would_send"] == true)
            #expect(shown[0]["payload"]?["aps"]?["alert"]?["title"] == "Hello there")

            let both = try await api.send(
                .post, path + "/preview", ["content": Self.content, "recipient": ["age": 1], "installation": "none"])
            #expect(
                both.problems.sorted() == [
                    "installation: unknown-device", "recipient.age: unknown-field", "recipient: mutually-exclusive",
                ])
            let broken = try await api.send(
                .post, path + "/preview", ["content": ["payload": ["aps": ["alert": "{{ a"]]]])
            #expect(broken.status == 422)
            #expect(broken.problems.contains { $0.hasPrefix("content.payload.aps.alert") })
        }
    }

    @Test func mediaStandUnderTheAppsKeysAndMustBeThere() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/templates"
            func content(_ media: JSON) -> JSON { ["payload": ["aps": ["alert": "A"]], "media": media] }
            let url = "https://example.com/cat.png"

            let preview = try await api.send(.post, path + "/preview", ["content": content(["url": .string(url)])])
            let variants = try #require(try preview.json["variants"]?.elements)
            #expect(variants[0]["payload"]?["attachment-url"] == .string(url))
            #expect(variants[0]["payload"]?["aps"]?["mutable-content"] == 1)

            for (media, problem) in [
                (["id": "9"], "media-not-found"), (["url": "http://example.com/cat.png"], "media-refused"),
            ] as [(JSON, String)] {
                let answer = try await api.send(.post, path, ["name": "A", "content": content(media)])
                #expect(answer.problems == ["content.media: \(problem)"])
            }
        }
    }

    @Test func templateIsDeletedUnlessACampaignUsesIt() async throws {
        try await APIFixture.run { api in
            let root = "/v1/apps/\(try await api.app())"
            let made = try await api.send(.post, root + "/templates", ["name": "T", "content": Self.content])
            let path = root + "/templates/" + made.text("id")
            let copy = root + "/templates/" + (try await api.send(.post, path + "/duplicate")).text("id")
            let campaign = try await api.send(
                .post, root + "/campaigns", ["name": "C", "template": .string(made.text("id"))])
            #expect(campaign.status == 201)
            #expect(try await api.send(.delete, path).code == "template-in-use")
            #expect(try await api.send(.delete, copy).status == 204)
            #expect(try await api.send(.get, copy).status == 404)
        }
    }
}
