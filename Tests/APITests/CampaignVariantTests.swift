import HTTPTypes
import JSON
import Testing

/// The variants of an A/B test in the requests and answers of campaigns.
@Suite struct CampaignVariantTests {
    private static func alert(_ text: String) -> JSON { ["aps": ["alert": .string(text)]] }

    private static let two: JSON = [["payload": alert("One")], ["name": "Short", "payload": alert("Two")]]

    @Test func testIsMadeChangedAndEnded() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let made = try await api.send(.post, "/v1/apps/\(app)/campaigns", ["name": "Sale", "variants": Self.two])
            #expect(made.status == 201)
            #expect(try made.json["payload"] == .null && made.json["template"] == .null)
            let variants = try #require(try made.json["variants"]?.elements)
            #expect(variants.map { $0["name"] } == ["A", "Short"])
            #expect(variants.map { $0["weight"] } == [500, 500])
            #expect(variants.map { $0["payload"] } == [Self.alert("One"), Self.alert("Two")])

            let path = "/v1/apps/\(app)/campaigns/" + made.text("id")
            func change(_ body: JSON) async throws -> Answer {
                try await api.send(.patch, path, body, headers: [.ifMatch: "*"])
            }
            let renamed = try await change(["name": "Autumn sale"])
            #expect(try renamed.json["variants"] == made.json["variants"])
            let refused = try await change(["payload": Self.alert("One")])
            #expect(refused.problems == ["payload: mutually-exclusive"])
            let ended = try await change(["variants": .null])
            #expect(try ended.json["variants"] == .null && ended.json["payload"] == Self.alert("One"))
            let again = try await change([
                "variants": [
                    ["name": "x", "weight": 900, "payload": Self.alert("One")],
                    ["name": "y", "weight": 100, "payload": Self.alert("Two")],
                ]
            ])
            #expect(try again.json["variants"]?.elements?.map { $0["weight"] } == [900, 100])
            let other = try await change(["variants": .null, "payload": Self.alert("Other")])
            #expect(try other.json["payload"] == Self.alert("Other"))
        }
    }

    @Test func resultOfATestThatWasNotSentIsToCome() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let goal: JSON = ["metric": "event", "event_name": "purchase"]
            let made = try await api.send(.post, path, ["name": "Sale", "variants": Self.two, "goal": goal])
            let result = try await api.send(.get, "\(path)/\(made.text("id"))/test").json
            #expect(result["finding"] == "not_yet" && result["counted_at"] == .null && result["goal"] == goal)
            #expect(result["variants"] == [] && result["leader"] == .null)

            let one = try await api.send(.post, path, ["name": "Sale", "payload": Self.alert("One")])
            let refused = try await api.send(.get, "\(path)/\(one.text("id"))/test")
            #expect(refused.status == 409 && refused.code == "not-a-test")
            let unnamed = try await api.send(
                .post, path, ["name": "Sale", "variants": Self.two, "goal": ["metric": "event"]])
            #expect(unnamed.problems == ["goal.event_name: missing"])
        }
    }

    @Test func controlGroupNeedsAnEventThatItCanHave() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let body: JSON = ["name": "Sale", "payload": Self.alert("One"), "control_share": 100]
            let refused = try await api.send(.post, path, body)
            #expect(refused.problems == ["goal: control-needs-event"])
            let made = try await api.send(
                .post, path,
                [
                    "name": "Sale", "payload": Self.alert("One"), "control_share": 100,
                    "goal": ["metric": "event", "event_name": "purchase"],
                ])
            #expect(try made.status == 201 && made.json["control_share"] == 100)
            let effect = try await api.send(.get, "\(path)/\(made.text("id"))/effect").json
            #expect(effect["finding"] == "not_yet" && effect["counted_at"] == .null && effect["control_share"] == 100)
            let none = try await api.send(.post, path, ["name": "Sale", "payload": Self.alert("One")])
            let missing = try await api.send(.get, "\(path)/\(none.text("id"))/effect")
            #expect(missing.status == 409 && missing.code == "no-control-group")
            let wide = try await api.send(
                .post, path, ["name": "Sale", "payload": Self.alert("One"), "control_share": 600])
            #expect(wide.problems.contains("control_share: out-of-range"))
        }
    }

    @Test func winnerRuleIsKeptAndEndsWithTheTest() async throws {
        try await APIFixture.run { api in
            let path = "/v1/apps/\(try await api.app())/campaigns"
            let made = try await api.send(
                .post, path, ["name": "Sale", "variants": Self.two, "winner": ["share": 200]])
            #expect(
                try made.json["winner"] == [
                    "share": 200, "decision": "automatic", "after_seconds": 14_400, "without_winner": "leader",
                ])
            let campaign = "\(path)/\(made.text("id"))"
            let byHand: JSON = ["share": 100, "decision": "by_hand"]
            let changed = try await api.send(.patch, campaign, ["winner": byHand], headers: [.ifMatch: "*"])
            #expect(try changed.json["winner"] == byHand)
            #expect(try await api.send(.get, "\(campaign)/test").json["rest"] == .null)

            let refused = try await api.send(.post, "\(campaign)/test/decision", ["variant": 1])
            #expect(refused.status == 409 && refused.code == "test-without-rest")
            let unknown = try await api.send(.post, "\(campaign)/test/decision", ["variant": 2])
            #expect(unknown.problems == ["variant: out-of-range"])
            let triggered = try await api.send(
                .post, "\(campaign)/schedule", ["schedule": ["kind": "triggered"]], headers: [.ifMatch: "*"])
            #expect(triggered.status == 409 && triggered.code == "winner-of-repeated")

            let ended = try await api.send(.patch, campaign, ["variants": .null], headers: [.ifMatch: "*"])
            #expect(try ended.status == 200 && ended.json["winner"] == .null)
        }
    }

    @Test(
        arguments: [
            (["winner": ["share": 200]], "winner: winner-without-variants"),
            (["variants": two, "winner": ["share": 5]], "winner.share: out-of-range"),
            (["variants": two, "winner": ["share": 950]], "winner.share: out-of-range"),
            (["variants": two, "winner": ["decision": "by_hand"]], "winner.share: missing"),
            (["variants": two, "winner": ["share": 200, "after_seconds": 60]], "winner.after_seconds: out-of-range"),
            (
                ["variants": two, "winner": ["share": 200, "decision": "by_hand", "after_seconds": 3_600]],
                "winner.after_seconds: unknown-field"
            ),
            (
                ["variants": two, "winner": ["share": 200], "schedule": ["kind": "triggered"]],
                "winner: winner-of-repeated"
            ),
        ] as [(JSON, String)]) func wrongRulesForTheWinnerAreRefused(_ body: JSON, _ problem: String) async throws
    {
        try await APIFixture.run { api in
            var members: [JSON.Member] = [JSON.Member("name", "Sale")]
            if body["variants"] == nil { members.append(JSON.Member("payload", Self.alert("One"))) }
            if case .object(let more) = body { members += more }
            let refused = try await api.send(
                .post, "/v1/apps/\(try await api.app())/campaigns", .object(members))
            #expect(refused.problems == [problem])
        }
    }

    @Test(
        arguments: [
            (["variants": [["payload": alert("One")]]], "variants: wrong-type"),
            (["variants": "two"], "variants: wrong-type"),
            (["variants": [1, 2]], "variants[0]: wrong-type"),
            (["variants": two, "payload": alert("One")], "payload: mutually-exclusive"),
            (["variants": [["name": "x"], ["payload": alert("Two")]]], "variants[0].payload: missing"),
            (
                ["variants": [["name": "x", "payload": alert("One")], ["name": "x", "payload": alert("Two")]]],
                "variants[1].name: name-taken"
            ),
            (
                ["variants": [["weight": 500, "payload": alert("One")], ["payload": alert("Two")]]],
                "variants[1].weight: missing"
            ),
            (
                ["variants": [["weight": 500, "payload": alert("One")], ["weight": 400, "payload": alert("Two")]]],
                "variants: weights-sum"
            ),
            (
                ["variants": [["payload": alert("One")], ["payload": ["aps": ["badge": "2"]]]]],
                "variants[1].payload.aps.badge: wrong-type"
            ),
            (
                ["variants": [["payload": alert("One")], ["template": "999"]]],
                "variants[1].template: template-not-found"
            ),
            (
                ["variants": [["payload": alert("One"), "wieght": 1], ["payload": alert("Two")]]],
                "variants[0].wieght: unknown-field"
            ),
        ] as [(JSON, String)])
    func mistakeIsNamedWithItsPath(_ body: JSON, _ problem: String) async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let members = try #require(body.members)
            let answer = try await api.send(
                .post, "/v1/apps/\(app)/campaigns", .object([JSON.Member("name", "Sale")] + members))
            #expect(answer.status == 422)
            #expect(answer.problems.contains(problem), "\(answer.problems)")
        }
    }

    @Test func editedVariantsKeepTheSettingsOfTheCampaign() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let template = try await api.send(
                .post, "/v1/apps/\(app)/templates",
                ["name": "T", "content": ["priority": 10, "payload": Self.alert("Hello")]])
            let named: JSON = ["template": .string(template.text("id")), "template_version": 1]
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                ["name": "Sale", "priority": 5, "variants": [named, ["payload": Self.alert("One")]]])
            #expect(try made.json["priority"] == 5)
            let path = "/v1/apps/\(app)/campaigns/" + made.text("id")
            let edited = try await api.send(
                .patch, path, ["variants": [named, ["payload": Self.alert("Two")]]], headers: [.ifMatch: "*"])
            #expect(try edited.json["priority"] == 5)
            // Without a version, the newest one is taken, with its settings.
            let again = try await api.send(
                .patch, path,
                ["variants": [["template": .string(template.text("id"))], ["payload": Self.alert("Two")]]],
                headers: [.ifMatch: "*"])
            #expect(try again.json["priority"] == 10)
        }
    }

    @Test func variantWithoutALanguageOfAnotherIsAWarning() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            func template(_ variants: JSON) async throws -> JSON {
                let made = try await api.send(
                    .post, "/v1/apps/\(app)/templates",
                    ["name": "T", "content": ["payload": Self.alert("Hello"), "variants": variants]])
                #expect(made.status == 201)
                return .string(made.text("id"))
            }
            let (german, plain) = (try await template(["de": Self.alert("Hallo")]), try await template([:]))
            let made = try await api.send(
                .post, "/v1/apps/\(app)/campaigns",
                [
                    "name": "Sale",
                    "variants": [["template": german], ["template": plain], ["payload": Self.alert("Hi")]],
                ])
            #expect(made.status == 201)
            let warnings = try made.json["warnings"]?.elements?.map {
                "\($0["path"]?.string ?? "") \($0["code"]?.string ?? "")"
            }
            #expect(
                warnings?.filter { $0.hasSuffix(" language-missing") } == [
                    "variants[1].template language-missing", "variants[2].payload language-missing",
                ], "\(warnings ?? [])")
            let uses = try await api.send(.get, "/v1/apps/\(app)/templates/\(plain.string ?? "")/campaigns")
            #expect(try uses.page.ids == [made.text("id")])
        }
    }
}
