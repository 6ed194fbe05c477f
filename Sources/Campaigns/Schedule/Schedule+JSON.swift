public import JSON
import Notifications

extension Schedule {
    private enum Kind: String, MemberName, CaseIterable {
        case at, local, recurring, triggered
    }

    fileprivate enum Key: String, MemberName {
        case kind, at, rule, from
        case ifPast = "if_past"
        case timeZone = "time_zone"
        case bestTimeUntil = "best_time_until"
    }

    /// Written instead of a zone's name.
    fileprivate static let recipientZone = "recipient"

    /// Reads one of
    /// - `{"kind":"at","at":"2026-11-30T18:00:00Z"}`,
    /// - `{"kind":"local","at":"2026-11-30T18:00:00","if_past":"next_day"}`,
    /// - `{"kind":"recurring","rule":"FREQ=WEEKLY;BYDAY=MO","from":"2026-11-30T09:00:00","time_zone":"Europe/Berlin"}`,
    ///   or with `"time_zone":"recipient"` and `if_past`,
    /// - `{"kind":"triggered"}`.
    ///
    /// Where a time is the recipient's own, `"best_time_until":"21:00"` means the best time of each from then until 21:00.
    ///
    /// Throws all problems together.
    public init(json: JSON) throws(Problems) {
        self = try ObjectReader.document(json, named: "the schedule") { Schedule(&$0) }
    }

    private init(_ reader: inout ObjectReader) {
        reader.require(Key.kind)
        guard let kind: Kind = reader.choice(Key.kind) else {
            reader.skipRest()
            self = .triggered
            return
        }
        switch kind {
        case .at:
            reader.require(Key.at)
            self = .at(reader.value(Key.at, Self.moment) ?? 0)
        case .local:
            reader.require(Key.at)
            let time = reader.value(Key.at, CivilTime.init(_:))
            let ifPast = reader.choice(Key.ifPast) ?? LocalTimePolicy.nextDay
            let until = Self.bestTimeUntil(&reader, from: time, at: .at)
            self = time.map { .local($0, ifPast: ifPast, until: until) } ?? .triggered
        case .recurring: self = Recurrence(&reader).map { .recurring($0) } ?? .triggered
        case .triggered: self = .triggered
        }
    }

    /// The end of a window that begins at `time`, at the full hour. `member` has that time.
    fileprivate static func bestTimeUntil(_ reader: inout ObjectReader, from time: CivilTime?, at member: Key) -> Int? {
        if reader.takeNull(Key.bestTimeUntil) { return nil }
        guard let until = reader.value(Key.bestTimeUntil, HourText.hour), let time else { return nil }
        if time.secondOfDay % 3_600 != 0 {
            reader.refuse(
                member, "not-a-full-hour",
                "must be a full hour, like \(HourText.text(time.hour)), with `\(Key.bestTimeUntil.rawValue)`")
        } else if until < time.hour + 2 {
            reader.refuse(
                Key.bestTimeUntil, "window-too-short",
                "must be at least two hours after \(HourText.text(time.hour)), on the same day")
        }
        return until
    }

    private static func moment(_ text: String) throws(InvalidValue) -> Int {
        if let moment = RFC3339(text) { return moment.seconds }
        guard (try? CivilTime(text)) == nil else {
            throw InvalidValue(
                "time-zone-required",
                "must have a time zone: write \(text)Z for UTC, or \(text)+01:00 for one hour ahead of UTC")
        }
        throw InvalidValue(
            "invalid-time", "must be a time with its zone, like 2026-11-30T18:00:00Z or 2026-11-30T19:00:00+01:00")
    }

    public var json: JSON {
        var members: [JSON.Member] = []
        func append(_ key: Key, _ text: String) { members.append(key, .string(text)) }
        switch self {
        case .at(let moment):
            append(.kind, Kind.at.rawValue)
            append(.at, RFC3339.text(moment))
        case .local(let time, let ifPast, let until):
            append(.kind, Kind.local.rawValue)
            append(.at, time.text)
            if let until { append(.bestTimeUntil, HourText.text(until)) }
            append(.ifPast, ifPast.rawValue)
        case .recurring(let recurrence):
            append(.kind, Kind.recurring.rawValue)
            append(.rule, recurrence.rule.text)
            append(.from, recurrence.start.text)
            switch recurrence.clock {
            case .zone(let name): append(.timeZone, name)
            case .recipient(let ifPast, let until):
                append(.timeZone, Self.recipientZone)
                if let until { append(.bestTimeUntil, HourText.text(until)) }
                append(.ifPast, ifPast.rawValue)
            }
        case .triggered: append(.kind, Kind.triggered.rawValue)
        }
        return .object(members)
    }
}

extension Recurrence {
    private typealias Key = Schedule.Key

    /// Nil after it has reported a problem.
    fileprivate init?(_ reader: inout ObjectReader) {
        reader.require(Key.rule, Key.from, Key.timeZone)
        let rule = Self.rule(&reader)
        let start = reader.value(Key.from, CivilTime.init(_:))
        let name = reader.string(Key.timeZone)
        let ifPast: LocalTimePolicy? = reader.choice(Key.ifPast)
        let isRecipients = name == Schedule.recipientZone
        let until = Schedule.bestTimeUntil(&reader, from: start, at: .from)
        let zone = isRecipients ? name : name.flatMap { ZoneName.canonical($0) }
        if let name, !isRecipients {
            if zone == nil {
                reader.refuse(
                    Key.timeZone, "unknown-time-zone",
                    "must be a time zone like Europe/Berlin, or recipient for each recipient's own, "
                        + "not \(JSON.string(name).summary)")
            }
            for (key, isSet) in [(Key.ifPast, ifPast != nil), (.bestTimeUntil, until != nil)] where isSet {
                reader.refuse(
                    key, "incompatible",
                    "is allowed only with \"\(Key.timeZone.rawValue)\":\"\(Schedule.recipientZone)\"")
            }
        }
        guard let rule, let start, let zone else { return nil }
        self.init(
            rule: rule, start: start,
            clock: isRecipients ? .recipient(ifPast: ifPast ?? .nextDay, until: until) : .zone(zone))
        checkThatItOccurs(&reader)
    }

    private static func rule(_ reader: inout ObjectReader) -> RecurrenceRule? {
        guard let text = reader.string(Key.rule) else { return nil }
        do throws(Problems) {
            return try RecurrenceRule(text)
        } catch {
            for problem in error.problems { reader.refuse(Key.rule, problem.code, problem.message) }
            return nil
        }
    }

    private func checkThatItOccurs(_ reader: inout ObjectReader) {
        if case .recipient = clock, case .moment = rule.end {
            reader.refuse(
                Key.rule, "incompatible",
                "must have UNTIL as a day, like UNTIL=20270131, if the time zone is the recipient's")
        } else if start.date.year > RecurrenceRule.lastYear {
            reader.refuse(Key.from, "out-of-range", "must not be after the year \(RecurrenceRule.lastYear)")
        } else if occurrences(after: .min).first(where: { _ in true }) == nil {
            reader.refuse(
                Key.rule, "never-happens",
                "never occurs: the rule has no day from \(start.date.text) until its end")
        }
    }
}
