public import JSON

extension LocalizedText {
    /// In bytes, of the text in one language.
    public static let maximumSize = 1_000
    /// Without the default.
    public static let maximumVariants = 100

    static let standardKey = "default"

    /// The default first, then the variants in the order of their tags: `{"default":"Reply","zh-Hant":"回覆"}`.
    public var json: JSON {
        .object(
            [JSON.Member(Self.standardKey, .string(standard))]
                + variants.sorted { $0.key < $1.key }.map { JSON.Member($0.key.text, .string($0.value)) })
    }

    fileprivate init(_ reader: inout ObjectReader) {
        self.init("")
        let standardName = Self.standardKey
        reader.require(standardName)
        standard = reader.value(standardName, Self.check) ?? ""
        if reader.rest.count > Self.maximumVariants {
            reader.refuse(
                standardName, "too-many",
                "must have at most \(Self.maximumVariants) translations, not \(reader.rest.count)")
            reader.skipRest()
        }
        for name in reader.rest.map(\.key) {
            let tag = reader.languageTag(name, besides: variants.keys)
            let text = reader.value(name, Self.check)
            if let tag { variants[tag] = text ?? "" }
        }
    }

    static func check(_ text: String) throws(InvalidValue) -> String {
        guard !text.isEmpty else { throw InvalidValue("empty", "must not be empty") }
        guard text.utf8.count <= maximumSize else {
            throw InvalidValue("too-long", "must be at most \(maximumSize) bytes, not \(text.utf8.count)")
        }
        guard !text.unicodeScalars.contains("\0") else {
            throw InvalidValue("bad-character", "must not contain the character U+0000")
        }
        return text
    }
}

extension ObjectReader {
    /// Reads a member's name as a language tag; adds a problem if it is invalid or a duplicate.
    public mutating func languageTag(_ name: String, besides others: some Sequence<LocaleTag>) -> LocaleTag? {
        let tag = checked(name, at: ProblemPath.member(name, of: "")) {
            text throws(InvalidValue) in try LocaleTag(text)
        }
        guard let tag, others.contains(tag) else { return tag }
        refuse(name, "duplicate-locale", "is the same language as another key here: both are \(tag)")
        return nil
    }

    /// A text that is the same in every language, or an object of texts by language with a default.
    mutating func localizedText(_ key: some MemberName) -> LocalizedText? {
        switch take(key) {
        case nil: return nil
        case .string(let text): return checked(text, at: key.memberName, LocalizedText.check).map { LocalizedText($0) }
        case .object(let members): return object(key, members) { $0.closed { LocalizedText(&$0) } }
        case .some(let value):
            wrongType(key, "text, or an object of texts by language", value)
            return nil
        }
    }
}
