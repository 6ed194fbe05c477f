import JSON
import Notifications
import Testing

@Suite struct CategoryWarningTests {
    private func category(_ identifier: String, actions: [String]) -> Category {
        Category(
            identifier: identifier,
            actions: actions.map { .init(identifier: $0, title: LocalizedText($0)) })
    }

    private func found(_ category: Category) -> [String] {
        category.warnings.map { "\($0.severity) \($0.path) \($0.code)" }
    }

    @Test(arguments: [
        (2, []), (3, ["warning actions more-than-two-in-banner"]), (4, ["warning actions more-than-two-in-banner"]),
        (5, ["warning actions more-than-four-actions", "warning actions more-than-two-in-banner"]),
    ])
    func actionsAreCounted(_ count: Int, _ expected: [String]) {
        #expect(found(category("c", actions: (0..<count).map { "a\($0)" })) == expected)
    }

    @Test func identifiersUsedTwiceInTheAppAreFound() {
        let warnings = Category.warnings(among: [
            category("one", actions: ["reply", "like"]), category("two", actions: ["open", "like"]),
            category("one", actions: ["reply"]),
        ])

        #expect(
            warnings.map { "\($0.severity) \($0.path) \($0.code)" } == [
                "warning [1].actions[1].identifier action-in-other-category",
                "warning [2].identifier duplicate-category",
                "warning [2].actions[0].identifier action-in-other-category",
            ])
        #expect(warnings[0].message.description.contains("one"))
        #expect(Category.warnings(among: [category("one", actions: ["a"]), category("two", actions: ["b"])]) == [])
    }

    @Test(arguments: [
        ("%u new", "%u from %@", []), ("100%% %1$u", "%1$u %2$@", []), ("%d", "%s", ["%d", "%s"]),
        ("%@", "%", ["%@", "%,"]), ("%u %", "%2$d", ["%,", "%d"]), ("%%d", "%%", []),
    ])
    func placeholdersThatIOSDoesNotFillAreFound(_ placeholder: String, _ format: String, _ unknown: [String]) {
        var category = category("c", actions: [])
        category.hiddenPreviewsBodyPlaceholder = LocalizedText(placeholder)
        category.categorySummaryFormat = LocalizedText(format)

        let warnings = category.warnings

        #expect(warnings.map(\.code) == unknown.map { _ in "unknown-placeholder" })
        for (warning, placeholder) in zip(warnings, unknown) {
            #expect(warning.message.description.hasPrefix("contains \(placeholder)"))
        }
    }

    @Test func placeholdersAreLookedForInEachLanguage() throws {
        var category = category("c", actions: [])
        category.categorySummaryFormat = LocalizedText("%u", [try LocaleTag("zh-TW"): "%d"])

        #expect(found(category) == ["warning category_summary_format.zh-Hant-TW unknown-placeholder"])
    }

    @Test func announcementsAreIgnored() {
        var category = category("c", actions: [])
        category.options = [.customDismissAction, .allowAnnouncement]

        #expect(found(category) == ["warning options[1] announcement-ignored"])
    }
}
