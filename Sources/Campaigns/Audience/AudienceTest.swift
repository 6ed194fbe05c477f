public import JSON
public import Notifications

/// The way in which a value is compared; the raw value is the `op` in JSON.
public enum AudienceOperator: String, CaseIterable, Hashable, Sendable {
    case `is`
    case isNot = "is_not"
    case `in`
    case notIn = "not_in"
    case startsWith = "starts_with"
    case contains
    case atLeast = "at_least"
    case below
    case above
    case atMost = "at_most"
    case before
    case after
    case withinDays = "within_days"
    case olderThanDays = "older_than_days"
    case withinNextDays = "within_next_days"
    case anniversaryInDays = "anniversary_in_days"
    case exists
}

/// A test of a value. It is false for a value that is absent or of another type, except `isNot` and `notIn`, which are
/// the negations of `is` and `in`.
public enum AudienceTest: Hashable, Sendable {
    /// A value exists and is not null.
    case exists
    /// Texts are compared byte by byte.
    case text(TextTest)
    case version(Order, AudienceVersion)
    case number(Order, JSON.Number)
    case flag(Bool)
    case time(TimeTest)
    /// Of an attribute that the filter `date` reads as a date, like 1990-05-17; a time behind it has no effect.
    case day(DayTest)

    public enum TextTest: Hashable, Sendable {
        case `is`(String)
        case isNot(String)
        case `in`([String])
        case notIn([String])
        case startsWith(String)
        case contains(String)
    }

    public enum Order: Hashable, Sendable, CaseIterable {
        case `is`, atLeast, below, above, atMost
    }

    public enum TimeTest: Hashable, Sendable {
        case before(Instant)
        case after(Instant)
        /// Days of 24 hours, counted back from now.
        case withinDays(Int)
        case olderThanDays(Int)
    }

    /// Days of the calendar. Both ends of a range belong to it.
    public enum DayTest: Hashable, Sendable {
        case before(CivilDay)
        case after(CivilDay)
        case withinDays(Int)
        case olderThanDays(Int)
        case withinNextDays(Int)
        /// The day after this number of days has the same day and month; 29 February counts on the 28th in other years.
        case anniversaryInDays(Int)
    }

    /// Values of one list.
    public static let maximumListed = 1_000
    /// Bytes of one text.
    public static let maximumTextLength = 1_000
    /// Bytes of a number as it is written.
    public static let maximumNumberLength = 64
    public static let days = 1...3_650
    public static let daysToAnAnniversary = 0...366

    public var `operator`: AudienceOperator {
        switch self {
        case .exists: .exists
        case .text(.is), .flag: .is
        case .text(.isNot): .isNot
        case .text(.in): .in
        case .text(.notIn): .notIn
        case .text(.startsWith): .startsWith
        case .text(.contains): .contains
        case .version(let order, _), .number(let order, _): order.operator
        case .time(.before): .before
        case .time(.after): .after
        case .time(.withinDays): .withinDays
        case .time(.olderThanDays): .olderThanDays
        case .day(.before): .before
        case .day(.after): .after
        case .day(.withinDays): .withinDays
        case .day(.olderThanDays): .olderThanDays
        case .day(.withinNextDays): .withinNextDays
        case .day(.anniversaryInDays): .anniversaryInDays
        }
    }

    /// Nil for an operator without a value.
    public var value: JSON? {
        switch self {
        case .exists: nil
        case .text(.is(let text)), .text(.isNot(let text)), .text(.startsWith(let text)), .text(.contains(let text)):
            .string(text)
        case .text(.in(let texts)), .text(.notIn(let texts)): .array(texts.map { .string($0) })
        case .version(_, let version): .string(version.text)
        case .number(_, let number): .number(number)
        case .flag(let flag): .bool(flag)
        case .time(.before(let time)), .time(.after(let time)): .string(time.rfc3339)
        case .time(.withinDays(let days)), .time(.olderThanDays(let days)): .number(JSON.Number(days))
        case .day(.before(let day)), .day(.after(let day)): .string(day.text)
        case .day(.withinDays(let days)), .day(.olderThanDays(let days)), .day(.withinNextDays(let days)),
            .day(.anniversaryInDays(let days)):
            .number(JSON.Number(days))
        }
    }
}

extension AudienceTest.Order {
    var `operator`: AudienceOperator {
        switch self {
        case .is: .is
        case .atLeast: .atLeast
        case .below: .below
        case .above: .above
        case .atMost: .atMost
        }
    }

    /// Nil for an operator that does not compare by order.
    init?(_ word: AudienceOperator) {
        guard let order = Self.allCases.first(where: { $0.operator == word }) else { return nil }
        self = order
    }
}
