/// The choice of a variant, the same for pushes, previews, statistics and texts of categories and topics.
///
/// 1. The variant of the locale itself, or of its nearest parent: `en-GB`, `en-001`, `en`; `es-MX`, `es-419`, `es`;
///    `zh-Hant-MO`, `zh-Hant-HK`, `zh-Hant`.
/// 2. A variant for another region in the same language and script: the one with the nearest common parent, then the
///    region with the most readers, then the first in the alphabet. `zh-Hans-US` gets `zh-CN`, never `zh-TW`. The
///    default counts as a variant here: `en-US` gets a default in English, and not the variant `en-GB`.
/// 3. The variant of the language without a script, whatever the reader's script is: a text in `zh` is all Chinese that
///    there is, and nearer to a reader of traditional Chinese than the default in another language.
extension LocaleTag {
    /// The best of these variants; nil if the default is better, which is in the language `standard`.
    public func best(among variants: some Collection<LocaleTag>, standard: LocaleTag? = nil) -> LocaleTag? {
        let locale = self.locale
        let chain = locale.parents
        if let found = chain.first(where: variants.contains) { return found }
        if let standard, chain.contains(standard) { return nil }
        let found =
            locale.sibling(among: variants, standard, chain) ?? LocaleTag(LocaleSubtags(language: locale.language))
        return variants.contains(found) ? found : nil
    }

    /// This tag and its parents, nearest first.
    var parents: [LocaleTag] {
        var chain = [self]
        guard var subtags = LocaleSubtags(text[...].utf8) else { return chain }
        while let parent = subtags.parent {
            chain.append(LocaleTag(parent))
            subtags = parent
        }
        return chain
    }

    private func sibling(
        among variants: some Collection<LocaleTag>, _ standard: LocaleTag?, _ chain: [LocaleTag]
    ) -> LocaleTag? {
        let writings = chain.map(\.writing)
        let candidates = (Array(variants) + [standard].compactMap { $0 }).compactMap {
            tag -> (tag: LocaleTag, rank: (Int, Int, String))? in
            let full = tag.locale
            let own = Set(full.parents)
            let distance = chain.indices.first { own.contains(chain[$0]) && writings[$0] == full.writing }
            guard let distance else { return nil }
            let main = LocaleData.mainRegions[full.writing] ?? LocaleData.mainRegions[full.language]
            let isElsewhere = main == full.region ? 0 : 1
            return (tag, (distance, isElsewhere, tag.text))
        }
        return candidates.min { $0.rank < $1.rank }?.tag
    }

    /// Language and script.
    private var writing: String {
        guard let subtags = LocaleSubtags(text[...].utf8), !subtags.script.isEmpty else { return language }
        return "\(subtags.language)-\(subtags.script)"
    }

    /// Two letters, or the three digits of a part of the world; empty if the tag has none.
    public var region: String { LocaleSubtags(text[...].utf8)?.region ?? "" }
}

extension LocaleSubtags {
    /// The next tag to look under; nil at the end.
    fileprivate var parent: LocaleSubtags? {
        var parent = self
        if !variants.isEmpty {
            parent.variants.removeLast()
        } else if let other = LocaleData.parents[text] {
            return LocaleSubtags(other[...].utf8)
        } else if !region.isEmpty {
            parent.region = ""
        } else if !script.isEmpty, script == LocaleData.scripts[language]?.standard {
            parent.script = ""
        } else {
            return nil
        }
        return parent
    }
}
