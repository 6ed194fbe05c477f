import HTTPTypes
import JSON
import TestSupport
import Testing

/// A campaign's own text, with languages, Liquid and media, as a template has it.
@Suite struct CampaignContentTests {
    private static func alert(_ text: String) -> JSON { ["aps": ["alert": .string(text)]] }

    private static let bells: JSON = [
        "payload": alert("Hello {{ first_name | default: \"you\" }}"), "variants": ["ja": alert("こんにちは")],
    ]

    private static func found(_ answer: Answer) throws -> [String] {
        try (answer.json["warnings"]?.elements ?? []).map { "\($0["path"]?.string ?? "") \($0["code"]?.string ?? "")" }
    }

    @Test func contentIsSetChangedAndReplaced() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns", ["name": "A", "content": Self.bells, "priority": 5])
            #expect(made.status == 201)
            #expect(try made.json["content"] == Self.bells && made.json["payload"] == .null)
            #expect(try made.json["push_type"] == "alert" && made.json["priority"] == 5)

            let path = "/v1/apps/\(app)/campaigns/" + made.text("id")
            func change(_ body: JSON) async throws -> Answer {
                try await api.send(.patch, path, body, headers: [.ifMatch: "*"])
            }
            #expect(try await change(["name": "B"]).json["content"] == Self.bells)
            let copy = try await api.send(.post, path + "/duplicate")
            #expect(try copy.status == 201 && copy.json["content"] == Self.bells)

