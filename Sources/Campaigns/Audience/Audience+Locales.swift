public import JSON
public import Notifications

extension Audience {
    /// Conditions about locales that none of these matches, with their paths: a language can be misspelled.
    public func unmatchedLocales(among locales: Set<LocaleTag>) -> [Problem] {
        guard !locales.isEmpty else { return [] }
        return (include?.unmatched(locales, at: Key.include.rawValue) ?? [])
            + (exclude?.unmatched(locales, at: Key.exclude.rawValue) ?? [])
    }
}

extension AudienceCondition {
    fileprivate func unmatched(_ locales: Set<LocaleTag>, at path: String) -> [Problem] {
        func group(_ conditions: [AudienceCondition], _ kind: Kind) -> [Problem] {
            conditions.enumerated().flatMap { index, condition in
                condition.unmatched(
                    locales, at: ProblemPath.element(index, of: ProblemPath.member(kind.rawValue, of: path)))
            }
        }
        switch self {
        case .all(let conditions): return group(conditions, .all)
        case .any(let conditions): return group(conditions, .any)
        case .not(let condition):
            return condition.unmatched(locales, at: ProblemPath.member(Kind.not.rawValue, of: path))
        case .field(.locale, .text(let test)): return test.unmatched(locales.map(\.text), at: path)
        case .field(.language, .text(let test)): return test.unmatched(locales.map(\.language), at: path)
        case .field, .attribute, .tag, .optedOut, .userIDs, .segment, .event, .outcome, .customEvent: return []
        }
    }
}

extension AudienceTest.TextTest {
    /// Locales and languages are in their canonical forms, as in the devices' rows.
    fileprivate func unmatched(_ values: [String], at path: String) -> [Problem] {
        let sought: [String]
        switch self {
        case .is(let value), .startsWith(let value), .contains(let value): sought = [value]
        case .in(let list): sought = list
        case .isNot, .notIn: return []
        }
        guard !values.contains(where: matches) else { return [] }
        return [
            .warning(
                ProblemPath.member(AudienceCondition.Companion.value, of: path), "never-matches",
                "no device of the app has the language or locale \(Array(sought.prefix(3)).list); "
                    + "check how it is spelled")
        ]
    }

    private func matches(_ value: String) -> Bool {
        switch self {
        case .is(let text): value == text
        case .in(let texts): texts.contains(value)
        case .startsWith(let range): value == range || value.hasPrefix(range + "-")
        case .contains(let parts): "-\(value.lowercased())-".contains("-\(parts)-")
        case .isNot, .notIn: true
        }
    }
}
