import Foundation
import JSON
import Notifications
import TestSupport
import Testing

@testable import Campaigns

struct ContentReportTests {
    /// `path code`, warnings with a question mark.
    private func problems(_ content: TemplateContent, in context: ContentContext = ContentContext()) -> [String] {
        content.report(in: context).problems.map { "\($0.path) \($0.code)\($0.severity == .warning ? "?" : "")" }
    }

    private func message(_ content: TemplateContent, in context: ContentContext = ContentContext()) -> String {
        content.report(in: context).problems.map(\.message.description).joined(separator: "; ")
    }

    private let hello: JSON = ["aps": ["alert": ["title": "Hello {{ first_name | default: 'you' }}"]]]

    private func japanese(_ payload: JSON) -> TemplateContent {
        TemplateContent(payload: hello, variants: [.init(locale: "ja", payload: payload)])
    }

    @Test func goodContentHasNoProblems() {
        let context = ContentContext(
            categories: ["news"],
            longestValues: [.attribute(["first_name"]): "Maximilian", .device(.locale): "zh-Hant-HK"])
        let payload: JSON = [
            "aps": [
                "alert": ["title": "{{ first_name }}"], "category": "news", "badge": "{{ first_name | as_number }}",
            ], "link": "app://{{ locale }}",
        ]

        let content = TemplateContent(
            payload: ["aps": ["alert": "Hello", "category": "news"]],
            variants: [.init(locale: "ja", payload: payload)])
        #expect(problems(content, in: context) == [])
    }

