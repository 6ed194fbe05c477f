import JSON
import Notifications
import Testing

@testable import Campaigns

struct CompiledContentTests {
    private func composer(
        _ payload: JSON, _ variants: [(String, JSON)] = [], pushType: PushType = .alert,
        in context: ContentContext = ContentContext()
    ) throws -> ContentComposer {
        let content = TemplateContent(
            pushType: pushType, payload: payload,
            variants: variants.map { TemplateContent.Variant(locale: $0.0, payload: $0.1) })
        return ContentComposer(try CompiledContent(content, in: context), now: sampleNow)
    }

    private let id = JSON.Member("i", .string(sampleID.text))

    // MARK: What the store selects

    @Test func needsAreTheColumnsInTheOrderOfTheirUse() throws {
        let payload: JSON = [
            "a": "{{ first_name }}{{ address.city }}{{ attributes.locale }}{{ user_id }}{{ first_name }}",
            "b": "{% if os_version > '17' and points > 5 %}{{ nick | default: model }}{% endif %}",
        ]

        let needs = try composer(payload).content.needs

        #expect(
            needs == [
                .attribute(["first_name"]), .attribute(["address", "city"]), .attribute(["locale"]), .device(.userID),
                .device(.osVersion), .attribute(["points"]), .attribute(["nick"]), .device(.model),
            ])
    }

    @Test func localeAndTimeZoneAreSelectedOnlyIfNeeded() throws {
        let number: JSON = ["a": "{{ n | number }}"]
        let date: JSON = ["a": "{{ d | date: '%F' }}"]
        let language: JSON = ["a": "{{ language }}"]

        #expect(try composer(number).content.needs == [.attribute(["n"]), .device(.locale)])
        #expect(try composer(date).content.needs == [.attribute(["d"]), .device(.timeZone)])
        #expect(try composer(language).content.needs == [.device(.locale)])
        #expect(try composer(["a": "x"], [("ja", ["a": "y"])]).content.needs == [.device(.locale)])
        #expect(try composer(["a": "x"]).content.needs == [])
    }

    // MARK: Payloads

    @Test(arguments: [
        "{}", #"{"aps":{}}"#, #"{"aps":{"alert":"Grüße \"x\""},"n":[1,2.50,null,{"a":{}}],"big":11153971268435968}"#,
    ])
    func payloadWithoutPlaceholdersIsOneCopyAndTheID(text: String) throws {
        let json = try JSON(parsing: text)
        guard case .object(let members) = json else { throw NoText() }
        let expected = JSON.object(members + [id]).encoded()
        let constant = CompiledContent(constant: try Payload(json: json), pushType: .alert, messageIDKey: "i")

        #expect(try composer(json).compose(RecipientProfile()) == .bytes(expected))
        #expect(ContentComposer(constant, now: 0).compose(RecipientProfile()) == .bytes(expected))
    }

    @Test func constantPayloadContainsNoLiquid() throws {
        let payload = Payload(custom: [JSON.Member("a", "{{ x }}{% if %}")])
        let content = CompiledContent(constant: payload, pushType: .alert, messageIDKey: "i")

        #expect(content.needs == [])
        #expect(
            ContentComposer(content, now: 0).compose(RecipientProfile())
                == .bytes(JSON.object([JSON.Member("a", "{{ x }}{% if %}"), id]).encoded()))
    }

    @Test(arguments: ["i", #"a"b"#, #"back\slash"#, "Schlüssel", "🔔"])
    func messageIDIsUnderTheAppsKey(key: String) throws {
        let composer = try composer(["a": "{{ n }}"], in: ContentContext(messageIDKey: key))

        guard case .bytes(let bytes) = composer.compose(try RecipientProfile(#"{"n":"x"}"#)) else { throw NoText() }
        #expect(try JSON(parsing: bytes) == .object([JSON.Member("a", "x"), JSON.Member(key, .string(sampleID.text))]))
    }

    @Test func keysContainNoLiquid() throws {
        let composer = try composer(.object([JSON.Member("{{ n }}", "{{ n }}")]))

        guard case .bytes(let bytes) = composer.compose(try RecipientProfile(#"{"n":"x"}"#)) else { throw NoText() }
        #expect(try JSON(parsing: bytes) == .object([JSON.Member("{{ n }}", "x"), id]))
    }

    // MARK: Locales

    @Test(arguments: [
        ("zh-Hant-HK", "hant"), ("zh_Hant_TW", "hant"), ("zh-TW", "hant"), ("zh-HK", "hant"), ("zh-Hans", "zh"),
        ("zh-CN", "zh"), ("zh", "zh"), ("ZH-HANT", "hant"), ("pt-BR", "br"), ("pt_BR@calendar=gregorian", "br"),
        ("pt-PT", "br"), ("pt", "br"), ("fr", "all"), ("en-GB-u-ca-buddhist", "gb"), ("en-US", "gb"), ("", "hant"),
        ("-", "all"), ("x", "all"), ("\u{0}é", "all"),
    ])
    func aLocaleIsServedByItsNearestVariant(locale: String, expected: String) throws {
        let variants = [("zh-Hant", "hant"), ("zh", "zh"), ("pt_BR", "br"), ("en-GB", "gb")]
        let composer = try composer(
            ["t": "all"], variants.map { ($0.0, ["t": .string($0.1)]) }, in: ContentContext(defaultLocale: "zh-MO"))

        for _ in 0..<2 {
            guard case .bytes(let bytes) = composer.compose(RecipientProfile(locale: locale)) else { throw NoText() }
            #expect(try JSON(parsing: bytes)["t"] == .string(expected))
        }
    }

    @Test func missingLocaleIsTheDefaultOne() throws {
        let composer = try composer(
            ["t": "all"], [("de", ["t": "{{ locale }} {{ language }} {{ n | number: 1 }}"])],
            in: ContentContext(defaultLocale: "de-AT"))

        for locale in [nil, ""] {
            guard case .bytes(let bytes) = composer.compose(try RecipientProfile(#"{"n":1234}"#, locale: locale)) else {
                throw NoText()
            }
            #expect(try JSON(parsing: bytes)["t"] == "de-AT de 1.234,0")
        }
    }

    /// More locales than are remembered.
    @Test func unusualLocalesAreHandled() throws {
        let composer = try composer(["t": "all {{ locale }}"], [("de", ["t": "de {{ locale }}"])])
        for round in 0..<2 {
            for number in 0..<3_000 {
                let locale = number.isMultiple(of: 3) ? "de-\(1_000 + number)" : "xx\(number)"
                guard case .bytes(let bytes) = composer.compose(RecipientProfile(locale: locale)) else {
                    throw NoText()
                }
                let expected = "\(number.isMultiple(of: 3) ? "de" : "all") \(locale)"
                #expect(try JSON(parsing: bytes)["t"] == .string(expected), "\(round)")
            }
        }
    }

    // MARK: Who gets nothing

    @Test func firstMissingFieldIsReported() throws {
        let composer = try composer([
            "a": "{{ x | default: 'y' }}{% if z %}{{ u }}{% endif %}", "b": "{{ city }}{{ name }}",
        ])

        #expect(composer.compose(try RecipientProfile(#"{"name":"A"}"#)) == .missing(.attribute(["city"])))
        #expect(composer.compose(try RecipientProfile(#"{"z":1}"#)) == .missing(.attribute(["u"])))
        #expect(composer.compose(try RecipientProfile(#"{"city":"C"}"#)) == .missing(.attribute(["name"])))
    }

    @Test func aPayloadEndsAtApplesLimitAndTheBuffers() throws {
        let composer = try composer(["a": "{{ x }}"])
        let around = JSON.object([JSON.Member("a", ""), id]).encoded().count
        func outcome(_ length: Int, room: Int = 5_120) -> Composed {
            let text = String(repeating: "é", count: length / 2) + (length.isMultiple(of: 2) ? "" : "x")
            return composer.compose(RecipientProfile(attributes: ["x": .string(text)]), room: room)
        }
        func isWritten(_ outcome: Composed) -> Bool { if case .bytes = outcome { true } else { false } }

        #expect(isWritten(outcome(4_096 - around)))
        #expect(outcome(4_097 - around) == .tooLong)
        #expect(isWritten(outcome(100, room: around + 100)))
        for room in 0..<around + 100 { #expect(outcome(100, room: room) == .tooLong) }
    }

    @Test func aVoIPPayloadMayBeLonger() throws {
        let payload: JSON = ["a": .string(String(repeating: "x", count: 5_000))]

        #expect(try composer(payload).compose(RecipientProfile()) == .tooLong)
        #expect(try composer(payload, pushType: .voip).compose(RecipientProfile()) != .tooLong)
    }

    // MARK: Numbers

    @Test(arguments: [
        ("3", "3"), ("0", "0"), (#""7""#, "7"), ("3.0", "3"), ("3e0", "3"), ("30E-1", "3"),
        ("1e3", "1000"), ("-0", "0"), ("-0.0", "0"), (#""3.0""#, "3"), (#""007""#, "7"), (#""3e0""#, "3"),
        ("999999999999999999", "999999999999999999"),
        ("2.5", nil), ("-1", nil), (#""x""#, nil), ("true", nil), (#""1,2""#, nil), (#""2,\"x\":1""#, nil),
        ("1e18", nil), ("[3]", nil), (#"{"a":3}"#, nil), (#"" 3""#, nil), (#""3.""#, nil),
    ])
    func aBadgeIsAWholeNumberByValueOrNotUsable(value: String, badge: String?) throws {
        let composer = try composer(["aps": ["badge": "{{ unread | as_number }}"]])
        let composed = composer.compose(try RecipientProfile(#"{"unread":\#(value)}"#))

        if let badge {
            guard case .bytes(let bytes) = composed else { throw NoText() }
            #expect(try JSON(parsing: bytes)["aps"]?["badge"] == (try JSON(parsing: badge)))
        } else {
            #expect(composed == .unusable(.attribute(["unread"])))
        }
    }

    /// A value that can't be used is not a missing one: a default does not replace it.
    @Test(arguments: [
        ("{{ unread | as_number }}", "null", Composed.missing(.attribute(["unread"]))),
        ("{{ unread | as_number }}", #""""#, .missing(.attribute(["unread"]))),
        ("{{ unread | as_number }}", "[]", .missing(.attribute(["unread"]))),
        ("{{ unread | default: 1 | as_number }}", #""abc""#, .unusable(.attribute(["unread"]))),
        ("{{ unread | default: 1 | as_number }}", "-1", .unusable(.attribute(["unread"]))),
        ("{{ unread | default: 1 | as_number }}", "true", .unusable(.attribute(["unread"]))),
    ])
    func aDefaultIsForMissingValuesOnly(template: String, value: String, expected: Composed) throws {
        let composer = try composer(["aps": ["badge": .string(template)]])

        #expect(composer.compose(try RecipientProfile(#"{"unread":\#(value)}"#)) == expected)
    }

    @Test(arguments: [
        ("3.0", "3"), ("2.50", "2.5"), ("-0", "0"), ("-0.00", "0"), ("100", "100"), ("0.10", "0.1"),
        ("12345678901234567890123456789012345678901.0", "12345678901234567890123456789012345678901"),
        (#""3.0""#, "3.0"), (#""007""#, "007"),
    ])
    func aNumberIsWrittenByItsValueAndATextAsItIs(value: String, expected: String) throws {
        #expect(try render("{{ n }}", try RecipientProfile(#"{"n":\#(value)}"#)) == .text(expected))
    }

    @Test(arguments: ["v4.3", "V4.3.0", " 4.3 ", "4.3-beta", "4.3 (123)"])
    func aVersionIsComparedWithoutTheLetterBeforeIt(version: String) throws {
        let person = RecipientProfile(appVersion: version)

        #expect(try render("{% if app_version == '4.3' %}yes{% endif %}", person) == .text("yes"))
        #expect(try render("{% if app_version >= 'v4.2.9' %}yes{% endif %}", person) == .text("yes"))
        #expect(try render("x{% if app_version >= 'v4.4' %}yes{% endif %}", person) == .text("x"))
    }

    @Test(arguments: [
        ("n > 2", true), ("n == 3", true), ("n >= 3.0", true), ("n < 3.01", true), ("n != 3", false),
        ("big == 12345678901234567891", false), ("big < 12345678901234567891", true),
        ("big == 12345678901234567890.0", true), ("list contains 3", true), ("small < 0.2", true), ("minus < 0", true),
    ])
    func numbersAreComparedByTheirValue(condition: String, expected: Bool) throws {
        let person = try RecipientProfile(
            #"{"n":3.0,"big":12345678901234567890,"list":[3.0],"small":0.1,"minus":-0.5}"#)

        #expect(
            try render("{% if \(condition) %}yes{% else %}no{% endif %}", person) == .text(expected ? "yes" : "no"))
    }

    @Test func anAppsOwnNumbersMayBeAny() throws {
        let composer = try composer([
            "a": ["{{ n | default: -2.50 | as_number }}", "{{- n | default: 0 | as_number -}}"]
        ])

        guard case .bytes(let none) = composer.compose(RecipientProfile()),
            case .bytes(let some) = composer.compose(try RecipientProfile(#"{"n":-1.5e3}"#))
        else { throw NoText() }
        #expect(none.text.hasPrefix(#"{"a":[-2.5,0],"i":"#))
        #expect(some.text.hasPrefix(#"{"a":[-1500,-1500],"i":"#))
    }

    @Test func allLiquidErrorsAreThrown() {
        let content = TemplateContent(
            payload: ["a": ["{{ x"], "b": "{{ y | z }}"], variants: [.init(locale: "ja", payload: ["c": "{% if %}"])])

        let error = #expect(throws: Problems.self) { try CompiledContent(content, in: ContentContext()) }

        #expect(error?.problems.map(\.path) == ["payload.a[0]", "payload.b", "variants.ja.c", "variants.ja.c"])
    }
}
