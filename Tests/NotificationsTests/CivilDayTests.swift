import Foundation
import Testing

@testable import Notifications

@Suite struct CivilDayTests {
    /// Every day of 400 years and more, against Foundation's calendar.
    @Test func daysAreThoseOfTheCalendar() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        for number in stride(from: -30_000, through: 160_000, by: 1) where number % 7 == 0 || abs(number) < 3_000 {
            let day = CivilDay(number: number)
            let shown = calendar.dateComponents(
                [.year, .month, .day, .weekday, .weekdayOrdinal],
                from: Date(timeIntervalSince1970: Double(number) * 86_400))

            #expect(
                [day.year, day.month, day.day, day.weekday, day.weekdayOrdinal]
                    == [shown.year, shown.month, shown.day, shown.weekday, shown.weekdayOrdinal])
            #expect(CivilDay(year: day.year, month: day.month, day: day.day) == day)
        }
    }

    @Test(arguments: [
        (1, nil, 31), (2, nil, 29), (2, 2028, 29), (2, 2026, 28), (2, 2100, 28), (2, 2000, 29), (4, 2026, 30),
    ])
    func monthsHaveTheirLength(_ month: Int, _ year: Int?, _ days: Int) {
        #expect(CivilDay.longest(month: month, year: year) == days)
    }
}
