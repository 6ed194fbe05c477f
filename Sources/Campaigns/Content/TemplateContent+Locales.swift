import JSON
import Notifications

extension TemplateContent {
    /// Locales to name in a warning.
    private static let maximumNamed = 3

    /// Warns of variants that no device of the app gets. They may be for devices to come, so they are no errors.
    func unusedLocales(_ context: ContentContext) -> [Problem] {
        guard let locales = context.locales, !locales.isEmpty else { return [] }
        let tags = variants.compactMap { try? LocaleTag($0.locale) }
        let standard = LocaleTag.locale(context.defaultLocale)
        let used = Set(locales.compactMap { $0.best(among: tags, standard: standard) })
        return variants.compactMap { variant in
            guard let tag = try? LocaleTag(variant.locale), !used.contains(tag) else { return nil }
            let near = locales.filter { $0.language == tag.language }.sorted().prefix(Self.maximumNamed)
            let reason: Message =
                near.isEmpty
                ? "no device has the language \(tag.language)"
                : "the nearest locales are \(near.map(\.text).list)"
            return .warning(
                ProblemPath.member(variant.locale, of: "variants"), "unused-locale",
                "is not used by any device of the app: \(reason)")
        }
    }
}
