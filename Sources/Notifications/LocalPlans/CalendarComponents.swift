import JSON

/// Components of a date and time to match (DateComponents of the Gregorian calendar). An absent component that is
/// larger than the smallest given one matches any value, a smaller one its lowest value: `hour` 9 is every day at 9:00.
///
/// Weeks of the year and of the month are not supported, since their numbers depend on the device's region.
///
/// Docs/decisions/content.md explains why this is not Foundation's arithmetic.
public struct CalendarComponents: Sendable, Equatable {
    public var year: Int?
    public var month: Int?
    public var day: Int?
    /// 1 is Sunday, as in Apple's calendars.
    public var weekday: Int?
    /// Which occurrence of the weekday in the month, from 1; requires `weekday`.
    public var weekdayOrdinal: Int?
    public var hour: Int?
    public var minute: Int?
    public var second: Int?

    public static let years = 2_000...2_200

    public init(
        year: Int? = nil, month: Int? = nil, day: Int? = nil, weekday: Int? = nil, weekdayOrdinal: Int? = nil,
        hour: Int? = nil, minute: Int? = nil, second: Int? = nil
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.weekday = weekday
        self.weekdayOrdinal = weekdayOrdinal
        self.hour = hour
        self.minute = minute
        self.second = second
    }
}

extension CalendarComponents {
    private enum Key: String, MemberName {
        case year
        case month
        case day
        case weekday
        case weekdayOrdinal = "weekday_ordinal"
        case hour
        case minute
        case second
    }

    init(_ reader: inout ObjectReader) {
        if reader.rest.isEmpty {
            reader.refuse(Key.hour, "missing", "is required, unless another component is given")
        }
        year = reader.whole(Key.year, in: Self.years)
        month = reader.whole(Key.month, in: 1...12)
        day = reader.whole(Key.day, in: 1...31)
        weekday = reader.whole(Key.weekday, in: 1...7)
        weekdayOrdinal = reader.whole(Key.weekdayOrdinal, in: 1...5)
        hour = reader.whole(Key.hour, in: 0...23)
        minute = reader.whole(Key.minute, in: 0...59)
        second = reader.whole(Key.second, in: 0...59)
        if weekdayOrdinal != nil, weekday == nil {
            reader.refuse(Key.weekday, "missing", "is required with \(Key.weekdayOrdinal.rawValue)")
        }
        if let month, let day, day > CivilDay.longest(month: month, year: year) {
            reader.refuse(
                Key.day, "impossible-date", "must be a day of month \(month), which never has \(day)")
        }
    }

    var json: JSON {
        var members: [JSON.Member] = []
        let numbers = [
            (Key.year, year), (.month, month), (.day, day), (.weekday, weekday), (.weekdayOrdinal, weekdayOrdinal),
            (.hour, hour), (.minute, minute), (.second, second),
        ]
        for (key, number) in numbers { members.append(key, number.map { .number(JSON.Number($0)) }) }
        return .object(members)
    }
}
