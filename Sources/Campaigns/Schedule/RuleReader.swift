import JSON
import Notifications

/// Reads the parts of a rule's text and collects their problems.
struct RuleReader {
    private(set) var problems: [Problem] = []
    /// Characters of a text that a message repeats.
    private static let longestQuote = 40
    private var parts: [(part: RecurrenceRule.Part, value: String)] = []

    init(_ text: String) {
        for piece in text.split(separator: ";", omittingEmptySubsequences: false) {
            let sides = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = sides[0].uppercased()
            guard sides.count == 2, !sides[1].isEmpty else {
                refuse("bad-part", "must consist of parts like INTERVAL=2 separated by ;, not \(quoted(piece))")
                continue
            }
            guard let part = RecurrenceRule.Part(rawValue: name) else {
                refuseName(name)
                continue
            }
            guard !parts.contains(where: { $0.part == part }) else {
                refuse("duplicate-part", "\(name) must appear only once")
                continue
            }
            parts.append((part, sides[1].uppercased()))
        }
    }

    private mutating func refuseName(_ name: String) {
        if RecurrenceRule.unsupported.contains(name) {
            refuse(
                "unsupported-part", "\(name) is not supported; the rule sets the days, the start the time of day")
        } else if name.hasPrefix("RRULE") || name.hasPrefix("DTSTART") {
            refuse("bad-part", "must contain only the rule, like FREQ=DAILY, without RRULE: and DTSTART")
        } else {
            let names = RecurrenceRule.Part.allCases.map(\.rawValue)
            let suggestion = Spelling.suggestion(for: name, among: names)
            refuse("unknown-part", "contains the unknown part \(quoted(name[...]))\(suggestion)")
        }
    }

    mutating func refuse(_ code: String, _ message: Message) {
        problems.append(.error("", code, message))
    }

    mutating func take(_ part: RecurrenceRule.Part) -> String? {
        parts.first { $0.part == part }?.value
    }

    mutating func refuseFrequency(_ found: String?) {
        switch found {
        case nil: refuse("missing", "must contain FREQ=DAILY, FREQ=WEEKLY or FREQ=MONTHLY")
        case "YEARLY":
            refuse("unsupported-frequency", "FREQ=YEARLY is not supported; use FREQ=MONTHLY with BYMONTH")
        case let found?:
            refuse("unsupported-frequency", "FREQ must be DAILY, WEEKLY or MONTHLY, not \(quoted(found[...]))")
        }
    }

    mutating func whole(_ text: String, of part: RecurrenceRule.Part, _ range: ClosedRange<Int>) -> Int? {
        if let whole = digits(text), range.contains(whole) { return whole }
        refuse(
            "out-of-range",
            "\(part.rawValue) must be from \(range.lowerBound) to \(range.upperBound), not \(quoted(text[...]))")
        return nil
    }

    /// Each value once; an invalid value is reported as a problem.
    mutating func list<Value: Hashable>(
        _ part: RecurrenceRule.Part, _ read: (inout RuleReader, String) -> Value?
    ) -> [Value] {
        guard let text = take(part) else { return [] }
        var values: [Value] = []
        for element in text.split(separator: ",", omittingEmptySubsequences: false) {
            if let value = read(&self, String(element)), !values.contains(value) { values.append(value) }
        }
        return values
    }

    mutating func monthDay(_ text: String) -> Int? {
        let (isFromEnd, rest) = Self.sign(text)
        if let day = digits(rest), 1...31 ~= day { return isFromEnd ? -day : day }
        refuse("out-of-range", "BYMONTHDAY must be from 1 to 31 or from -1 to -31, not \(quoted(text[...]))")
        return nil
    }

    mutating func weekday(_ text: String) -> RecurrenceRule.WeekdayOfMonth? {
        let (isFromEnd, rest) = Self.sign(String(text.dropLast(2)))
        let ordinal = digits(rest)
        if let weekday = Weekday(code: String(text.suffix(2))) {
            if text.utf8.count == 2 { return .init(weekday) }
            if let ordinal, 1...5 ~= ordinal { return .init(weekday, ordinal: isFromEnd ? -ordinal : ordinal) }
        }
        refuse(
            "bad-weekday",
            "BYDAY must contain weekdays like MO, or 1MO and -1FR for the first and the last of a month, "
                + "not \(quoted(text[...]))")
        return nil
    }

    /// `20270131` or `20270131T140000Z`.
    mutating func until(_ text: String) -> RecurrenceRule.End? {
        let characters = Array(text)
        if characters.count == 8 || characters.count == 16 {
            func slice(_ range: Range<Int>) -> String { String(characters[range]) }
            let date = "\(slice(0..<4))-\(slice(4..<6))-\(slice(6..<8))"
            if characters.count == 8, let time = try? CivilTime("\(date)T00:00:00") { return .day(time.date) }
            if characters.count == 16,
                let moment = RFC3339("\(date)\(characters[8])\(slice(9..<11)):\(slice(11..<13)):\(slice(13..<16))")
            {
                return .moment(moment.seconds)
            }
        }
        refuse(
            "bad-until",
            "UNTIL must be a day like 20270131 or a moment in UTC like 20270131T140000Z, not \(quoted(text[...]))")
        return nil
    }

    private static func sign(_ text: String) -> (isFromEnd: Bool, rest: String) {
        text.hasPrefix("-")
            ? (true, String(text.dropFirst())) : (false, text.hasPrefix("+") ? String(text.dropFirst()) : text)
    }

    private func digits(_ text: String) -> Int? {
        guard 1...4 ~= text.utf8.count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private func quoted(_ text: Substring) -> String {
        text.count > Self.longestQuote ? "\"\(text.prefix(Self.longestQuote))…\"" : "\"\(text)\""
    }
}

extension RuleReader {
    /// Rejects parts that are valid alone but can't be combined (RFC 5545 §3.3.10).
    mutating func checkPartCombinations(_ rule: RecurrenceRule) {
        if take(.count) != nil, take(.until) != nil {
            refuse("incompatible", "COUNT can't be combined with UNTIL; use one of them to end the rule")
        }
        if rule.frequency == .weekly, take(.monthDays) != nil {
            refuse("incompatible", "BYMONTHDAY can't be combined with FREQ=WEEKLY; use BYDAY for days of the week")
        }
        if rule.frequency != .monthly, rule.weekdays.contains(where: { $0.ordinal != nil }) {
            refuse(
                "incompatible",
                "BYDAY must contain plain weekdays like MO with FREQ=\(rule.frequency.rawValue); use FREQ=MONTHLY for "
                    + "the first or the last of a month")
        }
        if problems.isEmpty, !rule.canOccur {
            refuse("never-happens", "never occurs: none of its months has such a day")
        }
    }
}