            let template = try await api.send(
                .post, "/v1/apps/\(app)/templates", ["name": "T", "content": Self.bells])
            let other = try await change(["template": .string(template.text("id"))])
            #expect(try other.json["content"] == .null && other.json["template_version"] == 1)
            // An own text in place of a template keeps the options.
            let own = try await change(["content": ["payload": Self.alert("Hi")]])
            #expect(try own.json["content"] == ["payload": Self.alert("Hi")] && own.json["template"] == .null)
            #expect(try own.json["template_version"] == .null && own.json["priority"] == other.json["priority"])
            let plain = try await change(["payload": Self.alert("{{ literal }}")])
            #expect(try plain.json["content"] == .null && plain.json["payload"] == Self.alert("{{ literal }}"))
            #expect(try Self.found(plain) == ["payload.aps.alert liquid-not-rendered"])
            #expect(try await change(["content": Self.bells]).json["payload"] == .null)
        }
    }

    /// The push type is the campaign's, and decides what the content must have.
    @Test func pushTypeOfTheCampaignIsThatOfItsContent() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let silent: JSON = ["payload": ["aps": ["content-available": 1]]]
            let made = try await api.send(
                .post, path, ["name": "A", "content": silent, "push_type": "background"])
            #expect(try made.status == 201 && made.json["push_type"] == "background" && made.json["priority"] == 5)
            let shown: JSON = ["payload": Self.alert("Hello")]
            let refused = try await api.send(
                .post, path, ["name": "A", "content": shown, "push_type": "background"])
            #expect(refused.status == 422 && refused.problems.allSatisfy { $0.hasPrefix("content.payload") })
            let voip = try await api.send(.post, path, ["name": "A", "content": silent, "push_type": "voip"])
            #expect(voip.problems.first == "push_type: push-type-not-for-campaigns")
        }
    }

    @Test func problemsNameTheirPlaceInTheContent() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let payload = Self.alert("Hello")
            let cases: [(JSON, [String])] = [
                (["content": Self.bells, "payload": payload], ["payload: mutually-exclusive"]),
                (
                    ["content": Self.bells, "template": "1"],
                    ["content: mutually-exclusive", "template: template-not-found"]
                ),
                (
                    ["content": Self.bells, "variants": [["payload": payload], ["payload": payload]]],
                    ["content: mutually-exclusive"]
                ),
                (["content": "Hello"], ["content: wrong-type"]),
                (["content": .null], ["content: wrong-type"]),
                (["content": ["payload": payload, "language": "en"]], ["content.language: unknown-field"]),
                (
                    ["content": ["payload": payload, "push_type": "alert", "priority": 10]],
                    ["content.push_type: unknown-field", "content.priority: unknown-field"]
                ),
                (
                    ["content": ["payload": payload, "variants": ["ja": ["aps": ["badge": -1]]]]],
                    ["content.variants.ja.aps.badge: out-of-range"]
                ),
                (
                    ["content": ["payload": payload, "variants": ["Japanese!": payload]]],
                    ["content.variants.Japanese!: bad-locale"]
                ),
                (["content": ["payload": Self.alert("{{ name")]], ["content.payload.aps.alert: unclosed-output"]),
                (
                    [
                        "content": [
                            "payload": payload, "variants": ["ja": Self.alert(String(repeating: "x", count: 4_096))],
                        ]
                    ],
                    ["content.variants.ja: payload-too-large"]
                ),
                (["content": ["payload": payload, "media": ["id": "999"]]], ["content.media: media-not-found"]),
                (["content": ["payload": Self.alert("\u{0}")]], ["content.payload.aps.alert: null-character"]),
                (["content": ["payload": payload], "priority": 7], ["priority: not-allowed"]),
                (
                    ["content": ["payload": payload], "collapse_id": .string(String(repeating: "x", count: 65))],
                    ["collapse_id: too-long"]
                ),
                (
                    ["variants": [["payload": payload], ["content": ["payload": Self.alert("{{ name")]]]],
                    ["variants[1].content.payload.aps.alert: unclosed-output"]
                ),
                (
                    ["variants": [["payload": payload], ["content": ["payload": payload, "push_type": "alert"]]]],
                    ["variants[1].content.push_type: unknown-field"]
                ),
                (
                    ["variants": [["payload": payload, "content": Self.bells], ["payload": payload]]],
                    ["variants[0].payload: mutually-exclusive"]
                ),
                (["variants": [["name": "A"], ["payload": payload]]], ["variants[0].payload: missing"]),
            ]
            for (body, problems) in cases {
                guard case .object(let members) = body else { continue }
                let answer = try await api.send(.post, path, .object([JSON.Member("name", "A")] + members))
                #expect(answer.status == 422)
                #expect(answer.problems == problems, "\(String(decoding: body.encoded(), as: UTF8.self))")
            }
        }
    }

    @Test func errorsSayWhatToDo() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            func message(_ body: JSON) async throws -> String? {
                try await api.send(.post, path, body).json["problems"]?.elements?.first?["message"]?.string
            }
            #expect(try await message(["name": "A"]) == "is required, or `content`, or a `template`")
            #expect(
                try await message(["name": "A", "content": Self.bells, "template": "1"])
                    == "can't be combined with `template`")
            #expect(
                try await message(["name": "A", "content": ["payload": Self.alert("a"), "priority": 5]])
                    == "is not a part of a campaign's content; set it as a member of the campaign")
        }
    }

    /// People who read the language would see another, and the results would compare languages.
    @Test func variantsOfATestAreWarnedAboutLanguagesThatTheyLack() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let made = try await api.send(
                .post, path,
                [
                    "name": "A",
                    "variants": [
                        ["content": Self.bells], ["content": ["payload": Self.alert("Hi")]],
                        ["payload": Self.alert("Hey")],
                    ],
                ])
            #expect(made.status == 201)
            let variants = try #require(try made.json["variants"]?.elements)
            #expect(variants.map { $0["content"] } == [Self.bells, ["payload": Self.alert("Hi")], .null])
            #expect(variants.map { $0["payload"] } == [.null, .null, Self.alert("Hey")])
            let missing = try Self.found(made).filter { $0.hasSuffix("language-missing") }
            #expect(missing == ["variants[1].content language-missing", "variants[2].payload language-missing"])
            let ended = try await api.send(
                .patch, "\(path)/\(made.text("id"))", ["variants": .null], headers: [.ifMatch: "*"])
            #expect(try ended.json["content"] == Self.bells)
        }
    }

    /// As a template's are.
    @Test func campaignHasTheWarningsOfItsContent() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let content: JSON = [
                "payload": ["aps": ["alert": "Hello", "category": "BELL", "sound": "default"]],
                "variants": ["de": ["aps": ["alert": "Hallo", "sound": "default"]]],
            ]
            let made = try await api.send(.post, path, ["name": "A", "content": content])
            #expect(try Self.found(made).contains("content.variants.de.aps.category missing-in-language"))
        }
    }

    /// The app's key for the message id would be written over the text's own.
    @Test func messageIDKeyThatAnUnsentContentHasIsNotTaken() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                [
                    "name": "Bells",
                    "variants": [
                        [
                            "content": [
                                "payload": Self.alert("a"), "variants": ["ja": ["aps": ["alert": "b"], "mid": 1]],
                            ]
                        ],
                        ["payload": Self.alert("c")],
                    ],
                ])
            #expect(made.status == 201)
            let refused = try await api.send(.patch, "/v1/apps/\(app)", ["message_id_key": "mid"])
            #expect(refused.status == 409 && refused.text("detail").contains("Bells"))
            #expect(try await api.send(.patch, "/v1/apps/\(app)", ["message_id_key": "other"]).status == 200)
        }
    }
}
