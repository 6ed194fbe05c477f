import Foundation
import Notifications
import TestSupport
import Testing

@Suite struct CalendarComponentsTests {
    private static func zone(_ name: String) -> TimeZone {
        TimeZone(identifier: name)!
    }

    /// `2026-03-29 03:00:00 +0200`, as the clock of `zone` shows it.
    private func words(_ date: Date?, _ zone: TimeZone) -> String {
        guard let date else { return "never" }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss xx"
        return formatter.string(from: date)
    }

    private func date(_ words: String) -> Date {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss xx"
        return formatter.date(from: words)!
    }

    private func next(_ components: CalendarComponents, _ start: String, _ zoneName: String = "Europe/Berlin") -> String
    {
        let zone = Self.zone(zoneName)
        return words(components.next(after: date(start), in: zone), zone)
    }

    @Test(arguments: [
        (CalendarComponents(hour: 9), "2026-05-01 08:59:59 +0200", "2026-05-01 09:00:00 +0200"),
        (CalendarComponents(hour: 9), "2026-05-01 09:00:00 +0200", "2026-05-02 09:00:00 +0200"),
        (CalendarComponents(minute: 15), "2026-05-01 09:16:00 +0200", "2026-05-01 10:15:00 +0200"),
        (CalendarComponents(second: 5), "2026-05-01 09:16:05 +0200", "2026-05-01 09:17:05 +0200"),
        (CalendarComponents(hour: 9, second: 5), "2026-05-01 09:16:05 +0200", "2026-05-01 09:17:05 +0200"),
        (CalendarComponents(day: 31, hour: 8), "2026-04-01 00:00:00 +0200", "2026-05-31 08:00:00 +0200"),
        (CalendarComponents(month: 2, day: 29), "2026-04-01 00:00:00 +0200", "2028-02-29 00:00:00 +0100"),
        (CalendarComponents(month: 2, day: 29, weekday: 2), "2026-01-01 00:00:00 +0100", "2044-02-29 00:00:00 +0100"),
        (CalendarComponents(month: 2, day: 29), "2096-03-01 00:00:00 +0100", "2104-02-29 00:00:00 +0100"),
        (CalendarComponents(day: 13, weekday: 6, hour: 8), "2026-04-01 00:00:00 +0200", "2026-11-13 08:00:00 +0100"),
        (CalendarComponents(weekday: 2, hour: 9), "2026-05-01 00:00:00 +0200", "2026-05-04 09:00:00 +0200"),
        (CalendarComponents(weekday: 1), "2026-05-02 12:00:00 +0200", "2026-05-03 00:00:00 +0200"),
        (
            CalendarComponents(weekday: 2, weekdayOrdinal: 2, hour: 9), "2026-04-01 00:00:00 +0200",
            "2026-04-13 09:00:00 +0200"
        ),
        (CalendarComponents(weekday: 2, weekdayOrdinal: 5), "2026-04-01 00:00:00 +0200", "2026-06-29 00:00:00 +0200"),
        (CalendarComponents(year: 2027), "2026-05-01 00:00:00 +0200", "2027-01-01 00:00:00 +0100"),
        (CalendarComponents(year: 2027, hour: 9), "2027-05-01 10:00:00 +0200", "2027-05-02 09:00:00 +0200"),
        (CalendarComponents(year: 2027, hour: 9), "2027-12-31 10:00:00 +0100", "never"),
        (CalendarComponents(year: 2025, month: 1, day: 1), "2026-05-01 00:00:00 +0200", "never"),
        (CalendarComponents(month: 3), "2026-05-01 00:00:00 +0200", "2027-03-01 00:00:00 +0100"),
        (CalendarComponents(month: 3, hour: 9), "2026-03-05 10:00:00 +0100", "2026-03-06 09:00:00 +0100"),
        (CalendarComponents(year: 2026, month: 5, day: 1, weekday: 2), "2026-01-01 00:00:00 +0100", "never"),
    ])
    func nextIsTheFirstMomentThatShowsTheComponents(_ components: CalendarComponents, _ start: String, _ next: String) {
        #expect(self.next(components, start) == next)
    }

