import Notifications
import Testing

@testable import Campaigns

/// The day that "today" means in conditions: the one on which the push is due.
@Suite struct AudienceDaysTests {
    private static let zones = ["Pacific/Auckland", "Europe/Berlin", "America/Los_Angeles"]

    private static func days(
        _ occurrence: Occurrence, at planned: String, quiet: QuietHours? = nil, calendar: String? = nil
    ) throws -> [String] {
        let now = try #require(RFC3339(planned)).seconds
        let rules = TimingRules(occurrence.notBefore(now), quiet: quiet, plannedAt: now)
        let table = PlanTimings(rules, zones: ZoneName.all, defaultZone: "Europe/Berlin")
        let days = rules.days(table, defaultZone: "Europe/Berlin", calendarZone: calendar)
        // Those without a zone are in the default one.
        #expect(days.day(in: nil) == days.day(in: "Europe/Berlin"))
        return zones.map { days.day(in: $0).text }
    }

    /// 09:00 on 10 June begins at 21:00 UTC of the day before in Auckland, and ends at 16:00 UTC in Los Angeles.
    @Test(arguments: [
        ("2026-06-01T00:00:00Z", LocalTimePolicy.nextDay, ["2026-06-10", "2026-06-10", "2026-06-10"]),
        ("2026-06-09T23:00:00Z", .nextDay, ["2026-06-11", "2026-06-10", "2026-06-10"]),
        ("2026-06-10T15:00:00Z", .nextDay, ["2026-06-11", "2026-06-11", "2026-06-10"]),
        ("2026-06-10T17:00:00Z", .nextDay, ["2026-06-11", "2026-06-11", "2026-06-11"]),
        // In Auckland it is 11 June already.
        ("2026-06-10T15:00:00Z", .send, ["2026-06-11", "2026-06-10", "2026-06-10"]),
        ("2026-06-10T15:00:00Z", .skip, ["2026-06-10", "2026-06-10", "2026-06-10"]),
    ])
    func localTimeMeansTheDayOnWhichThePushIsDue(
        _ planned: String, _ ifPast: LocalTimePolicy, _ wanted: [String]
    ) throws {
        let occurrence = Occurrence.local(try CivilTime("2026-06-10T09:00:00"), ifPast: ifPast)
        #expect(try Self.days(occurrence, at: planned) == wanted)
    }

    @Test func localTimeThatQuietHoursHoldMeansTheNextMorning() throws {
        let quiet = QuietHours(from: 22 * 60, to: 8 * 60, policy: .hold)
        let late = Occurrence.local(try CivilTime("2026-06-10T23:00:00"), ifPast: .nextDay)
        #expect(
            try Self.days(late, at: "2026-06-01T00:00:00Z", quiet: quiet) == Array(repeating: "2026-06-11", count: 3))
    }

    @Test func fixedTimeMeansTheDayOfItsScheduleForAll() throws {
        let evening = Occurrence.at(try #require(RFC3339("2026-06-10T23:00:00Z")).seconds)
        func days(_ planned: String, calendar: String? = nil, quiet: QuietHours? = nil) throws -> [String] {
            try Self.days(evening, at: planned, quiet: quiet, calendar: calendar)
        }
        let ahead = "2026-06-01T00:00:00Z"
        #expect(try days(ahead) == Array(repeating: "2026-06-11", count: 3))
        #expect(try days(ahead, calendar: "America/New_York") == Array(repeating: "2026-06-10", count: 3))
        // The run starts late.
        #expect(try days("2026-06-12T10:00:00Z") == Array(repeating: "2026-06-12", count: 3))
        // 23:00 UTC is 01:00 in Berlin: held until 08:00, which is still the same day. In Los Angeles it is afternoon.
        let quiet = QuietHours(from: 22 * 60, to: 8 * 60, policy: .hold)
        #expect(
            try days(ahead, calendar: "America/New_York", quiet: quiet) == ["2026-06-10", "2026-06-11", "2026-06-10"])
    }
}
