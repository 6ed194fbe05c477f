public import Notifications

/// The days of a recurring campaign: a subset of RFC 5545 §3.3.10. The time of day is that of the start, which is also
/// the first day on which the rule can occur.
///
/// A day that a month does not have is skipped, not replaced by another.
public struct RecurrenceRule: Hashable, Sendable {
    public enum Frequency: String, CaseIterable, Hashable, Sendable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
    }

    public enum End: Hashable, Sendable {
        case never
        /// After this number of days, counted from the start.
        case count(Int)
        /// After this local day.
        case day(CivilDay)
        /// After this moment, in seconds since 1970.
        case moment(Int)
    }

    /// `MO`, or `1MO` and `-1FR`: the first and the last of a month.
    public struct WeekdayOfMonth: Hashable, Sendable {
        public var weekday: Weekday
        /// From 1, or from the end from -1; nil is each.
        public var ordinal: Int?

        public init(_ weekday: Weekday, ordinal: Int? = nil) {
            self.weekday = weekday
            self.ordinal = ordinal
        }
    }

    public var frequency: Frequency
    /// The interval in days, weeks or months.
    public var interval: Int
    public var end: End
    /// 1 to 12; empty is each.
    public var months: [Int]
    /// 1 to 31, or -1 to -31 from the month's end; empty is each, or the start's.
    public var monthDays: [Int]
    /// Empty is each, or the start's.
    public var weekdays: [WeekdayOfMonth]
    /// Matters only for weekly rules with an interval above 1.
    public var weekStart: Weekday

    public static let intervals = 1...999
    public static let counts = 1...9_999
    /// The last year with occurrences, so that the search for the next one ends.
    public static let lastYear = 2_200

    public init(
        _ frequency: Frequency, interval: Int = 1, end: End = .never, months: [Int] = [], monthDays: [Int] = [],
        weekdays: [WeekdayOfMonth] = [], weekStart: Weekday = .monday
    ) {
        self.frequency = frequency
        self.interval = interval
        self.end = end
        self.months = months
        self.monthDays = monthDays
        self.weekdays = weekdays
        self.weekStart = weekStart
    }
}
