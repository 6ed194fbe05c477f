import JSON
import Notifications

/// Audiences in plain English, for people: "app version at least 4.2 and tag vip".
extension Audience {
    public var summary: String {
        let who = include?.summary ?? "everybody"
        return exclude.map { "\(who), except \($0.summary)" } ?? who
    }
}

extension AudienceCondition {
    public var summary: String {
        switch self {
        case .all(let conditions): Self.joined(conditions, "and") { if case .any = $0 { true } else { false } }
        case .any(let conditions): Self.joined(conditions, "or") { if case .all = $0 { true } else { false } }
        case .not(let condition): condition.isGroup ? "not (\(condition.summary))" : "not \(condition.summary)"
        case .field(.isTest, .flag(let isTest)): isTest ? "test device" : "no test device"
        case .field(let field, let test): "\(field.label) \(test.label)"
        case .attribute(let path, let test): "\(path) \(test.label)"
        case .tag(let tag): "tag \(tag.quoted)"
        case .optedOut(.all): "opted out of all campaigns"
        case .optedOut(.topic(let topic)): "opted out of \(topic.text)"
        case .userIDs(let ids): "user id is \(ids.listed)"
        case .segment(let id): "segment \(id)"
        case .event(let event): event.summary
        case .outcome(let outcome): outcome.summary
        case .customEvent(let event): event.summary
        }
    }

    private var isGroup: Bool {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.count > 1 || conditions.contains(where: \.isGroup)
        case .not, .field, .attribute, .tag, .optedOut, .userIDs, .segment, .event, .outcome, .customEvent: false
        }
    }

    private static func joined(
        _ conditions: [AudienceCondition], _ word: String, needParentheses: (AudienceCondition) -> Bool
    ) -> String {
        conditions.map { needParentheses($0) && $0.isGroup ? "(\($0.summary))" : $0.summary }
            .joined(separator: " \(word) ")
    }
}

extension AudienceTest {
    var label: String {
        switch self {
        case .exists: "is known"
        case .text(.is(let text)): "is \(text.quoted)"
        case .text(.isNot(let text)): "is not \(text.quoted)"
        case .text(.in(let texts)): "is \(texts.listed)"
        case .text(.notIn(let texts)): "is not \(texts.listed)"
        case .text(.startsWith(let text)): "begins with \(text.quoted)"
        case .text(.contains(let text)): "contains \(text.quoted)"
        case .version(let order, let version): "\(order.label) \(version.text)"
        case .number(let order, let number): "\(order.label) \(number.text)"
        case .flag(let flag): "is \(flag)"
        case .time(.before(let time)): "before \(time.rfc3339)"
        case .time(.after(let time)): "after \(time.rfc3339)"
        case .time(.withinDays(let days)): "in the last \(days.days)"
        case .time(.olderThanDays(let days)), .day(.olderThanDays(let days)): "more than \(days.days) ago"
        case .day(.before(let day)): "before \(day.text)"
        case .day(.after(let day)): "after \(day.text)"
        case .day(.withinDays(let days)): "in the last \(days.days)"
        case .day(.withinNextDays(let days)): "in the next \(days.days)"
        case .day(.anniversaryInDays(0)): "has its anniversary today"
        case .day(.anniversaryInDays(let days)): "has its anniversary in \(days == 1 ? "1 day" : days.days)"
        }
    }
}

extension AudienceTest.Order {
    fileprivate var label: String {
        switch self {
        case .is: "is"
        case .atLeast: "at least"
        case .below: "below"
        case .above: "above"
        case .atMost: "at most"
        }
    }
}

extension AudienceEvent {
    fileprivate var summary: String {
        let button = action.map { " \($0.quoted)" } ?? ""
        let what =
            switch kind {
            case .delivered: "was delivered"
            case .presented: "was shown"
            case .opened: "opened"
            case .action: "tapped\(action == nil ? " a button" : button) of"
            case .dismissed: "dismissed"
            case .text: "replied\(button) to"
            case .converted: "converted\(button) after"
            case .influenced: "opened the app soon after"
            case .engaged: "engaged with"
            }
        let which = campaign.map { "campaign \($0)\(sendingSummary(run: run, variant: variant))" } ?? "any campaign"
        return "\(what) \(which)" + (withinDays.map { " in the last \($0.days)" } ?? "")
    }
}

extension Int {
    var days: String { self == 1 ? "day" : "\(self) days" }
}

extension String {
    /// In quotes, unless it is plainly one word.
    var quoted: String {
        let isPlain =
            !isEmpty
            && unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0) }
        return isPlain ? self : "“\(self)”"
    }
}

extension [String] {
    /// The first three, and how many more there are.
    fileprivate var listed: String {
        let shown = 3
        guard count > shown else { return map(\.quoted).alternatives.description }
        return prefix(shown).map(\.quoted).joined(separator: ", ") + " or one of \(count - shown) more"
    }
}
