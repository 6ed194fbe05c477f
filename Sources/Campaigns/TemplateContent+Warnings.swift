import Notifications

extension TemplateContent {
    /// What would not show as it is meant, in a payload without errors.
    func warnings(_ variant: LocalPayload, _ context: ContentContext) -> [Problem] {
        var warnings = categoryWarnings(variant.payload, context) + keyWarnings(variant.payload, at: "")
        let language = variant.locale ?? context.defaultLocale
        for text in ContentText.texts(in: variant.payload) {
            warnings += attributeWarnings(text, context)
            let hasNames = text.template.nodes.outputs.flatMap(\.filters).contains { filter in
                if case .date(let format) = filter { format.hasNames } else { false }
            }
            if hasNames, LiquidDateNames(locale: language) == nil {
                warnings.append(
                    .warning(
                        text.path, "date-names",
                        "writes the names of days and months in English: those of \(language) are not known here"))
            }
        }
        return warnings
    }

    /// The app may be ahead of what it has told, so this is no error.
    private func categoryWarnings(_ payload: JSON, _ context: ContentContext) -> [Problem] {
        guard let categories = context.categories, case .string(let category) = payload["aps"]?["category"],
            !LiquidTemplate.isLiquid(category), !categories.contains(category)
        else { return [] }
        return [
            .warning(
                "aps.category", "unknown-category",
                "names \(category), which is not among the app's categories: without it the phone shows no buttons"
                    + Spelling.suggestion(for: category, among: categories.sorted()))
        ]
    }

    private func attributeWarnings(_ text: ContentText, _ context: ContentContext) -> [Problem] {
        guard !context.longestValues.isEmpty else { return [] }
        var seen: Set<Field> = []
        return text.template.nodes.fields.filter { !context.knows($0) && seen.insert($0).inserted }.map { field in
            let known = context.longestValues.keys.filter { if case .attribute = $0 { true } else { false } }
            let names = DeviceField.allCases.map(\.rawValue) + known.map(\.description).sorted()
            return .warning(
                text.path, "unknown-attribute",
                "uses \(field), which no device has\(Spelling.suggestion(for: field.description, among: names))")
        }
    }

    private func keyWarnings(_ json: JSON, at path: String) -> [Problem] {
        switch json {
        case .null, .bool, .number, .string: return []
        case .array(let elements):
            return elements.enumerated().flatMap { keyWarnings($0.element, at: "\(path)[\($0.offset)]") }
        case .object(let members):
            return members.flatMap { member in
                let path = ContentText.path(path, member.key)
                let own: [Problem] =
                    LiquidTemplate.isLiquid(member.key)
                    ? [.warning(path, "liquid-in-key", "is a key, which is sent as it is: only texts hold Liquid")] : []
                return own + keyWarnings(member.value, at: path)
            }
        }
    }
}

extension Problem {
    fileprivate static func warning(_ path: String, _ code: String, _ message: String) -> Problem {
        Problem(path: path, code: code, message: message, severity: .warning)
    }
}
