import Campaigns
import JSON
import Notifications
import TestSupport

extension AudienceCondition {
    /// A tree at most `depth` deep about what the devices of `AudienceFixture` have.
    static func random(
        depth: Int, _ now: Instant, _ campaigns: [Campaign.ID], using generator: inout SeededGenerator
    ) -> AudienceCondition {
        func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
        func group() -> [AudienceCondition] {
            (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                random(depth: depth - 1, now, campaigns, using: &generator)
            }
        }
        switch Int.random(in: 0..<(depth > 1 ? 14 : 9), using: &generator) {
        case 0, 1, 2:
            let field = pick(AudienceField.allCases)
            return .field(field, .random(of: field, now, using: &generator))
        case 3 where Bool.random(using: &generator):
            return .attribute(
                AttributePath(names: pick([["born"], ["born"], ["plan"]])), .day(.random(using: &generator)))
        case 3, 4:
            return .attribute(
                AttributePath(names: pick(AudienceFixture.attributeNames)), .randomOfAttribute(using: &generator))
        case 5: return .tag(pick(AudienceFixture.tags))
        case 6: return .optedOut((try? OptOut(pick(AudienceFixture.optOuts)))!)
        case 7: return .userIDs(AudienceTest.randomTexts(using: &generator).filter { !$0.isEmpty } + ["user-1"])
        case 8:
            let kind = pick(EventKind.reported)
            let campaign = Bool.random(using: &generator) ? pick(campaigns) : nil
            return .event(
                AudienceEvent(
                    kind, campaign: campaign,
                    withinDays: campaign == nil || Bool.random(using: &generator) ? pick([1, 5, 30, 90]) : nil,
                    action: kind == .action && Bool.random(using: &generator) ? pick(AudienceFixture.actions) : nil))
        case 9, 10: return .all(group())
        case 11, 12: return .any(group())
        default: return .not(random(depth: depth - 1, now, campaigns, using: &generator))
        }
    }
}

extension AudienceTest {
    fileprivate static func random(
        of field: AudienceField, _ now: Instant, using generator: inout SeededGenerator
    ) -> AudienceTest {
        func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }
        let comparison = pick(field.kind.operators)
        if comparison == .exists { return .exists }
        let words: [String] =
            switch field {
            // Parts of a locale are in lower case.
            case .locale: AudienceFixture.locales.map { comparison == .contains ? $0.lowercased() : $0 }
            case .language: AudienceFixture.languages
            case .timeZone:
                ["UTC", "Europe/Berlin", "Asia/Tokyo"].map {
                    [.startsWith, .contains].contains(comparison) ? $0.lowercased() : $0
                }
            case .country: ["DE", "JP", "US", "CN", "TW", "FR"]
            case .installation: (0..<20).map { "i-\($0)" }
            default: AudienceFixture.texts
            }
        switch field.kind {
        case .text, .exact, .secret, .locale, .zone, .language, .country:
            return .text(.random(comparison, words, using: &generator))
        case .word(let words): return .text(.random(comparison, words, using: &generator))
        case .version: return .version(pick(Order.allCases), pick(AudienceFixture.askedVersions))
        case .flag: return .flag(.random(using: &generator))
        case .time:
            let days = pick(AudienceFixture.days)
            let moment = Instant(microseconds: now.microseconds - Int64(pick([0, 4, 30, 1_000])) * 86_400_000_000)
            return .time(pick([.before(moment), .after(moment), .withinDays(days), .olderThanDays(days)]))
        case .json: return .exists
        }
    }

    fileprivate static func randomOfAttribute(using generator: inout SeededGenerator) -> AudienceTest {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: .exists
        case 1: .flag(.random(using: &generator))
        case 2, 3:
            .number(
                Order.allCases.randomElement(using: &generator)!,
                AudienceFixture.allNumbers.randomElement(using: &generator)!.canonical)
        default:
            .text(
                .random(
                    [.is, .isNot, .in, .notIn, .startsWith, .contains].randomElement(using: &generator)!,
                    AudienceFixture.texts, using: &generator))
        }
    }

    /// Short lists and long ones, which become different SQL.
    fileprivate static func randomTexts(
        _ words: [String] = AudienceFixture.texts, using generator: inout SeededGenerator
    ) -> [String] {
        (0..<Int.random(in: 1...12, using: &generator)).map { _ in words.randomElement(using: &generator)! }
    }
}

extension AudienceTest.DayTest {
    fileprivate static func random(using generator: inout SeededGenerator) -> Self {
        let days = [1, 2, 30, 365, 3_650].randomElement(using: &generator)!
        let ahead = [0, 1, 2, 30, 366].randomElement(using: &generator)!
        let limit = CivilDay(
            number: AudienceFixture.today.number + [-400_000, -365, -1, 0, 1, 30].randomElement(using: &generator)!)
        return [
            .before(limit), .after(limit), .withinDays(days), .olderThanDays(days), .withinNextDays(days),
            .anniversaryInDays(ahead), .anniversaryInDays(0),
        ].randomElement(using: &generator)!
    }
}

extension AudienceTest.TextTest {
    fileprivate static func random(
        _ comparison: AudienceOperator, _ words: [String], using generator: inout SeededGenerator
    ) -> Self {
        let word = words.randomElement(using: &generator)!
        let part = words.filter { !$0.isEmpty }.randomElement(using: &generator)!
        return switch comparison {
        case .isNot: .isNot(word)
        case .in: .in(AudienceTest.randomTexts(words, using: &generator))
        case .notIn: .notIn(AudienceTest.randomTexts(words, using: &generator))
        case .startsWith: .startsWith(part)
        case .contains: .contains(part)
        default: .is(word)
        }
    }
}
