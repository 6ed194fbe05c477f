import JSON
import Notifications

/// Conditions about fields and attributes.
extension AudienceReader {
    private typealias Companion = AudienceCondition.Companion

    mutating func field(_ json: JSON, _ members: [JSON.Member], at path: String) -> AudienceCondition? {
        let memberPath = ProblemPath.member(AudienceCondition.Kind.field.rawValue, of: path)
        guard case .string(let name) = json else {
            return refuse(
                memberPath, "wrong-type", "must be the name of a field, like \"app_version\", not \(json.summary)")
        }
        guard let field = AudienceField(rawValue: name) else {
            let names = AudienceField.allCases.map(\.rawValue)
            let end: Message =
                Spelling.nearest(to: name, among: names).map(Spelling.suggestion)
                ?? "; use \(names.alternatives), or \"attribute\" for a value that the app stores"
            return refuse(
                memberPath, "unknown-field", "must be the name of a field, not \(JSON.string(name).summary)\(end)")
        }
        return test(of: field.kind, named: "\(field.rawValue)", members, at: path).map { .field(field, $0) }
    }

    mutating func attribute(_ json: JSON, _ members: [JSON.Member], at path: String) -> AudienceCondition? {
        let memberPath = ProblemPath.member(AudienceCondition.Kind.attribute.rawValue, of: path)
        let attribute = checked(json, at: memberPath) { (text) throws(InvalidValue) in try AttributePath(text) }
        let test = test(of: .json, named: "an attribute", members, at: path)
        guard let attribute, let test else { return nil }
        return .attribute(attribute, test)
    }

    mutating func test(
        of kind: AudienceField.Kind, named name: Message, _ members: [JSON.Member], at path: String
    ) -> AudienceTest? {
        let memberPath = ProblemPath.member(Companion.op, of: path)
        let operators = kind.operators.map(\.rawValue)
        guard let op = members.first(where: { $0.key == Companion.op })?.value else {
            return refuse(memberPath, "missing", "is required: \(operators.alternatives)")
        }
        guard case .string(let text) = op else {
            return refuse(memberPath, "wrong-type", "must be \(operators.alternatives), not \(op.summary)")
        }
        guard let comparison = AudienceOperator(rawValue: text), kind.operators.contains(comparison) else {
            let suggestion = Spelling.suggestion(for: text, among: operators)
            return refuse(
                memberPath, "unknown-op",
                "must be \(operators.alternatives) for \(name), not \(JSON.string(text).summary)\(suggestion)")
        }
        let valuePath = ProblemPath.member(Companion.value, of: path)
        let value = members.first { $0.key == Companion.value }?.value
        if comparison == .exists {
            guard value == nil else {
                return refuse(valuePath, "not-allowed", "can't be combined with the operator exists")
            }
            return .exists
        }
        guard let value else { return refuse(valuePath, "missing", "is required") }
        return test(comparison, value, of: kind, at: valuePath)
    }

    private mutating func test(
        _ comparison: AudienceOperator, _ value: JSON, of kind: AudienceField.Kind, at path: String
    ) -> AudienceTest? {
        switch (kind, comparison) {
        case (.time, .before): return instant(value, at: path).map { .time(.before($0)) }
        case (.time, .after): return instant(value, at: path).map { .time(.after($0)) }
        case (.time, .withinDays): return whole(value, at: path, in: AudienceTest.days).map { .time(.withinDays($0)) }
        case (.time, _): return whole(value, at: path, in: AudienceTest.days).map { .time(.olderThanDays($0)) }
        case (.flag, _):
            guard case .bool(let flag) = value else {
                return refuse(path, "wrong-type", "must be true or false, not \(value.summary)")
            }
            return .flag(flag)
        case (.version, _):
            guard let order = AudienceTest.Order(comparison) else { return nil }
            if case .number(let number) = value {
                return refuse(
                    path, "wrong-type",
                    "must be a version in quotes, like \"\(number.text)\"; the number 4.10 equals 4.1")
            }
            let version = checked(value, at: path) { (text) throws(InvalidValue) in try AudienceVersion(text) }
            return version.map { .version(order, $0) }
        case (.json, .is): return attributeIs(value, at: path)
        case (.json, .atLeast), (.json, .below), (.json, .above), (.json, .atMost):
            guard let order = AudienceTest.Order(comparison) else { return nil }
            return number(value, at: path).map { .number(order, $0) }
        case (.json, .before): return day(value, at: path).map { .day(.before($0)) }
        case (.json, .after): return day(value, at: path).map { .day(.after($0)) }
        case (.json, .withinDays): return whole(value, at: path, in: AudienceTest.days).map { .day(.withinDays($0)) }
        case (.json, .olderThanDays):
            return whole(value, at: path, in: AudienceTest.days).map { .day(.olderThanDays($0)) }
        case (.json, .withinNextDays):
            return whole(value, at: path, in: AudienceTest.days).map { .day(.withinNextDays($0)) }
        case (.json, .anniversaryInDays):
            return whole(value, at: path, in: AudienceTest.daysToAnAnniversary).map { .day(.anniversaryInDays($0)) }
        case (.text, _), (.exact, _), (.secret, _), (.locale, _), (.zone, _), (.language, _), (.country, _),
            (.word, _), (.json, _):
            return text(comparison, value, of: kind, at: path).map { .text($0) }
        }
    }

