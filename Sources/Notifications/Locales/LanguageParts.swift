public import JSON

/// Compares the parts of a content that are not text between its languages. Each language is complete and inherits
/// nothing, so its readers get no buttons or no sound, for example, if it lacks them.
public enum LanguageParts {
    /// The members of an alert that are text, of which each language has its own.
    private static let texts: Set = [
        "title", "subtitle", "body", "loc-key", "loc-args", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args",
    ]

    /// Warnings about the content `own` of a language, by its members. A part that differs is no warning: it can be
    /// meant.
    public static func warnings(about own: JSON, in locale: String, default standard: JSON) -> [Problem] {
        onlyHere(own, standard)
            + shared(standard).filter { own.value(at: $0) == nil }.map { path in
                .warning(
                    path.reduce("") { ProblemPath.member($1, of: $0) }, "missing-in-language",
                    "is missing in \(locale), but the default language has it. Languages inherit nothing: "
                        + "add it here, or remove it from the default")
            }
    }

    /// Buttons and sounds that a language has and the default lacks: they are rarely meant for one language. Other parts
    /// of one language alone are no warning.
    private static func onlyHere(_ own: JSON, _ standard: JSON) -> [Problem] {
        ["category", "sound"].filter { own["aps"]?[$0] != nil && standard["aps"]?[$0] == nil }.map { name in
            .warning(
                "aps.\(name)", "missing-in-default",
                "is missing in the default language, whose readers get none. Languages inherit nothing: add it there, "
                    + "or remove it here")
        }
    }

    /// The paths of the parts that are not text.
    private static func shared(_ content: JSON) -> [[String]] {
        content.keys.flatMap { key -> [[String]] in
            guard key == "aps", let aps = content[key] else { return [[key]] }
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
