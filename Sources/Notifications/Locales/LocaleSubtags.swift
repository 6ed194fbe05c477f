/// The parts of a language tag in their canonical spelling: `zh`, `Hant`, `HK`. An absent part is empty.
struct LocaleSubtags: Hashable {
    var language: String
    var script = ""
    var region = ""
    /// In alphabetical order, like `valencia`.
    var variants: [String] = []

    private enum Case { case lower, upper, title }

    init(language: String) {
        self.language = language
    }

    /// Reads BCP 47 and the spellings of Apple, POSIX and ISO 639-2: `zh_Hant_HK`, `en_US.UTF-8`, `deu`.
    /// Nil if it is not a language tag. Extensions (`-u-ca-buddhist`, `@calendar=buddhist`) say nothing about the
    /// language and are omitted.
    init?(_ text: Substring.UTF8View) {
        language = ""
        // Part by part: an array of them would be an allocation for each registration.
        var rest = text[...]
        guard let first = Self.next(&rest), first.allSatisfy(Self.isLetter) else { return nil }
        var following = Self.next(&rest)
        switch first.count {
        case 1:
            guard let second = following, readPrefix(first, second) else { return nil }
            following = Self.next(&rest)
        case 2...3:
            language = Self.spelled(first, .lower)
            if let second = following, second.count == 3 || second.count > 4 {
                if readPrefix(first, second) {
                    following = Self.next(&rest)
                } else if Self.prefixes.contains(language) {
                    while let more = following, readExtendedLanguage(more) { following = Self.next(&rest) }
                }
            }
        default: return nil
        }
        while let subtag = following {
            guard read(subtag) else { return nil }
            if subtag.count == 1 {
                guard !rest.isEmpty else { return nil }
                break
            }
            following = Self.next(&rest)
        }
        // A separator at the end, or two of them, leave an empty part.
        guard rest.isEmpty || following?.count == 1 else { return nil }
        canonicalize()
    }

    /// Languages with a prefix in the tags of others: `zh-yue`, `ar-arb`.
    private static let prefixes: Set<String> = ["ar", "kok", "lv", "ms", "sw", "uz", "zh"]

    /// The last one is the language: `zh-min-nan`.
    private mutating func readExtendedLanguage(_ subtag: Substring.UTF8View) -> Bool {
        guard subtag.count == 3, subtag.allSatisfy(Self.isLetter),
            LocaleData.regions[Self.spelled(subtag, .upper)] == nil
        else { return false }
        language = Self.spelled(subtag, .lower)
        return true
    }

    private mutating func readPrefix(_ first: Substring.UTF8View, _ second: Substring.UTF8View) -> Bool {
        let name = "\(Self.spelled(first, .lower))-\(Self.spelled(second, .lower))"
        guard let alias = LocaleData.prefixes[name] else { return false }
        fill(alias)
        return true
    }

    /// Reads what follows the language; a single letter begins an extension.
    private mutating func read(_ subtag: Substring.UTF8View) -> Bool {
        let isWord = subtag.allSatisfy(Self.isLetter)
        switch subtag.count {
        case 1: return true
        case 4 where isWord && script.isEmpty && region.isEmpty && variants.isEmpty:
            script = Self.spelled(subtag, .title)
        case 2 where isWord && region.isEmpty && variants.isEmpty: region = Self.spelled(subtag, .upper)
        case 3 where !isWord && subtag.allSatisfy(Self.isDigit) && region.isEmpty && variants.isEmpty:
            region = Self.spelled(subtag, .upper)
        case 3 where isWord && region.isEmpty && variants.isEmpty:
            region = Self.spelled(subtag, .upper)
            return LocaleData.regions[region] != nil || LocaleData.successors[region] != nil
        case 5...8: addVariant(subtag)
        case 4 where subtag.first.map(Self.isDigit) == true: addVariant(subtag)
        default: return false
        }
        return true
    }

    private mutating func addVariant(_ subtag: Substring.UTF8View) {
        let variant = Self.spelled(subtag, .lower)
        // POSIX is a machine's way of sorting, not a way of writing.
        if variant != "posix", !variants.contains(variant) { variants.append(variant) }
    }

    // MARK: Canonical form

    private mutating func canonicalize() {
        if let alias = LocaleData.languages[language] {
            language = ""
            fill(alias)
        }
        if let successors = LocaleData.successors[region] {
            let own = LocaleData.mainRegions[language]
            region = successors.first { $0 == own } ?? successors[0]
        } else if let alias = LocaleData.regions[region] {
            region = alias
        }
        if variants.count > 1 { variants.sort() }
        guard let scripts = LocaleData.scripts[language] else { return }
        if !scripts.isShown {
            if script == scripts.standard { script = "" }
        } else if script.isEmpty, !region.isEmpty {
            script = scripts.byRegion[region] ?? scripts.standard
        }
    }

    /// Adds the script of a language that is written in several: a locale has one, even if a range of locales has not.
    mutating func addScript() {
        if script.isEmpty, let scripts = LocaleData.scripts[language], scripts.isShown { script = scripts.standard }
    }

    /// Sets what is absent from a canonical tag: a region that is given is more specific than the alias's.
    private mutating func fill(_ alias: String) {
        for (index, part) in alias.split(separator: "-").enumerated() {
            if index == 0 {
                language = String(part)
            } else if part.utf8.count == 4 {
                if script.isEmpty { script = String(part) }
            } else if region.isEmpty {
                region = String(part)
            }
        }
    }

    var text: String {
        if script.isEmpty, variants.isEmpty { return region.isEmpty ? language : "\(language)-\(region)" }
        return ([language, script, region].filter { !$0.isEmpty } + variants).joined(separator: "-")
    }

    // MARK: Bytes

    /// Takes the next part and the separator before it; nil at the end.
    private static func next(_ rest: inout Substring.UTF8View) -> Substring.UTF8View? {
        let part = rest.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        guard !part.isEmpty, part.count <= 8, part.allSatisfy({ isLetter($0) || isDigit($0) }) else { return nil }
        rest = rest[part.endIndex...]
        // A separator that nothing follows stays, as a fault.
        if rest.count > 1 { rest = rest.dropFirst() }
        return part
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func spelled(_ part: Substring.UTF8View, _ wanted: Case) -> String {
        String(unsafeUninitializedCapacity: part.count) { buffer in
            for (index, byte) in part.enumerated() {
                let isUpper = wanted == .upper || (wanted == .title && index == 0)
                buffer[index] = isLetter(byte) ? (isUpper ? byte & ~0x20 : byte | 0x20) : byte
            }
            return part.count
        }
    }
}
