import Campaigns
import HTTPTypes
import JSON
import Notifications
import Store
import Testing

@Suite struct CategoryRoutesTests {
    private static let message: JSON = [
        "identifier": "MESSAGE",
        "actions": [
            [
                "identifier": "reply", "title": ["default": "Reply", "zh-Hant": "回覆"],
                "options": ["authentication_required"],
                "text_input": ["button_title": "Send", "placeholder": ["default": "Message", "zh-Hant": "訊息"]],
            ],
            ["identifier": "delete", "title": "Delete", "options": ["destructive", "foreground"]],
        ],
        "intent_identifiers": ["INSendMessageIntent"],
        "hidden_previews_body_placeholder": "%u messages",
        "options": ["custom_dismiss_action", "allow_in_car_play"],
        "content_extension": ["initial_content_size_ratio": 0.5],
    ]

    private static func publishable(_ api: APIFixture, _ app: String) async throws -> String {
        try await api.send(.post, "/v1/apps/\(app)/keys", ["name": "app", "kind": "publishable"]).text("key")
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func categoryIsMadeEditedAndDeleted(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let list = "/v1/apps/\(try await api.app())/categories"
            let made = try await api.send(.post, list, Self.message)
            #expect(made.status == 201)
            #expect(made.headers[.eTag]?.hasPrefix("\"1-") == true)
            #expect(try made.json["warnings"] == [])
            let path = list + "/" + made.text("id")
            #expect(try await api.send(.get, path).body == made.body)

            #expect(try await api.send(.patch, path, ["options": []]).code == "if-match-required")
            let edited = try await api.send(
                .patch, path, ["content_extension": .null, "identifier": "CHAT"], headers: [.ifMatch: "\"1\""])
            #expect(try edited.json["identifier"] == "CHAT")
            #expect(try edited.json["content_extension"] == nil)
            #expect(try edited.json["actions"] == made.json["actions"])
            let late = try await api.send(.patch, path, ["options": []], headers: [.ifMatch: "\"1\""])
            #expect(late.code == "version-conflict")
            #expect(try await api.send(.get, list).page.ids == [made.text("id")])

            #expect(try await api.send(.delete, path).status == 204)
            #expect(try await api.send(.get, path).code == "category-not-found")
        }
    }

    @Test func archivedCategoryLeavesTheListAndIsRegisteredStill() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let list = "/v1/apps/\(app)/categories"
            let made = try await api.send(.post, list, Self.message)
            let path = list + "/" + made.text("id")
            let late = try await api.send(.post, path + "/archive", headers: [.ifMatch: "\"7\""])
            #expect(late.code == "version-conflict")
            let archived = try await api.send(.post, path + "/archive", headers: [.ifMatch: "\"1\""])
            #expect(archived.status == 200)
            #expect(try archived.json["archived_at"] != .null)
            #expect(try await api.send(.get, list).page.ids == [])
            #expect(try await api.send(.get, list + "?archived=true").page.ids == [made.text("id")])

            // Pushes on phones name it, so apps go on registering it.
            let key = try await Self.publishable(api, app)
            let registered = try await api.send(.get, list + "/registration", key: key)
            let source = try await api.send(.get, list + "/source")
            for answer in [registered, source] {
                #expect(String(decoding: answer.body, as: UTF8.self).contains("MESSAGE"))
            }
            // An edit leaves it in the archive.
            let edited = try await api.send(.patch, path, ["options": []], headers: [.ifMatch: "\"2\""])
            #expect(try edited.json["archived_at"] == archived.json["archived_at"])