    @Test func allProblemsAreReportedTogetherWithTheirPaths() {
        let content = TemplateContent(
            priority: .immediate, collapseID: String(repeating: "x", count: 65),
            payload: [
                "aps": ["alert": ["title": "{{ name | upcas }}", "loc-args": ["a", "{% if x %}"]], "badge": "2"]
            ],
            variants: [
                .init(locale: "ja", payload: ["aps": ["alert": "{{ name", "sound": 5], "i": "x"]),
                .init(locale: "日本", payload: hello), .init(locale: "JA", payload: hello),
            ], media: .stored(id: "7"))

        #expect(
            Set(problems(content)) == [
                "collapse_id too-long", "media media-not-found", "payload.aps.alert.title unknown-filter",
                "payload.aps.alert.loc-args[1] unclosed-block", "payload.aps.badge wrong-type",
                "variants.ja.i message-id-key-in-use", "variants.ja.aps.alert unclosed-output",
                "variants.ja.aps.sound wrong-type", "variants.日本 bad-locale", "variants.JA duplicate-locale",
                "variants.日本.aps.badge missing-in-language?", "variants.JA.aps.badge missing-in-language?",
            ])
    }

    @Test func optionsAreCheckedOnce() {
        let content = TemplateContent(
            pushType: .background, priority: .immediate, payload: ["aps": ["content-available": 1]],
            variants: [.init(locale: "ja", payload: ["aps": ["content-available": 1]])])

        #expect(problems(content) == ["priority background-priority"])
    }

    @Test func aTextForABadgeIsRefusedAndANumberIsNot() {
        func badge(_ badge: JSON) -> TemplateContent {
            TemplateContent(payload: ["aps": ["alert": "a", "badge": badge]])
        }

        #expect(problems(badge("2")) == ["payload.aps.badge wrong-type"])
        #expect(problems(badge("{{ unread }}")) == ["payload.aps.badge wrong-type"])
        #expect(
            problems(badge("{{ unread | as_number }} ")) == [
                "payload.aps.badge as-number-in-text", "payload.aps.badge wrong-type",
            ])
        #expect(problems(badge("{{ unread | as_number }}")) == [])
    }

    // MARK: Languages

    @Test func aLanguageThatLacksAPartOfTheDefaultIsWarnedOf() {
        let full: JSON = [
            "aps": [
                "alert": ["title": "a", "launch-image": "Moon"], "sound": "default", "category": "CONCERT", "badge": 1,
                "thread-id": "bells", "interruption-level": "active",
            ], "link": "bell://1",
        ]
        let content = TemplateContent(
            payload: full,
            variants: [
                .init(locale: "de", payload: ["aps": ["alert": ["title": "b"], "sound": "glocke.caf"]]),
                .init(locale: "ja", payload: full),
            ])

        #expect(
            Set(problems(content)) == [
                "variants.de.aps.alert.launch-image missing-in-language?", "variants.de.aps.badge missing-in-language?",
                "variants.de.aps.category missing-in-language?", "variants.de.aps.thread-id missing-in-language?",
                "variants.de.aps.interruption-level missing-in-language?", "variants.de.link missing-in-language?",
            ])
        #expect(message(content).contains("is missing in de"))
    }

    @Test func buttonsAndASoundOfALanguageAloneAreWarnedOf() {
        let content = TemplateContent(
            payload: ["aps": ["alert": "a"]],
            variants: [.init(locale: "de", payload: ["aps": ["alert": "d", "sound": "default", "category": "C"]])])

        #expect(
            Set(problems(content)) == [
                "variants.de.aps.sound missing-in-default?", "variants.de.aps.category missing-in-default?",
            ])
    }

    @Test func textsAndPartsOfALanguageAloneAreNoWarning() {
        let content = TemplateContent(
            payload: ["aps": ["alert": ["title": "a", "subtitle": "b", "body": "c"]]],
            variants: [.init(locale: "de", payload: ["aps": ["alert": "d", "badge": 1], "own": 1])])

        #expect(problems(content) == [])
    }

    // MARK: Sizes

    @Test func aPayloadThatIsTooLongInOneLanguageIsRefusedThere() {
        let content = japanese(["aps": ["alert": .string(String(repeating: "長", count: 1_400) + "{{ first_name }}")]])

        #expect(problems(content) == ["variants.ja payload-too-large"])
        #expect(message(content).hasPrefix("the payload is at least 42"))
    }

    @Test func aPayloadThatMayGetTooLongIsAWarning() {
        let context = ContentContext(longestValues: [
            .attribute(["first_name"]): .string(String(repeating: "ü", count: 2_100))
        ])

        #expect(
            problems(japanese(hello), in: context) == [
                "payload payload-may-be-too-large?", "variants.ja payload-may-be-too-large?",
            ])
        #expect(
            problems(japanese(["aps": ["alert": "{{ first_name | truncate: 20 }}"]]), in: context) == [
                "payload payload-may-be-too-large?"
            ])
    }

    /// The payload for anybody with values up to the longest has a size between the least and the worst.
    @Test(arguments: 0..<4)
    func sizesBoundEveryRecipient(seed: UInt64) throws {
        var random = RandomContent(generator: SeededGenerator(seed: seed))
        for _ in 0..<20 {
            let content = random.content()
            let people = (0..<12).map { _ in random.person() }
            var longest: [Field: JSON] = [:]
            for person in people {
                for field in DeviceField.allCases.map(Field.device) + RandomContent.fields {
                    guard let value = person.value(of: field),
                        value.encoded().count > longest[field]?.encoded().count ?? 0
                    else { continue }
                    longest[field] = value
                }
            }
            // A longest value may become shorter than another by a filter; people differ in nothing else here.
            let context = ContentContext(defaultLocale: "de", defaultTimeZone: "Asia/Tokyo", longestValues: longest)
            let report = content.report(in: context)
            guard !report.hasErrors else { continue }
            let composer = ContentComposer(try CompiledContent(content, in: context), now: sampleNow)
            for person in people {
                guard case .bytes(let bytes) = composer.compose(person) else { continue }
                let size = report.sizes[composer.variant(for: person.locale)]
                #expect(size.least <= bytes.count)
            }
            let best = RecipientProfile(
                userID: text(longest[.device(.userID)]), locale: text(longest[.device(.locale)]),
                timeZone: text(longest[.device(.timeZone)]), osVersion: text(longest[.device(.osVersion)]),
                appVersion: text(longest[.device(.appVersion)]), model: text(longest[.device(.model)]),
                attributes: .object(
                    RandomContent.fields.compactMap { field in
                        guard case .attribute(let path) = field, path.count == 1, let value = longest[field] else {
                            return nil
                        }
                        return JSON.Member(path[0], value)
                    }))
            guard case .bytes(let bytes) = composer.compose(best) else { continue }
            #expect(
                bytes.count <= report.sizes[composer.variant(for: best.locale)].worst,
                "\(content.json.encoded().text) \(best)")
        }
    }

    private func text(_ json: JSON?) -> String? { if case .string(let text)? = json { text } else { nil } }

    @Test func sizeWithoutPlaceholdersIsExact() throws {
        let content = TemplateContent(payload: ["aps": ["alert": "Grüße \"x\"\n"], "a": [1, [], [:], .null, true]])
        let size = content.report(in: ContentContext(messageIDKey: "mé\"")).sizes[0]
        let composer = ContentComposer(try CompiledContent(content, in: ContentContext(messageIDKey: "mé\"")), now: 0)

        guard case .bytes(let bytes) = composer.compose(RecipientProfile()) else { throw NoText() }
        #expect(size.least == bytes.count)
        #expect(size.worst == bytes.count)
    }

    // MARK: Warnings

    @Test func anUnknownCategoryIsAWarning() {
        func content(_ category: JSON) -> TemplateContent {
            TemplateContent(payload: ["aps": ["alert": "a", "category": category]])
        }
        let context = ContentContext(categories: ["news", "orders"])

        #expect(problems(content("oders"), in: context) == ["payload.aps.category unknown-category?"])
        #expect(message(content("oders"), in: context).hasSuffix("did you mean orders?"))
        #expect(problems(content("news"), in: context) == [])
        #expect(problems(content("{{ x }}"), in: context) == [])
        #expect(problems(content("oders")) == [])
    }

    @Test func attributeThatNoDeviceHasIsAWarning() {
        let context = ContentContext(longestValues: [
            .attribute(["first_name"]): "A", .attribute(["address"]): ["city": "X"],
        ])
        let payload: JSON = [
            "aps": [
                "alert": [
                    "title": "{{ fist_name | default: '' }}",
                    "body": "{% if adress.city %}{{ address.zip | default: locale }}{% endif %}",
                ]
            ]
        ]

        #expect(
            problems(TemplateContent(payload: payload), in: context) == [
                "payload.aps.alert.title unknown-attribute?", "payload.aps.alert.body unknown-attribute?",
            ])
        #expect(message(TemplateContent(payload: payload), in: context).contains("did you mean first_name?"))
        #expect(problems(TemplateContent(payload: payload)) == [])
    }

    @Test func missingDateNamesAreAWarning() {
        let payload: JSON = ["aps": ["alert": "{{ 'now' | date: '%B' }}"]]
        let content = TemplateContent(
            payload: payload, variants: ["fi", "de"].map { .init(locale: $0, payload: payload) })

        #expect(problems(content) == ["variants.fi.aps.alert date-names?"])
    }

    @Test func liquidInAKeyIsAWarning() {
        #expect(
            problems(TemplateContent(payload: .object([.init("aps", ["alert": "a"]), .init("{{ x }}", 1)]))) == [
                "payload.{{ x }} liquid-in-key?"
            ])
    }

    // MARK: Media

    @Test func mediaSetTheirKeysAndMutableContent() throws {
        let content = TemplateContent(
            payload: ["aps": ["alert": "a", "mutable-content": 0], "x": 1],
            variants: [.init(locale: "ja", payload: ["aps": ["alert": "b", "mutable-content": 0], "x": 1])],
            media: .stored(id: "7"))
        var context = ContentContext(media: .found(url: "https://x/\"7\"", type: "image/png"))
        let composer = ContentComposer(try CompiledContent(content, in: context), now: 0)

        #expect(problems(content, in: context) == [])
        guard case .bytes(let bytes) = composer.compose(RecipientProfile(locale: "en")),
            case .bytes(let other) = composer.compose(RecipientProfile(locale: "ja"))
        else { throw NoText() }
        #expect(
            bytes.text.hasPrefix(
                #"{"aps":{"alert":"a","mutable-content":1},"x":1,"attachment-url":"https://x/\"7\"","attachment-type":"image/png","i":"#
            ))
        #expect(try JSON(parsing: other)["attachment-url"] == #"https://x/"7""#)

        context.attachmentKeys = AttachmentKeys(url: "attachment-image", type: nil)
        guard
            case .bytes(let image) = ContentComposer(try CompiledContent(content, in: context), now: 0).compose(
                RecipientProfile())
        else { throw NoText() }
        #expect(try JSON(parsing: image)["attachment-image"] != nil)
        #expect(try JSON(parsing: image)["attachment-type"] == nil)
    }

    @Test func mediaThatCannotBeShownAreRefused() {
        let content = TemplateContent(
            payload: ["aps": ["alert": "a"], "attachment-url": "mine"], media: .external(url: "https://x"))

        #expect(problems(content, in: ContentContext(media: .absent)) == ["media media-not-found"])
        #expect(problems(content, in: ContentContext(media: .refused("is a TIFF"))) == ["media media-refused"])
        #expect(
            problems(content, in: ContentContext(media: .found(url: "u", type: nil))) == [
                "payload.attachment-url attachment-key-taken"
            ])
    }

    @Test func contentWithoutMediaIsLeftAlone() throws {
        let context = ContentContext(media: .found(url: "u", type: "t"))
        let composer = ContentComposer(
            try CompiledContent(TemplateContent(payload: ["aps": ["alert": "a"]]), in: context), now: 0)

        guard case .bytes(let bytes) = composer.compose(RecipientProfile()) else { throw NoText() }
        #expect(bytes.text.hasPrefix(#"{"aps":{"alert":"a"},"i":"#))
    }

    // MARK: The form that is kept

    @Test func contentComesBackFromItsJSON() throws {
        var random = RandomContent(generator: SeededGenerator(seed: 3))
        for round in 0..<20 {
            var content = random.content()
            content.pushType = .voip
            content.priority = round.isMultiple(of: 2) ? .powerAware : nil
            content.expirationSeconds = round.isMultiple(of: 3) ? 0 : nil
            content.collapseID = round.isMultiple(of: 4) ? "x" : nil
            content.media = [nil, .stored(id: "a"), .external(url: "https://x")][round % 3]

            #expect(try TemplateContent(json: content.json) == content)
        }
    }

    @Test func allProblemsOfTheJSONAreReportedTogether() {
        let json: JSON = [
            "push_type": "alarm", "priority": 7, "expiration_seconds": -1, "collapse_id": 5, "variants": [],
            "media": ["path": "x"], "payloads": [:], "payload": [:],
        ]
        let error = #expect(throws: Problems.self) { try TemplateContent(json: json) }

        #expect(
            error?.problems.map { "\($0.path) \($0.code)" } == [
                "push_type unknown-value", "priority out-of-range", "expiration_seconds out-of-range",
                "collapse_id wrong-type", "variants wrong-type", "media wrong-type", "payloads unknown-field",
            ])
        #expect(throws: Problems.self) { try TemplateContent(json: [1]) }
    }

    @Test func variantThatServesNoDeviceIsWarnedOf() throws {
        func unused(_ variants: [String], _ devices: Set<String>?) -> [String] {
            let content = TemplateContent(
                payload: ["aps": ["alert": "a"]],
                variants: variants.map { .init(locale: $0, payload: ["aps": ["alert": "b"]]) })
            let context = ContentContext(locales: devices.map { Set($0.compactMap { LocaleTag.locale($0) }) })
            return content.report(in: context).problems.filter { $0.code == "unused-locale" }.map {
                "\($0.path): \($0.severity) \($0.message)"
            }
        }
        let devices: Set = ["zh_Hans_US", "nb_NO", "iw-IL", "en-US"]
        #expect(unused(["zh-CN", "no", "he"], devices) == [])
        #expect(
            unused(["zh-TW"], devices) == [
                "variants.zh-TW: warning is not used by any device of the app: the nearest locales are zh-Hans-US"
            ])
        #expect(
            unused(["de-CH"], devices) == [
                "variants.de-CH: warning is not used by any device of the app: no device has the language de"
            ])
        #expect(unused(["zh-CN", "de"], []) == [] && unused(["de"], nil) == [])
    }
}
