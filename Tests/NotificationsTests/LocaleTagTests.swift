import JSON
import Notifications
import Testing

@Suite struct LocaleTagTests {
    @Test(arguments: [
        ("en", "en"), ("EN-us", "en-US"), ("zh_hant_hk", "zh-Hant-HK"), ("zh-Hans_CN", "zh-Hans-CN"),
        ("zh-TW", "zh-Hant-TW"), ("zh_HK", "zh-Hant-HK"), ("zh-CN", "zh-Hans-CN"), ("zh", "zh"),
        ("zh-FR", "zh-Hans-FR"),
        ("zh-US", "zh-Hant-US"), ("zh-CHS", "zh-Hans"), ("zh-CHT", "zh-Hant"), ("zh-min-nan", "nan"),
        ("zh-yue-HK", "yue-Hant-HK"), ("cmn-TW", "zh-Hant-TW"), ("zho_CHN", "zh-Hans-CN"), ("yue-CN", "yue-Hans-CN"),
        ("sr-latn-rs", "sr-Latn-RS"), ("sr_RS", "sr-Cyrl-RS"), ("sr-ME", "sr-Latn-ME"), ("sh-BA", "sr-Latn-BA"),
        ("pa-PK", "pa-Arab-PK"), ("uz-AF", "uz-Arab-AF"), ("az_IR", "az-Arab-IR"), ("mn-MN", "mn-Cyrl-MN"),
        ("ks-IN", "ks-Arab-IN"), ("bs", "bs"), ("en-Latn-US", "en-US"), ("ja-Jpan", "ja"), ("hi-Latn-IN", "hi-Latn-IN"),
        ("iw_IL", "he-IL"), ("in", "id"), ("ji", "yi"), ("tl-PH", "fil-PH"), ("mo", "ro"), ("no-NO", "nb-NO"),
        ("no-nynorsk", "nn"), ("deu", "de"), ("fre-CA", "fr-CA"), ("fra", "fr"), ("chi", "zh"), ("i-klingon", "tlh"),
        ("en-UK", "en-GB"), ("my-BU", "my-MM"), ("de-DD", "de-DE"), ("ru-SU", "ru-RU"), ("hy-SU", "hy-AM"),
        ("en-840", "en-US"), ("sr-CS", "sr-Cyrl-RS"), ("es-419", "es-419"), ("en-001", "en-001"),
        ("en_US@calendar=gregorian", "en-US"), ("de_DE.UTF-8", "de-DE"), ("en-US-U-HC-H12", "en-US"),
        ("zh-Hant-u-ca-roc", "zh-Hant"), ("de-x-private", "de"), ("en_US_POSIX", "en-US"), ("de-CH-1996", "de-CH-1996"),
        ("sl-rozaj-1994-biske", "sl-1994-biske-rozaj"), ("ca-ES-valencia", "ca-ES-valencia"), ("fil-PH", "fil-PH"),
    ])
    func everySpellingHasOneForm(_ text: String, _ expected: String) throws {
        #expect(try LocaleTag(text).text == expected)
        #expect(try LocaleTag(expected).text == expected)
        #expect(try LocaleTag(text.uppercased().replacing("-", with: "_")).text == expected)
    }

    @Test(arguments: [
        "", "@calendar=gregorian", "e", "C", "POSIX", "english", "default", "1a", "en-", "en--US", "-en", "en US",
        "zh-香港", "en-toolongsubtag", "x-private", "en-aaaaaaaa-bbbbbbbb-cccccccc-dddddddd", "en-US-GB", "en-XYZ",
        "en-Latn-Cyrl",
    ])
    func invalidTagsAreRejected(_ text: String) {
        #expect(throws: InvalidValue.self) { try LocaleTag(text) }
    }

    @Test(arguments: [
        ("zh", "zh-Hans"), ("sr", "sr-Cyrl"), ("yue", "yue-Hant"), ("de", "de"), ("zh-Hant", "zh-Hant"), ("x", nil),
    ])
    func localeOfADeviceHasAScript(_ text: String, _ expected: String?) {
        #expect(LocaleTag.locale(text)?.text == expected)
    }

    /// The device's locale, the variants, and the variant that it gets.
    @Test(arguments: [
        ("nb_NO", "zh-Hant no he de-CH", "nb"), ("iw_IL", "zh-Hant no he de-CH", "he"), ("nn-NO", "no he", "nb"),
        ("zh-Hans-US", "zh-CN zh-TW", "zh-Hans-CN"), ("zh-Hant-US", "zh-CN", nil), ("zh-Hant-HK", "zh-CN zh", "zh"),
        ("zh-Hant-HK", "zh-TW zh", "zh-Hant-TW"), ("zh-MO", "zh-Hant zh-HK", "zh-Hant-HK"), ("zh-SG", "zh", "zh"),
        ("zh-Hant-HK", "zh-Hans", nil), ("sr-Latn-RS", "sr-Cyrl", nil), ("sr-Latn-RS", "sr", "sr"),
        ("sr-ME", "sr-Latn-RS sr-RS", "sr-Latn-RS"), ("pa-Arab-PK", "pa-Guru", nil), ("uz-UZ", "uz-Cyrl", nil),
        ("en-GB", "en-001 en", "en-001"), ("en-AU", "en-US en-GB", "en-GB"), ("en-NZ", "en-US fr", "en-US"),
        ("es-AR", "es es-MX", "es"), ("es-AR", "es-ES es-MX", "es-MX"), ("es-MX", "es es-419", "es-419"),
        ("pt-AO", "pt-BR pt-PT", "pt-PT"), ("pt-AO", "pt pt-PT", "pt-PT"), ("pt", "pt-PT pt-BR", "pt-BR"),
        ("de-AT", "de-CH de-LI", "de-CH"), ("de-CH-1996", "de-CH", "de-CH"), ("yue-HK", "zh-Hant en", "zh-Hant"),
        ("hi-Latn-IN", "en hi", "en"), ("en-IN", "hi-Latn", nil), ("fr", "de", nil),
    ])
    func bestVariantIsForTheNearestLocaleInTheSameScript(_ device: String, _ names: String, _ best: String?) throws {
        let variants = try names.split(separator: " ").map { try LocaleTag(String($0)) }
        #expect(try LocaleTag(device).best(among: variants)?.text == best)
    }

    @Test(arguments: [
        ("en-US", "en", "en-GB", nil), ("en-GB", "en", "en-GB", "en-GB"), ("de-AT", "de-DE", "de-CH", nil),
        ("de-AT", "en", "de-CH", "de-CH"), ("zh-Hant-HK", "zh-Hant", "zh", nil),
    ])
    func defaultIsPreferredWhereItIsInTheReadersLanguage(
        _ device: String, _ standard: String, _ variant: String, _ best: String?
    ) throws {
        let found = try LocaleTag(device).best(among: [LocaleTag(variant)], standard: LocaleTag(standard))
        #expect(found?.text == best)
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
