import JSON
import Notifications

extension TemplateContent {
    /// The members of an alert that are text, of which each language has its own.
    private static let texts: Set = [
        "title", "subtitle", "body", "loc-key", "loc-args", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args",
    ]

    /// Parts of the default payload that are not text and that a language lacks. Nothing is inherited, so its
    /// recipients get no buttons or no sound, for example. A part that differs is no warning: it can be meant.
    func languageWarnings(_ variant: VariantPayload) -> [Problem] {
        guard let locale = variant.locale else { return [] }
        return onlyHere(variant)
            + Self.shared(payload).filter { variant.own.value(at: $0) == nil }.map { path in
                .warning(
                    path.reduce("") { ProblemPath.member($1, of: $0) }, "missing-in-language",
                    "is missing in \(locale), but the default language has it. Languages inherit nothing: "
                        + "add it here, or remove it from the default")
            }
    }

    /// Buttons and sounds that a language has and the default lacks: they are rarely meant for one language. Other parts
    /// of one language alone are no warning.
    private func onlyHere(_ variant: VariantPayload) -> [Problem] {
        ["category", "sound"].filter { variant.own["aps"]?[$0] != nil && payload["aps"]?[$0] == nil }.map { name in
            .warning(
                "aps.\(name)", "missing-in-default",
                "is missing in the default language, whose readers get none. Languages inherit nothing: add it there, "
                    + "or remove it here")
        }
    }

    /// The paths of the parts that are not text.
    private static func shared(_ payload: JSON) -> [[String]] {
        payload.keys.flatMap { key -> [[String]] in
            guard key == "aps", let aps = payload[key] else { return [[key]] }
            return aps.keys.flatMap { name -> [[String]] in
                guard name == "alert" else { return [[key, name]] }
                return (aps[name]?.keys ?? []).filter { !texts.contains($0) }.map { [key, name, $0] }
            }
        }
    }
}

extension JSON {
    fileprivate var keys: [String] { if case .object(let members) = self { members.map(\.key) } else { [] } }

    fileprivate func value(at path: [String]) -> JSON? {
        path.reduce(Optional(self)) { value, key in value?[key] }
    }
}
