import JSON
import Notifications

extension RecurrenceRule {
    /// As in "every 2 weeks on Monday and Thursday in July at 09:00, Europe/Berlin, until 2027-01-31"; `start`
    /// supplies what the rule leaves open, and `clock` names the time zone.
    func summary(from start: CivilTime, clock: String) -> String {
        "\(daysDescription(start.date))\(monthsDescription) at \(start.clockText)\(clock)\(endDescription)"
    }

    private func daysDescription(_ start: CivilDay) -> String {
        switch frequency {
        case .daily:
            every("day") + (weekdays.isEmpty ? "" : " that is \(weekdayNames.alternatives)")
                + (monthDays.isEmpty ? "" : "\(weekdays.isEmpty ? " that is" : " and") \(monthDayNames.alternatives)")
        case .weekly:
            interval == 1 ? "every \(weeklyNames(start))" : "\(every("week")) on \(weeklyNames(start))"
        case .monthly: "\(every("month")) on \(monthlyNames(start))"
        }
    }

    private func every(_ unit: String) -> String {
        interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
    }

    private func weeklyNames(_ start: CivilDay) -> String {
        weekdays.isEmpty ? LiquidDateNames.english.weekdays[start.weekday - 1] : weekdayNames.joinedWithAnd
    }

    private func monthlyNames(_ start: CivilDay) -> String {
        switch (monthDays.isEmpty, weekdays.isEmpty) {
        case (true, true): "the \(start.day.ordinalText)"
        case (false, true): monthDayNames.joinedWithAnd
        case (true, false): weekdayNames.joinedWithAnd
        case (false, false): "\(monthDayNames.alternatives) if it is \(weekdayNames.alternatives)"
        }
    }

    private var weekdayNames: [String] {
        weekdays.map { day in
            switch day.ordinal {
            case nil where frequency == .monthly && monthDays.isEmpty: "each \(day.weekday.name)"
            case nil where frequency != .weekly: "a \(day.weekday.name)"
            case nil: day.weekday.name
            case let ordinal?: "\(Self.ordinalName(ordinal)) \(day.weekday.name)"
            }
        }
    }

    private var monthDayNames: [String] {
        monthDays.map { $0 > 0 ? "the \($0.ordinalText)" : "\(Self.ordinalName($0)) day" }
    }

    private static func ordinalName(_ ordinal: Int) -> String {
        switch ordinal {
        case -1: "the last"
        case ..<0: "the \((-ordinal).ordinalText) last"
        default: "the \(ordinal.ordinalText)"
        }
    }

    private var monthsDescription: String {
        months.isEmpty ? "" : " in \(months.map { LiquidDateNames.english.months[$0 - 1] }.joinedWithAnd)"
    }

    private var endDescription: String {
        switch end {
        case .never: ""
        case .count(let count): count == 1 ? ", once" : ", \(count) times"
        case .day(let day): ", until \(day.text)"
        case .moment(let moment): ", until \(CivilTime(seconds: moment)?.dateAndTimeText ?? "the end") UTC"
        }
    }
}
