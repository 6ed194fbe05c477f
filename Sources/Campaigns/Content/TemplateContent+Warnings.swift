import JSON
import Notifications

extension TemplateContent {
    /// Parts of a payload without errors that may not show as intended.
    func warnings(_ variant: VariantPayload, _ context: ContentContext) -> [Problem] {
        var warnings =
            categoryWarnings(variant.payload, context) + unrenderedWarnings(variant.payload, at: "")
            + (variant.locale.map { LanguageParts.warnings(about: variant.own, in: $0, default: payload) } ?? [])
        let language = variant.locale ?? context.defaultLocale
        for text in ContentText.texts(in: variant.payload) {
            warnings += attributeWarnings(text, context) + text.comparisonWarnings
            let hasNames = text.template.nodes.outputs.flatMap(\.filters).contains { filter in
                if case .date(let format) = filter { format.hasNames } else { false }
            }
            if hasNames, LiquidDateNames(locale: language) == nil {
                warnings.append(
                    .warning(
                        text.path, "date-names",
                        "writes the names of days and months in English; the names in \(language) are not available"))
            }
        }
        return warnings
    }

    /// Not an error: a new version of the app may have categories that it has not registered yet.
    private func categoryWarnings(_ payload: JSON, _ context: ContentContext) -> [Problem] {
        guard let categories = context.categories, case .string(let category) = payload["aps"]?["category"],
            !LiquidTemplate.isLiquid(category), !categories.contains(category)
        else { return [] }
        let suggestion = Spelling.suggestion(for: category, among: categories.sorted())
        return [
            .warning(
                "aps.category", "unknown-category",
                "must be one of the app's categories; \(category) is unknown, and the device shows no buttons for it\(suggestion)"
            )
        ]
    }

    private func attributeWarnings(_ text: ContentText, _ context: ContentContext) -> [Problem] {
        guard !context.longestValues.isEmpty else { return [] }
        var seen: Set<Field> = []
        let unknown = text.template.nodes.fields.filter { !context.knows($0) && seen.insert($0).inserted }
        guard !unknown.isEmpty else { return [] }
        let known = context.longestValues.keys.filter { if case .attribute = $0 { true } else { false } }
        let names = DeviceField.allCases.map(\.rawValue) + known.map(\.description).sorted()
        let unquoted = Set(text.unquoted(Set(unknown)))
        return unknown.prefix(LiquidTemplate.maximumErrors).map { field in
            if unquoted.contains(field) {
                return Problem(
                    path: text.path, code: "text-without-quotes",
                    message: "uses \(field), which no device has; a text needs quotes: \"\(field)\"",
                    severity: .warning,
                    fix: LiquidMending.quoting(field.description, in: text.source))
            }
            return .warning(
                text.path, "unknown-attribute",
                "uses \(field), which no device has\(Self.suggestion(field.description, names))")
        }
    }

    /// Warnings about texts that look like Liquid and are sent unchanged.
    private func unrenderedWarnings(_ json: JSON, at path: String) -> [Problem] {
        switch json {
        case .null, .bool, .number: return []
        case .string(let text): return LiquidLookalike.problems(in: text, at: path)
        case .array(let elements):
            return elements.enumerated().flatMap {
                unrenderedWarnings($0.element, at: ProblemPath.element($0.offset, of: path))
            }
        case .object(let members):
            return members.flatMap { member in
                let path = ProblemPath.member(member.key, of: path)
                let own: [Problem] =
                    LiquidTemplate.isLiquid(member.key)
                    ? [.warning(path, "liquid-in-key", "is a key, sent unchanged; Liquid works in texts only")] : []
                return own + unrenderedWarnings(member.value, at: path)
            }
        }
    }

    private static func suggestion(_ word: String, _ candidates: [String]) -> Message {
        Spelling.suggestion(for: word, among: candidates)
    }
}
