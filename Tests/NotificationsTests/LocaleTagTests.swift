import JSON
import Notifications
import Testing

@Suite struct LocaleTagTests {
    @Test(arguments: [
        ("en", "en"), ("EN-us", "en-US"), ("zh_hant_hk", "zh-Hant-HK"), ("zh-Hans_CN", "zh-Hans-CN"),
        ("zh-TW", "zh-Hant-TW"), ("zh_HK", "zh-Hant-HK"), ("zh-CN", "zh-Hans-CN"), ("zh", "zh"), ("zh-FR", "zh-FR"),
        ("sr-latn-rs", "sr-Latn-RS"), ("es-419", "es-419"), ("en_US@calendar=gregorian", "en-US"),
        ("de_DE.UTF-8", "de-DE"), ("en-US-U-HC-H12", "en-US-u-hc-h12"), ("de-1996", "de-1996"),
        ("en_US_POSIX", "en-US-posix"), ("fil-PH", "fil-PH"), ("zh-Hant-u-ca-roc", "zh-Hant-u-ca-roc"),
    ])
    func spellingIsNormalised(_ text: String, _ expected: String) throws {
        #expect(try LocaleTag(text).text == expected)
        #expect(try LocaleTag(expected).text == expected)
    }

    @Test(arguments: [
        "", "@calendar=gregorian", "e", "C", "english", "default", "1a", "en-", "en--US", "-en", "en US", "zh-香港",
        "en-toolongsubtag", "x-private", "en-aaaaaaaa-bbbbbbbb-cccccccc-dddddddd",
    ])
    func invalidTagsAreRejected(_ text: String) {
        #expect(throws: InvalidValue.self) { try LocaleTag(text) }
    }

    @Test(arguments: [
        ("zh-Hant-HK", ["zh-Hant-HK", "zh-Hant", "zh"]), ("zh-TW", ["zh-Hant-TW", "zh-Hant", "zh"]), ("en", ["en"]),
        ("en-US-u-hc-h12", ["en-US-u-hc-h12", "en-US-u-hc", "en-US", "en"]),
    ])
    func fallbackShortensFromTheEnd(_ text: String, _ expected: [String]) throws {
        #expect(try LocaleTag(text).fallback.map(\.text) == expected)
    }

    @Test func variantsAreChosenFromSpecificToDefault() throws {
        var text = LocalizedText("standard")
        let phone = try LocaleTag("zh-Hant-HK")
        #expect(text.value(for: phone) == "standard")
        for tag in ["zh", "zh-Hant", "zh-Hant-HK"] {
            text.variants[try LocaleTag(tag)] = tag
            #expect(text.value(for: phone) == tag)
        }
        #expect(text.value(for: try LocaleTag("zh-TW")) == "zh-Hant")
        #expect(text.value(for: try LocaleTag("zh-Hans-CN")) == "zh")
        #expect(text.value(for: try LocaleTag("en")) == "standard")
        #expect(text.value(for: nil) == "standard")
    }
}