    @Test(arguments: [
        // Summer time begins: 02:00 is 03:00.
        (
            CalendarComponents(hour: 2, minute: 30), "Europe/Berlin", "2026-03-28 12:00:00 +0100",
            "2026-03-29 03:00:00 +0200"
        ),
        (
            CalendarComponents(hour: 2, minute: 30), "Europe/Berlin", "2026-03-29 03:00:00 +0200",
            "2026-03-30 02:30:00 +0200"
        ),
        (CalendarComponents(minute: 30), "Europe/Berlin", "2026-03-29 01:30:00 +0100", "2026-03-29 03:30:00 +0200"),
        // By half an hour.
        (
            CalendarComponents(hour: 2, minute: 15), "Australia/Lord_Howe", "2026-10-03 12:00:00 +1030",
            "2026-10-04 02:30:00 +1100"
        ),
        // At midnight, so that the day begins at one.
        (CalendarComponents(hour: 0), "America/Santiago", "2026-09-05 12:00:00 -0400", "2026-09-06 01:00:00 -0300"),
        (CalendarComponents(day: 6), "America/Santiago", "2026-09-05 12:00:00 -0400", "2026-09-06 01:00:00 -0300"),
        // A day that an island never had.
        (CalendarComponents(hour: 9), "Pacific/Apia", "2011-12-29 12:00:00 -1000", "2011-12-31 00:00:00 +1400"),
        // Summer time ends: 03:00 is 02:00 again.
        (
            CalendarComponents(hour: 2, minute: 30), "Europe/Berlin", "2026-10-24 12:00:00 +0200",
            "2026-10-25 02:30:00 +0200"
        ),
        (
            CalendarComponents(hour: 2, minute: 30), "Europe/Berlin", "2026-10-25 02:30:00 +0200",
            "2026-10-26 02:30:00 +0100"
        ),
        (CalendarComponents(minute: 30), "Europe/Berlin", "2026-10-25 02:30:00 +0200", "2026-10-25 02:30:00 +0100"),
        (CalendarComponents(minute: 30), "Europe/Berlin", "2026-10-25 02:30:00 +0100", "2026-10-25 03:30:00 +0100"),
        (
            CalendarComponents(minute: 45), "Australia/Lord_Howe", "2026-04-05 01:45:00 +1100",
            "2026-04-05 01:45:00 +1030"
        ),
    ])
    func summerTimeIsHandled(_ components: CalendarComponents, _ zone: String, _ start: String, _ next: String) {
        #expect(self.next(components, start, zone) == next)
    }

    /// Goes from minute to minute and asks Foundation what the clock shows.
    private func slowNext(_ components: CalendarComponents, _ start: Date, _ zone: TimeZone, minutes: Int) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let first = (start.timeIntervalSince1970 / 60).rounded(.down) * 60 + 60
        for minute in 0..<minutes {
            let date = Date(timeIntervalSince1970: first + Double(minute * 60))
            let shown = calendar.dateComponents(
                [.year, .month, .day, .weekday, .weekdayOrdinal, .hour, .minute], from: date)
            let wanted = [
                (components.month, shown.month), (components.day, shown.day), (components.weekday, shown.weekday),
                (components.weekdayOrdinal, shown.weekdayOrdinal), (components.hour, shown.hour),
                (components.minute ?? 0, shown.minute),
            ]
            let isMidnight = components.hour == nil && components.minute == nil
            if wanted.allSatisfy({ $0.0 == nil || $0.0 == $0.1 }), !isMidnight || shown.hour == 0 { return date }
        }
        return nil
    }

    /// Fixed hours lie where no clock is moved; those are in the test above.
    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns"])
    func nextMatchesFoundationsClock(_ name: String) {
        var generator = SeededGenerator(seed: 5)
        let zone = Self.zone(name)
        let changes = [
            "2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01", "2028-02-27",
        ]
        for change in changes {
            for _ in 0..<6 {
                let start =
                    date("\(change) 00:00:00 +0000") + Double(Int.random(in: -200_000...100_000, using: &generator))
                func maybe(_ range: ClosedRange<Int>) -> Int? {
                    Int.random(in: 0...2, using: &generator) == 0 ? .random(in: range, using: &generator) : nil
                }
                let weekday = maybe(1...7)
                var components = CalendarComponents(
                    month: maybe(3...4), day: maybe(1...8), weekday: weekday,
                    weekdayOrdinal: weekday == nil ? nil : maybe(1...2), hour: maybe(4...22), minute: maybe(0...59))
                if components == CalendarComponents() { components.minute = 7 }
                if components.month != nil, components.hour == nil, components.minute == nil, components.day == nil,
                    weekday == nil
                {
                    components.day = 1
                }
                let minutes = 12 * 1_440

                let slow = slowNext(components, start, zone, minutes: minutes)

                let next = components.next(after: start, in: zone)
                if let slow {
                    #expect(
                        next == slow, "\(components) after \(start): \(words(next, zone)), not \(words(slow, zone))")
                } else {
                    #expect(next.map { $0 > start + Double(minutes * 60 - 60) } ?? true, "\(components) after \(start)")
                }
            }
        }
    }

    @Test func extremeDatesDoNotCrash() {
        let zone = Self.zone("Europe/Berlin")
        for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, -1e10] {
            _ = CalendarComponents(hour: 9).next(after: Date(timeIntervalSince1970: seconds), in: zone)
        }
        #expect(next(CalendarComponents(hour: 9), "1916-04-30 12:00:00 +0100") == "1916-05-01 09:00:00 +0200")
    }

    @Test func fractionsOfASecondCount() {
        let zone = Self.zone("UTC")
        let nine = date("2026-05-01 09:00:00 +0000")

        #expect(CalendarComponents(hour: 9).next(after: nine - 0.5, in: zone) == nine)
        #expect(CalendarComponents(hour: 9).next(after: nine + 0.5, in: zone) == nine + 86_400)
    }
}
