public import JSON

/// A language, optionally with script and region, in its canonical form: `zh-Hant-HK`, `pt-BR`, `en`.
///
/// The form is that of Unicode's CLDR: current names (`iw` is `he`, `UK` is `GB`), the script where a language is
/// written in several (`zh-TW` is `zh-Hant-TW`, `sr-RS` is `sr-Cyrl-RS`) and nowhere else (`en-Latn-US` is `en-US`),
/// without extensions. Apple's and POSIX's spellings are accepted. Everything that stores, compares or groups locales
/// has them in this form, and so nothing behind it normalises again.
///
/// A tag is a range of locales: `zh` is Chinese in every script. A device has one locale: see `locale`.
///
/// Docs/decisions/content.md explains why the tables are our own.
public struct LocaleTag: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// In bytes (RFC 5646 §4.4.1).
    public static let maximumSize = 35

    public init(_ text: String) throws(InvalidValue) {
        // The rest is a calendar or another keyword, or a POSIX encoding.
        let name = text[...].utf8.prefix { $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: ".") }
        guard !name.isEmpty else { throw InvalidValue("empty", "must name a language, like en or zh-Hant") }
        guard let subtags = LocaleSubtags(name) else {
            throw InvalidValue("bad-locale", "must be a language tag, like en, pt-BR or zh-Hant-HK")
        }
        self.init(subtags)
        guard self.text.utf8.count <= Self.maximumSize else {
            throw InvalidValue("too-long", "must be at most \(Self.maximumSize) bytes, not \(self.text.utf8.count)")
        }
    }

    init(_ subtags: LocaleSubtags) {
        text = subtags.text
    }

    /// The locale of a device that reports this tag: `zh-Hans` for `zh`, since a text is written in one script.
    public var locale: LocaleTag {
        guard var subtags = LocaleSubtags(text[...].utf8) else { return self }
        subtags.addScript()
        return LocaleTag(subtags)
    }

    /// The canonical locale of a device; nil if the text is not a locale. White space around it has no meaning.
    public static func locale(_ text: String) -> LocaleTag? {
        guard let tag = try? LocaleTag(text) else {
            let trimmed = text.trimmingSpaces
            return trimmed.utf8.count < text.utf8.count ? locale(trimmed) : nil
        }
        return noLanguages.contains(tag.language) ? nil : tag.locale
    }

    /// Undetermined, several, none, and one without a code (ISO 639-2).
    private static let noLanguages: Set<String> = ["und", "mul", "zxx", "mis"]

    public var description: String { text }

    public var language: String { String(text.prefix { $0 != "-" }) }
}

extension LocaleTag: Comparable {
    public static func < (one: LocaleTag, other: LocaleTag) -> Bool {
        one.text < other.text
    }
}
