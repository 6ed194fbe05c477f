public import JSON
import Notifications

extension RecurrenceRule {
    enum Part: String, CaseIterable {
        case frequency = "FREQ"
        case interval = "INTERVAL"
        case count = "COUNT"
        case until = "UNTIL"
        case months = "BYMONTH"
        case monthDays = "BYMONTHDAY"
        case weekdays = "BYDAY"
        case weekStart = "WKST"
    }

    /// Parts of RFC 5545 that are not supported.
    static let unsupported = ["BYSETPOS", "BYHOUR", "BYMINUTE", "BYSECOND", "BYWEEKNO", "BYYEARDAY"]
    private static let maximumLength = 1_000

    /// Reads `FREQ=WEEKLY;BYDAY=MO,TH`. Throws all problems together; they have no path.
    public init(_ text: String) throws(Problems) {
        guard text.utf8.count <= Self.maximumLength else {
            throw Problems([
                .error("", "too-long", "must be at most \(Self.maximumLength) bytes, not \(text.utf8.count)")
            ])
        }
        var reader = RuleReader(text)
        self.init(&reader)
        reader.checkPartCombinations(self)
        guard reader.problems.isEmpty else { throw Problems(reader.problems) }
    }

    private init(_ reader: inout RuleReader) {
        let frequency = reader.take(.frequency)
        self.init(frequency.flatMap(Frequency.init(rawValue:)) ?? .daily)
        if self.frequency.rawValue != frequency { reader.refuseFrequency(frequency) }
        interval = reader.take(.interval).flatMap { reader.whole($0, of: .interval, Self.intervals) } ?? 1
        if let count = reader.take(.count).flatMap({ reader.whole($0, of: .count, Self.counts) }) {
            end = .count(count)
        }
        if let text = reader.take(.until), let until = reader.until(text) { end = until }
        months = reader.list(.months) { reader, text in reader.whole(text, of: .months, 1...12) }.sorted()
        monthDays = reader.list(.monthDays) { reader, text in reader.monthDay(text) }
            .sorted { ($0 < 0 ? 100 + $0 : $0) < ($1 < 0 ? 100 + $1 : $1) }
        weekdays = reader.list(.weekdays) { reader, text in reader.weekday(text) }
            .sorted { ($0.weekday.indexFromMonday, $0.ordinal ?? 0) < ($1.weekday.indexFromMonday, $1.ordinal ?? 0) }
        if let text = reader.take(.weekStart) {
            weekStart = Weekday(code: text) ?? .monday
            if weekStart.code != text { reader.refuse("bad-weekday", "WKST must be a weekday like MO") }
        }
    }

    /// The canonical text: parts in a fixed order, without defaults.
    public var text: String {
        var parts = [(Part.frequency, frequency.rawValue)]
        if interval != 1 { parts.append((.interval, String(interval))) }
        switch end {
        case .never: break
        case .count(let count): parts.append((.count, String(count)))
        case .day(let day): parts.append((.until, day.text.filter { $0 != "-" }))
        // RFC 5545 §3.3.5 has no fractions.
        case .moment(let moment):
            parts.append((.until, RFC3339.localText(moment).filter { $0 != "-" && $0 != ":" } + "Z"))
        }
        let lists = [
            (Part.months, months.map(String.init)), (.monthDays, monthDays.map(String.init)),
            (.weekdays, weekdays.map(\.text)),
        ]
        parts += lists.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.joined(separator: ",")) }
        if weekStart != .monday { parts.append((.weekStart, weekStart.code)) }
        return parts.map { "\($0.0.rawValue)=\($0.1)" }.joined(separator: ";")
    }
}

extension RecurrenceRule.WeekdayOfMonth {
    var text: String { (ordinal.map(String.init) ?? "") + weekday.code }
}
