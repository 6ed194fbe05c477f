extension LocaleTag {
    /// Parts of a locale in the form in which locales have them, in lower case, to be found between their dashes:
    /// `hant`, `ch` for `-CH`, `zh-hant-tw` for `zh_TW`, `he` for `iw`, `gb` for `UK`.
    public static func parts(_ text: String) -> String {
        let parts = text.split { $0 == "-" || $0 == "_" }
        let spelled = parts.joined(separator: "-")
        guard let first = parts.first, parts.count == 1 else {
            return ((try? LocaleTag(spelled))?.text ?? spelled).lowercased()
        }
        // A name alone can be a region's, and that of a language which now has another one: NO, TW, IN.
        let isRegion = first.utf8.count == 2 && (text.first != first.first || first == first.uppercased())
        if isRegion, let tag = try? LocaleTag("und-\(first)") { return String(tag.text.dropFirst(4)).lowercased() }
        guard !LocaleData.knownRegions.contains(spelled.uppercased()) else { return spelled.lowercased() }
        return ((try? LocaleTag(spelled))?.text ?? spelled).lowercased()
    }
}

extension LocaleData {
    /// Of ISO 3166, in two letters.
    fileprivate static let knownRegions = Set(regions.values.filter { $0.utf8.count == 2 })
}
