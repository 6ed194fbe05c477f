/// Which variants a device's locale is served by, the best first: `zh-Hant-HK`, `zh-Hant`, `zh`.
enum LocaleChain {
    /// Takes what iOS gives: `zh-Hant-HK`, `en_US`, `de_DE@calendar=gregorian`, `en-US-u-ca-gregory`. The result is in
    /// lower case with hyphens.
    static func candidates(for locale: String) -> [String] {
        let parts = parts(of: locale)
        guard !parts.isEmpty else { return [] }
        let whole = (1...parts.count).reversed().map { parts[..<$0].joined(separator: "-") }
        // Chinese without a script has the one of its region: zh-TW is served by zh-Hant and not by zh-Hans.
        guard parts[0] == "zh", parts.count == 2, let script = scripts[parts[1]] else { return whole }
        return [whole[0], "zh-\(script)-\(parts[1])", "zh-\(script)", "zh"]
    }

    /// Whether it looks like a language with or without script, region and variants, as a variant's name has to.
    static func isLocale(_ locale: String) -> Bool {
        let parts = locale.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        return parts.first.map { (2...3).contains($0.utf8.count) && $0.utf8.allSatisfy { !LiquidLexer.isDigit($0) } }
            == true
            && parts.allSatisfy { (2...8).contains($0.utf8.count) }
            && locale.utf8.allSatisfy {
                LiquidLexer.isTagName($0) && $0 != UInt8(ascii: "#") || $0 == UInt8(ascii: "-")
            }
    }

    /// `zh` of `zh_Hant-HK`; empty for an empty locale.
    static func language(of locale: String) -> String { parts(of: locale).first ?? "" }

    /// The two letters or three digits of the country; nil without one.
    static func region(of locale: String) -> String? {
        parts(of: locale).dropFirst().first { part in
            part.utf8.count == 2 || (part.utf8.count == 3 && part.utf8.allSatisfy(LiquidLexer.isDigit))
        }
    }

    private static let scripts = ["tw": "hant", "hk": "hant", "mo": "hant", "cn": "hans", "sg": "hans", "my": "hans"]

    /// Up to what is no part of language, script, region and variant: an extension or POSIX's modifier.
    private static func parts(of locale: String) -> [String] {
        let parts = locale.prefix { $0 != "@" && $0 != "." }.lowercased()
            .split { $0 == "-" || $0 == "_" }
        return parts.prefix { $0.utf8.count > 1 }.map(String.init)
    }
}
