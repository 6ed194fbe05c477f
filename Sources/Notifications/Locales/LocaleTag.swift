public import JSON

/// A language, optionally with script and region, in the canonical case of BCP 47: `zh-Hant-HK`, `pt-BR`, `en`.
///
/// Apple's spellings are accepted too: `zh_Hant_HK`, `en_US@calendar=gregorian`. A Chinese tag with a region but no
/// script gets the script of the region: `zh-TW` becomes `zh-Hant-TW`, which would otherwise fall back to `zh`.
public struct LocaleTag: Sendable, Hashable, CustomStringConvertible {
    public let text: String

    /// In bytes (RFC 5646 §4.4.1).
    public static let maximumSize = 35

    public init(_ text: String) throws(InvalidValue) {
        // The rest is a calendar or another keyword, or a POSIX encoding.
        let name = text.prefix { $0 != "@" && $0 != "." }
        guard !name.isEmpty else { throw InvalidValue("empty", "must name a language, like en or zh-Hant") }
        guard name.utf8.count <= Self.maximumSize else {
            throw InvalidValue("too-long", "must be at most \(Self.maximumSize) bytes, not \(name.utf8.count)")
        }
        var subtags = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }.map(String.init)
        guard Self.isLanguage(subtags[0]), subtags.allSatisfy(Self.isSubtag) else {
            throw InvalidValue("bad-locale", "must be a language tag, like en, pt-BR or zh-Hant-HK")
        }
        Self.spell(&subtags)
        Self.addChineseScript(&subtags)
        self.text = subtags.joined(separator: "-")
    }

    /// The tags to look under, best first and beginning with this one: `zh-Hant-HK`, `zh-Hant`, `zh` (RFC 4647 §3.4).
    /// The default text follows the last.
    public var fallback: [LocaleTag] {
        var chain = [self]
        var subtags = text.split(separator: "-")
        while subtags.count > 1 {
            subtags.removeLast()
            // A single letter introduces an extension and has no meaning alone.
            if subtags.count > 1, subtags.last?.count == 1 { subtags.removeLast() }
            chain.append(LocaleTag(spelled: subtags.joined(separator: "-")))
        }
        return chain
    }

    public var description: String { text }

    private init(spelled text: String) {
        self.text = text
    }

    /// The standard allows longer language subtags, but none is registered.
    private static func isLanguage(_ subtag: String) -> Bool {
        (2...3).contains(subtag.utf8.count) && subtag.utf8.allSatisfy { isLetter($0) }
    }

    private static func isSubtag(_ subtag: String) -> Bool {
        (1...8).contains(subtag.utf8.count)
            && subtag.utf8.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// RFC 5646 §2.1.1: scripts in title case, regions in upper case, everything else in lower case.
    private static func spell(_ subtags: inout [String]) {
        var isExtension = false
        for (index, subtag) in subtags.enumerated() {
            let small = subtag.lowercased()
            switch subtag.utf8.count {
            case 4 where index > 0 && !isExtension: subtags[index] = small.prefix(1).uppercased() + small.dropFirst()
            case 2 where index > 0 && !isExtension: subtags[index] = small.uppercased()
            default: subtags[index] = small
            }
            if subtag.utf8.count == 1 { isExtension = true }
        }
    }

    private static func addChineseScript(_ subtags: inout [String]) {
        guard subtags[0] == "zh", subtags.count > 1 else { return }
        switch subtags[1] {
        case "TW", "HK", "MO": subtags.insert("Hant", at: 1)
        case "CN", "SG", "MY": subtags.insert("Hans", at: 1)
        default: break
        }
    }
}

extension LocaleTag: Comparable {
    public static func < (one: LocaleTag, other: LocaleTag) -> Bool {
        one.text < other.text
    }
}
