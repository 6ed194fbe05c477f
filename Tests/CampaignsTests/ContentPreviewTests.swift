import JSON
import Notifications
import Testing

@testable import Campaigns

struct ContentPreviewTests {
    private let content = TemplateContent(
        payload: [
            "aps": [
                "alert": ["title": "Hi {{ name }}", "body": "{{ city | upcase }}"], "badge": "{{ unread | as_number }}",
            ]
        ],
        variants: [
            .init(locale: "ja", payload: ["aps": ["alert": "{{ name }}さん {{ x | default: '、' }}"]]),
            .init(locale: "de", payload: ["aps": ["alert": "Hallo"]]),
        ])

    private func preview(_ content: TemplateContent, _ person: RecipientProfile) throws -> ContentPreview {
        let context = ContentContext(longestValues: [
            .attribute(["name"]): .string(String(repeating: "長", count: 500)), .attribute(["city"]): "X",
            .attribute(["unread"]): 99,
        ])
        return try CompiledContent.preview(content, for: person, in: context, now: sampleNow)
    }

    @Test func everyLocaleIsShownAsItWillBeSent() throws {
        let preview = try preview(
            content, try RecipientProfile(#"{"name":"安奈","city":"ulm","unread":3}"#, locale: "ja-JP"))

        #expect(preview.selected == 1)
        #expect(preview.variants.map(\.locale) == [nil, "ja", "de"])
        #expect(preview.variants[0].payload?["aps"] == ["alert": ["title": "Hi 安奈", "body": "ULM"], "badge": 3])
        #expect(preview.variants[1].payload?["aps"] == ["alert": "安奈さん 、"])
        #expect(preview.variants.allSatisfy { $0.isSent && $0.length == $0.payload?.encoded().count })
        #expect(
            preview.variants.allSatisfy {
                $0.size.limit == 4_096 && $0.length <= $0.size.worst && $0.length >= $0.size.least
            })
        #expect(preview.variants[0].size.worst > 1_500)
        // Only the default has a badge.
        #expect(
            preview.variants.map { $0.problems.map(\.code) }
                == [[], ["missing-in-language", "unknown-attribute"], ["missing-in-language"]])
    }

    @Test func missingFieldsAreListedAndMarked() throws {
        let preview = try preview(content, RecipientProfile(locale: "fr"))

        #expect(preview.selected == 0)
        #expect(preview.variants[0].missing == [.attribute(["name"]), .attribute(["city"]), .attribute(["unread"])])
        #expect(
            preview.variants[0].payload?["aps"] == ["alert": ["title": "Hi ⟨name⟩", "body": "⟨CITY⟩"], "badge": 0])
        #expect(preview.variants.map(\.isSent) == [false, false, true])
    }

    @Test func tooLongPayloadIsShownButNotSent() throws {
        let long = String(repeating: "x", count: 5_000)
        let preview = try preview(
            content, RecipientProfile(attributes: ["name": .string(long), "city": "a", "unread": 1]))
        let endless = try self.preview(
            content, RecipientProfile(attributes: ["name": .string(String(repeating: long, count: 20))]))

        #expect(preview.variants[0].isTooLong && !preview.variants[0].isSent)
        #expect(preview.variants[0].payload != nil)
        #expect(preview.variants[2].isSent)
        #expect(endless.variants[0].isTooLong && endless.variants[0].payload == nil)
    }

    @Test func contentWithErrorsHasNoPreview() {
        #expect(throws: Problems.self) { try preview(TemplateContent(payload: ["a": "{{ x"]), RecipientProfile()) }
    }
}