            let back = try await api.send(.post, path + "/unarchive")
            #expect(try back.json["archived_at"] == .null)
            #expect(try await api.send(.get, list).page.ids == [made.text("id")])
        }
    }

    @Test func allProblemsAreReportedAndNothingIsStored() async throws {
        try await APIFixture.run { api in
            let list = "/v1/apps/\(try await api.app())/categories"

            let answer = try await api.send(
                .post, list,
                [
                    "identifier": "", "optionz": [],
                    "actions": [
                        ["identifier": "a", "title": "A", "options": ["red"]], ["title": 7, "identifier": "a"],
                    ],
                ])

            #expect(answer.status == 422)
            let expected = [
                "actions[0].options[0]: unknown-value", "actions[1].identifier: duplicate-action",
                "actions[1].title: wrong-type", "identifier: empty", "optionz: unknown-field",
            ]
            #expect(answer.problems.sorted() == expected)
            #expect(try await api.send(.get, list).page.ids.isEmpty)
        }
    }

    @Test func identifierIsTakenOnlyOnce() async throws {
        try await APIFixture.run { api in
            let list = "/v1/apps/\(try await api.app())/categories"
            _ = try await api.send(.post, list, Self.message)

            let second = try await api.send(.post, list, ["identifier": "MESSAGE"])

            #expect(second.status == 409)
            #expect(second.code == "category-identifier-taken")
            #expect(second.text("field") == "identifier")
        }
    }

    @Test func warningsAreAboutAllCategoriesOfTheApp() async throws {
        try await APIFixture.run { api in
            let list = "/v1/apps/\(try await api.app())/categories"
            let first = try await api.send(.post, list, Self.message)
            let actions = JSON.array(
                (0..<5).map { ["identifier": .string($0 == 4 ? "reply" : "a\($0)"), "title": "Title"] })

            let second = try await api.send(.post, list, ["identifier": "MANY", "actions": actions])

            func codes(_ answer: Answer) throws -> [JSON?] {
                guard case .array(let warnings) = try answer.json["warnings"] else { return [] }
                return warnings.map { $0["code"] }
            }
            let expected: [JSON?] = [
                "more-than-four-actions", "more-than-two-in-banner", "action-in-other-category",
            ]
            #expect(second.status == 201)
            #expect(try codes(second) == expected)
            // The first one has an action in common with it too, by now.
            let path = list + "/" + first.text("id")
            #expect(try codes(try await api.send(.get, path)) == ["action-in-other-category"])
        }
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func appRegistersWhatItFetches(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let app = try await api.app()
            let key = try await Self.publishable(api, app)
            _ = try await api.send(.post, "/v1/apps/\(app)/categories", Self.message)
            let path = "/v1/apps/\(app)/categories/registration?locale=zh_Hant_HK"

            let answer = try await api.send(.get, path, key: key)

            let registration = try AppClient.read(AppClient.Registration.self, answer.body)
            #expect(registration.form == "un")
            let expected = AppClient.Category(
                identifier: "MESSAGE",
                actions: [
                    AppClient.Action(
                        identifier: "reply", title: "回覆", options: 1,
                        textInput: .init(buttonTitle: "Send", placeholder: "訊息")),
                    AppClient.Action(identifier: "delete", title: "Delete", options: 6, textInput: nil),
                ], intentIdentifiers: ["INSendMessageIntent"], hiddenPreviewsBodyPlaceholder: "%u messages",
                options: 3)
            #expect(registration.categories == [expected])

            let tag = try #require(answer.headers[.eTag])
            let again = try await api.send(.get, path, key: key, headers: [.ifNoneMatch: tag])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(again.headers[.eTag] == tag)
            _ = try await api.send(.post, "/v1/apps/\(app)/categories", ["identifier": "ALARM"])
            let changed = try await api.send(.get, path, key: key, headers: [.ifNoneMatch: tag])
            #expect(changed.status == 200)
            let names = try AppClient.read(AppClient.Registration.self, changed.body).categories.map(\.identifier)
            #expect(names == ["ALARM", "MESSAGE"])
        }
    }

    @Test func olderSystemsGetTheirForm() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            _ = try await api.send(.post, "/v1/apps/\(app)/categories", Self.message)

            let answer = try await api.send(.get, "/v1/apps/\(app)/categories/registration?form=ios8")

            guard case .array(let categories) = try answer.json["categories"],
                case .array(let contexts) = categories.first?["contexts"]
            else {
                Issue.record("no contexts")
                return
            }
            #expect(contexts.count == 2)
        }
    }

    @Test func sourceIsTextForDevelopers() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let path = "/v1/apps/\(app)/categories/source"
            #expect(try await api.send(.get, path + "?language=info_plist").body.starts(with: Array("<!--".utf8)))
            _ = try await api.send(.post, "/v1/apps/\(app)/categories", Self.message)
            let cases = [
                ("", "UNUserNotificationCenter"), ("?language=swift&form=ios8", "UIMutableUserNotificationCategory"),
                ("?language=objective-c", "NSSet setWithArray"), ("?language=objective_c&form=ios8", "UIMutable"),
                ("?language=info_plist", "UNNotificationExtensionCategory"), ("?language=strings&locale=zh-Hant", "回覆"),
            ]

            for (query, word) in cases {
                let answer = try await api.send(.get, path + query)
                #expect(answer.headers[.contentType] == "text/plain; charset=utf-8")
                #expect(String(decoding: answer.body, as: UTF8.self).contains(word), "\(query)")
            }

            let refusals = [
                ("?language=kotlin", "invalid-language"), ("?language=strings", "locale-missing"),
                ("?language=info_plist&form=ios8", "invalid-form"), ("?locale=!", "bad-locale"),
                ("?langauge=swift", "unknown-parameter"),
            ]
            for (query, code) in refusals {
                let answer = try await api.send(.get, path + query)
                #expect(answer.status == 400)
                #expect(answer.code == code)
            }
        }
    }

    @Test func publishableKeyOnlyFetches() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let other = try await api.app("com.example.Other")
            let key = try await Self.publishable(api, app)

            let write = try await api.send(.post, "/v1/apps/\(app)/categories", Self.message, key: key)
            #expect(write.code == "secret-key-required")
            #expect(try await api.send(.get, "/v1/apps/\(app)/categories/source", key: key).status == 403)
            let foreign = try await api.send(.get, "/v1/apps/\(other)/categories/registration", key: key)
            #expect(foreign.code == "app-not-found")
        }
    }
}
