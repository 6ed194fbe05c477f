import JSON
import Notifications
import Testing

@testable import Campaigns

/// Conditions about fields of the device, whose values are stored in one form.
struct ContentConditionTests {
    private func text(_ condition: String, _ person: RecipientProfile) throws -> JSON? {
        let content = TemplateContent(payload: [
            "aps": ["alert": .string("{% if \(condition) %}yes{% else %}no{% endif %}")]
        ])
        let context = ContentContext(longestValues: [.attribute(["plan"]): "gold"])
        let preview = try CompiledContent.preview(content, for: person, in: context, now: sampleNow)
        return preview.variants[0].payload?["aps"]?["alert"]
    }

    private func warnings(_ condition: String) -> [Problem] {
        TemplateContent(payload: ["aps": ["alert": .string("{% if \(condition) %}yes{% else %}no{% endif %}")]])
            .report(in: ContentContext(longestValues: [.attribute(["plan"]): "gold", .attribute(["b"]): true])).problems
    }

    @Test(arguments: [
        "locale == \"zh-TW\"", "\"zh_TW\" == locale", "language == 'zh'", "time_zone == \"Asia/Calcutta\"",
        "time_zone == 'asia/kolkata'", "app_version == 'v4.3'", "app_version >= 'Version 4.2'", "os_version < '２０.1'",
    ])
    func literalsAreComparedInTheFormOfTheDevices(condition: String) throws {
        let person = RecipientProfile(
            locale: "zh-Hant-TW", timeZone: "Asia/Kolkata", osVersion: "18.2", appVersion: "4.3")
        #expect(try text(condition, person) == "yes")
        #expect(warnings(condition).isEmpty)
    }

    @Test(arguments: ["language != 'no'", "language != 'iw' and language != \"NB\"", "locale != 'nb_NO'"])
    func anotherNameIsNotUnequal(condition: String) throws {
        #expect(try text(condition, RecipientProfile(locale: "nb-NO")) == "no")
    }

    @Test(arguments: [
        ("app_version < '4.3'", "no"), ("app_version >= '4.3'", "no"), ("app_version == '4.3'", "no"),
        ("app_version != '4.3'", "yes"), ("app_version == 'unknown'", "yes"), ("app_version != 'unknown'", "no"),
    ])
    func aTextWithoutANumberIsNoVersion(condition: String, expected: JSON) throws {
        #expect(try text(condition, RecipientProfile(appVersion: "unknown")) == expected)
    }

    @Test(arguments: [
        ("locale == 'Chinese'", "compares locale with Chinese, which no device has"),
        ("language != 'zh-TW'", "compares language with zh-TW, which no device has"),
        ("time_zone == 'Mars/Phobos'", "compares time_zone with Mars/Phobos, which no device has"),
        (
            "locale contains 'zh-TW'",
            "tests whether locale contains zh-TW, which it never does; did you mean zh-Hant-TW?"
        ),
        ("language contains 'iw'", "tests whether language contains iw, which it never does; did you mean he?"),
        (
            "time_zone contains 'Kiev'",
            "tests whether time_zone contains Kiev, which it never does; did you mean Europe/Kyiv?"
        ),
        (
            "time_zone contains 'europe/'",
            "tests whether time_zone contains europe/, which it never does; did you mean Europe/Amsterdam?"
        ),
    ])
    func whatNoDeviceHasIsWarnedOf(condition: String, message: String) {
        #expect(
            warnings(condition).map { "\($0.severity) \($0.code) \($0.message)" } == [
                "warning never-matches \(message)"
            ])
    }

    @Test(arguments: [
        "locale != ''", "locale contains 'Hant'", "locale contains 'zh'", "time_zone contains 'Europe'",
        "locale contains '-CH'",
    ])
    func partsThatDevicesHaveAreNotWarnedOf(condition: String) {
        #expect(warnings(condition).isEmpty)
    }

    @Test func aTextWithoutQuotesIsWarnedOfAndMended() {
        let found = warnings("plan != gold or plan == plan")
        #expect(found.map(\.code) == ["text-without-quotes"])
        #expect(found.first?.message == "uses gold, which no device has; a text needs quotes: \"gold\"")
        #expect(
            found.first?.fix
                == Problem.Fix(
                    from: "{% if plan != gold or plan == plan %}", to: "{% if plan != \"gold\" or plan == plan %}"))
    }

    @Test(arguments: [
        ("3.0", "3"), ("3e0", "3"), ("0.30e1", "3"),
    ])
    func applesNumbersAreWrittenInOneForm(given: String, written: String) throws {
        let json = try JSON(parsing: #"{"aps":{"alert":"a","badge":\#(given),"mutable-content":1.0},"n":\#(given)}"#)
        let content = TemplateContent(payload: json)
        #expect(!content.report(in: ContentContext()).hasErrors)
        let preview = try CompiledContent.preview(
            content, for: RecipientProfile(), in: ContentContext(), now: sampleNow)
        let payload = try #require(preview.variants[0].payload)
        #expect(payload["aps"]?["badge"] == .number(try #require(JSON.Number(decimal: written))))
        #expect(payload["aps"]?["mutable-content"] == 1)
        #expect(payload["n"] == json["n"])
    }

    @Test(arguments: [
        ("20261126", "2026-11-26"), ("\" 2026-11-26 \"", "2026-11-26"), ("\"20261126\"", "2026-11-26"),
    ])
    func datesAreReadInTheirForms(value: String, expected: JSON) throws {
        #expect(try date(value) == expected)
    }

    @Test(arguments: ["\"2026\"", "2026", "\"2026-02-30\"", "\"20260230\"", "\"1990-11-27x\"", "\"0044-03-15 BC\""])
    func whatIsNoDateIsUnusable(value: String) throws {
        #expect(try date(value) == "⟨d⟩")
    }

    private func date(_ value: String) throws -> JSON? {
        let content = TemplateContent(payload: ["aps": ["alert": "{{ d | date: '%F' }}"]])
        let preview = try CompiledContent.preview(
            content, for: try RecipientProfile(#"{"d":\#(value)}"#), in: ContentContext(), now: sampleNow)
        return preview.variants[0].payload?["aps"]?["alert"]
    }
}