    mutating func attributeIs(_ value: JSON, at path: String) -> AudienceTest? {
        switch value {
        case .bool(let flag): return .flag(flag)
        case .number: return number(value, at: path).map { .number(.is, $0) }
        case .string:
            return composedText(value, at: path, length: 0...AudienceTest.maximumTextLength).map { .text(.is($0)) }
        case .null, .array, .object:
            return refuse(path, "wrong-type", "must be text, a number, true or false, not \(value.summary)")
        }
    }

    private mutating func text(
        _ comparison: AudienceOperator, _ value: JSON, of kind: AudienceField.Kind, at path: String
    ) -> AudienceTest.TextTest? {
        switch comparison {
        case .in, .notIn:
            let length = 0...AudienceTest.maximumTextLength
            guard let texts = texts(value, at: path, length: length, most: AudienceTest.maximumListed) else {
                return nil
            }
            let values = texts.enumerated().compactMap { index, text in
                word(text, of: kind, at: ProblemPath.element(index, of: path))
            }
            guard values.count == texts.count else { return nil }
            return comparison == .in ? .in(values) : .notIn(values)
        case .startsWith, .contains:
            // Every text begins with the empty text; "exists" is the operator for that.
            let text = text(value, at: path, length: 1...AudienceTest.maximumTextLength)
            guard let text else { return nil }
            let part: String? =
                switch kind {
                case .locale: comparison == .contains ? LocaleTag.parts(text) : range(text, at: path)?.text
                case .zone: text.lowercased()
                case .text, .json: text.composed
                default: text
                }
            return part.map { comparison == .contains ? .contains($0) : .startsWith($0) }
        default:
            guard let text = text(value, at: path, length: 0...AudienceTest.maximumTextLength),
                let word = word(text, of: kind, at: path)
            else { return nil }
            return comparison == .isNot ? .isNot(word) : .is(word)
        }
    }

    /// The normalized text; rejects a text that the field of no device can contain.
    private mutating func word(_ text: String, of kind: AudienceField.Kind, at path: String) -> String? {
        switch kind {
        case .word(let keywords):
            guard keywords.contains(text) else {
                let suggestion = Spelling.suggestion(for: text, among: keywords)
                return refuse(
                    path, "unknown-value",
                    "must be \(keywords.alternatives), not \(JSON.string(text).summary)\(suggestion)")
            }
            return text
        case .language:
            let isLanguage = text.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
            guard isLanguage, let tag = try? LocaleTag(text) else {
                return refuse(
                    path, "bad-language",
                    "must be a language, like \"zh\", not \(JSON.string(text).summary); "
                        + "use locale for regions and scripts")
            }
            return tag.language
        case .country:
            let code = text.uppercased()
            guard ZoneName.zones(ofCountry: code) != nil else {
                return refuse(
                    path, "unknown-country",
                    "must be a country's code of two letters, like \"DE\", not \(JSON.string(text).summary)")
            }
            return code
        case .locale: return range(text, at: path)?.locale.text
        case .zone:
            guard let name = ZoneName.canonical(text) else {
                return refuse(
                    path, "unknown-time-zone",
                    "must be a time zone like Europe/Berlin, not \(JSON.string(text).summary)")
            }
            return name
        case .text, .json: return text.composed
        case .exact, .secret, .version, .flag, .time: return text
        }
    }

    /// A range of locales in the form in which devices have theirs; it may end with a dash.
    private mutating func range(_ text: String, at path: String) -> LocaleTag? {
        do throws(InvalidValue) {
            let isOpen = text.last == "-" || text.last == "_"
            return try LocaleTag(isOpen ? String(text.dropLast()) : text)
        } catch {
            return refuse(path, error.code, error.message)
        }
    }
}
