import Foundation
import JSON
import Notifications
import TestSupport
import Testing

@testable import Campaigns

/// `number` and `date` against Foundation's formatters, which know Unicode's CLDR and the tz database.
struct FilterTests {
    private static let locales = [
        "en", "en_US", "en_GB", "en_IN", "de", "de_DE", "de_CH", "de_AT", "de_LI", "fr", "fr_FR", "fr_CA", "es",
        "es_ES",
        "es_MX", "es_US", "es_PE", "es_AR", "it", "it_CH", "pt", "pt_BR", "pt_PT", "nl", "sv", "nb", "nn", "da", "fi",
        "pl",
        "cs", "sk", "hu", "ru", "uk", "be", "bg", "ro", "hr", "sl", "el", "tr", "ja", "ko", "zh", "zh_Hant_HK", "th",
        "vi",
        "id", "ms", "he", "hi", "lt", "lv", "et", "is", "ca", "kk", "fil", "gl",
        "en_ZA", "pt_AO", "fr_CH", "es_CO", "es_419", "sr", "bs", "mk", "az", "eu", "uz", "hy", "sq", "ka", "bn", "ta",
        "ar",
    ]

    @Test(arguments: locales)
    func numbersAreGroupedAsInTheCountry(locale: String) throws {
        let style = Decimal.FormatStyle(locale: Locale(identifier: locale)).precision(.fractionLength(2))
            .rounded(rule: .toNearestOrAwayFromZero)
        for number in ["0", "7", "999.994", "1234.5", "12345.675", "1234567.891", "-98765432.1", "999999.995"] {
            let person = try RecipientProfile(#"{"n":\#(number)}"#, locale: locale)
            // Our minus is a hyphen, and no mark of direction stands before it.
            let expected = try #require(Decimal(string: number)).formatted(style)
                .replacingOccurrences(of: "\u{2212}", with: "-").replacingOccurrences(of: "\u{200E}", with: "")

            #expect(try render("{{ n | number: 2 }}", person) == .text(expected), "\(locale) \(number)")
        }
    }

    @Test(arguments: [
        ("5", "5"), ("5.0", "5"), ("-1234.50", "-1,234.5"), ("-0.0", "0"), ("1e3", "1,000"), ("1.5E+6", "1,500,000"),
        ("12e-3", "0.012"), ("0", "0"), ("-0", "0"),
        ("123456789012345678901234567890", "123,456,789,012,345,678,901,234,567,890"),
        ("\"1234\"", "1,234"), ("\"x\"", "x"), ("\"01\"", "01"), ("true", "true"), ("1e999", "1e999"),
        ("1e99999999999", "1e99999999999"), ("1e-9223372036854775808", "1e-9223372036854775808"),
        ("\"1e-9223372036854775808\"", "1e-9223372036854775808"),
    ])
    func numbersKeepTheirDecimals(value: String, expected: String) throws {
        #expect(try render("{{ n | number }}", try RecipientProfile(#"{"n":\#(value)}"#)) == .text(expected))
    }

    @Test(arguments: ["-9223372036854775808", "\"-9223372036854775808\"", "9223372036854775807", "1e18", "-1e300"])
    func numberOutsideTheDateRangeIsNotUsable(value: String) throws {
        let person = try RecipientProfile(#"{"n":\#(value)}"#)

        #expect(try render("{{ n | date: '%Y' }}", person) == .unusable(.attribute(["n"])))
    }

    @Test(arguments: [
        ("2.5", 0, "3"), ("-2.5", 0, "-3"), ("-0.4", 0, "0"), ("0.5", 0, "1"), ("9.995", 2, "10.00"),
        ("999.5", 0, "1,000"),
        ("0.005", 2, "0.01"), ("1", 3, "1.000"), ("1e-3", 2, "0.00"), ("95e-1", 0, "10"), ("0.0499", 1, "0.0"),
    ])
    func halvesAreRoundedAwayFromZero(value: String, decimals: Int, expected: String) throws {
        let person = try RecipientProfile(#"{"n":\#(value)}"#)

        #expect(try render("{{ n | number: \(decimals) }}", person) == .text(expected))
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Asia/Pyongyang",
        "America/Sao_Paulo", "Africa/Casablanca", "Pacific/Apia", "UTC",
    ])
    func momentsAreShownInTheRecipientsZone(zone: String) throws {
        let formatter = DateFormatter()
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zone)
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss EEEE D"
        var generator = SeededGenerator(seed: 7)
        let content = TemplateContent(payload: ["t": "{{ d | date: '%F %T %A %-j' }}"])
        let composer = ContentComposer(try CompiledContent(content, in: ContentContext()), now: 0)
        for _ in 0..<2_000 {
            // 1900 to 2100, and around the changes of the hour in 2026.
            let moment =
                Bool.random(using: &generator)
                ? Int.random(in: -2_208_988_800...4_102_444_800, using: &generator)
                : Int.random(in: 1_767_225_600...1_798_761_600, using: &generator)
            // Four and eight digits are a year and a date.
            guard ![4, 8].contains(String(moment).count) || moment < 0 else { continue }
            let person = RecipientProfile(timeZone: zone, attributes: ["d": .number(JSON.Number(moment))])
            let expected = formatter.string(from: Date(timeIntervalSince1970: Double(moment)))

            guard case .bytes(let bytes) = composer.compose(person) else { throw NoText() }
            #expect(try JSON(parsing: bytes)["t"] == .string(expected), "\(zone) \(moment)")
        }
    }

    /// At the very second of a change first, so that what is remembered of it holds for the second before.
    @Test func aChangeOfTheHourCountsFromItsSecond() throws {
        let content = TemplateContent(payload: ["t": "{{ d | date: '%T' }}"])
        let composer = ContentComposer(try CompiledContent(content, in: ContentContext()), now: 0)
        // 2026-03-29T01:00:00Z
        for (moment, expected) in [
            (1_774_746_000, "03:00:00"), (1_774_745_999, "01:59:59"), (1_774_746_001, "03:00:01"),
        ] {
            let person = RecipientProfile(timeZone: "Europe/Berlin", attributes: ["d": .number(JSON.Number(moment))])

            guard case .bytes(let bytes) = composer.compose(person) else { throw NoText() }
            #expect(try JSON(parsing: bytes)["t"] == .string(expected))
        }
    }

    @Test func unknownZonesUseTheDefault() throws {
        let context = ContentContext(defaultTimeZone: "Asia/Tokyo")
        for zone in [nil, "", "Nowhere/Else", "\u{0}", String(repeating: "x", count: 500)] {
            let person = try RecipientProfile(#"{"d":"2026-03-01T18:30:00Z"}"#, timeZone: zone)
            #expect(try render("{{ d | date: '%F %R' }}", person, in: context) == .text("2026-03-02 03:30"))
        }
    }

    @Test func nowIsWhenThePushIsComposed() throws {
        let person = try RecipientProfile("{}", timeZone: "America/New_York")

        #expect(try render("{{ 'now' | date: '%F %R' }}", person) == .text("2026-03-01 13:30"))
        #expect(try render("{{ 'today' | date: '%F' }}", person) == .text("2026-03-01"))
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01", "2026-01-01T", "2026-01-01T25:00",
        "2026-01-01T10",
        "2026-01-01T10:61", "2026-01-01T10:00:00+", "2026-01-01T10:00:00Zx", "2026-01-01x", "0000-01-01",
        "tomorrow",
        "99999999999999999999",
    ])
    func whatIsNoDateIsNotUsable(text: String) throws {
        let person = RecipientProfile(attributes: ["d": .string(text)])

        #expect(try render("x{{ d | default: 'soon' | date: '%F' }}", person) == .unusable(.attribute(["d"])))
        #expect(try render("x{{ d | date: '%F' | default: 'soon' }}", person) == .unusable(.attribute(["d"])))
    }

    @Test(arguments: [
        // PostgreSQL
        ("2026-11-26 09:00:00+00", "2026-11-26 09:00:00"), ("2026-11-26 09:00:00.123", "2026-11-26 09:00:00"),
        ("2026-11-26 09:00:00.123456+05:30", "2026-11-26 03:30:00"), ("2026-11-26 09:00:00-08", "2026-11-26 17:00:00"),
        ("1880-01-01 00:53:28+00:53:28", "1880-01-01 00:00:00"),
        // Rails
        ("2026-11-26 09:00:00 UTC", "2026-11-26 09:00:00"), ("2026-11-26 09:00:00 +0100", "2026-11-26 08:00:00"),
        // Others
        ("2026-11-26t09:00:00z", "2026-11-26 09:00:00"), ("2026-11-26T09:00:00.000+0000", "2026-11-26 09:00:00"),
        ("2026-11-26T09:00:00,5+01", "2026-11-26 08:00:00"), (" 2026-11-26 ", "2026-11-26 00:00:00"),
        ("2026-11-26 09:00:00 GMT", "2026-11-26 09:00:00"), ("1772389805.0", "2026-03-01 18:30:05"),
    ])
    func datesOfDatabasesAndFrameworksAreRead(text: String, expected: String) throws {
        let person = RecipientProfile(attributes: ["d": .string(text)])

        #expect(try render("{{ d | date: '%F %T' }}", person) == .text(expected))
    }

    @Test(arguments: ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "sv", "tr", "ja", "ko", "zh"])
    func namesMatchUnicodeCLDR(language: String) throws {
        let formatter = DateFormatter()
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.locale = Locale(identifier: language)
        formatter.timeZone = TimeZone(identifier: "UTC")
        let names = try #require(LiquidDateNames(locale: language))
        func check(_ found: [String], _ format: String, days: [Int]) {
            formatter.dateFormat = "d " + format
            let expected = days.map { day in
                let text = formatter.string(from: Date(timeIntervalSince1970: Double(day) * 86_400))
                return String(text.drop { $0.isNumber }.dropFirst())
            }
            #expect(found == expected, "\(language) \(format)")
        }
        // 1970-01-04 was a Sunday; the 15th of each month.
        check(names.weekdays, "EEEE", days: Array(3..<10))
        check(names.shortWeekdays, "EEE", days: Array(3..<10))
        let months = (1...12).map { CivilDay(year: 1970, month: $0, day: 15).number }
        check(names.months, "MMMM", days: months)
        check(names.shortMonths, "MMM", days: months)
    }

    @Test func monthsAreNamedInTheVariantsLanguage() throws {
        let payload: JSON = ["t": "{{ d | date: '%-d. %B' }}"]
        let content = TemplateContent(
            payload: payload, variants: ["de", "zh-Hant", "fi"].map { .init(locale: $0, payload: payload) })
        let context = ContentContext(defaultLocale: "fr")
        let composer = ContentComposer(try CompiledContent(content, in: context), now: 0)
        let expected = [
            "de_AT": "1. März", "zh-Hant-HK": "1. 三月", "fi": "1. March", "en": "1. mars", "fr-CA": "1. mars",
        ]
        for (locale, text) in expected {
            let person = try RecipientProfile(#"{"d":"2026-03-01"}"#, locale: locale)
            guard case .bytes(let bytes) = composer.compose(person) else { throw NoText() }
            #expect(try JSON(parsing: bytes)["t"] == .string(text), "\(locale)")
        }
    }
}
