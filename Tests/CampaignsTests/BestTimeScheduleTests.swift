import JSON
import Notifications
import Testing

@testable import Campaigns

struct BestTimeScheduleTests {
    private static func schedule(_ text: String) throws -> Schedule { try Schedule(json: try JSON(parsing: text)) }

    private static let local =
        #"{"kind":"local","at":"2026-11-30T08:00:00","best_time_until":"21:00","if_past":"next_day"}"#
    private static let recurring = #"""
        {"kind":"recurring","rule":"FREQ=WEEKLY;BYDAY=MO","from":"2026-11-30T08:00:00","time_zone":"recipient",\#
        "best_time_until":"24:00","if_past":"skip"}
        """#

    @Test(arguments: [local, recurring])
    func scheduleAtTheBestTimeIsReadAndWritten(_ text: String) throws {
        let schedule = try Self.schedule(text)
        #expect(schedule.isAtBestTime)
        #expect(schedule.json == (try JSON(parsing: text)))
        #expect(schedule.next(after: 0)?.bestHours?.first == 8)
    }

    @Test func summariesNameTheWindow() throws {
        #expect(
            try Self.schedule(Self.local).summary(zone: "UTC") == """
                on Monday, 30 November 2026 at 08:00 until 21:00, at each recipient's best time; where that time has passed, \
                on the next day
                """)
        #expect(
            try Self.schedule(Self.recurring).summary(zone: "UTC").contains(
                "until 24:00, at each recipient's best time"))
    }

    @Test(arguments: [
        (#""at":"2026-11-30T08:30:00","best_time_until":"21:00""#, "at: not-a-full-hour"),
        (#""at":"2026-11-30T08:00:00","best_time_until":"09:00""#, "best_time_until: window-too-short"),
        (#""at":"2026-11-30T21:00:00","best_time_until":"08:00""#, "best_time_until: window-too-short"),
        (#""at":"2026-11-30T08:00:00","best_time_until":"21:30""#, "best_time_until: invalid-time-of-day"),
        (#""at":"2026-11-30T08:00:00","best_time_until":"25:00""#, "best_time_until: invalid-time-of-day"),
    ])
    func windowsThatAreNoneAreRefused(_ members: String, _ problem: String) {
        let error = #expect(throws: Problems.self) { try Self.schedule("{\"kind\":\"local\",\(members)}") }
        #expect(error?.problems.map { "\($0.path): \($0.code)" } == [problem])
    }

    @Test func windowNeedsTheRecipientsClock() {
        let error = #expect(throws: Problems.self) {
            try Self.schedule(
                #"""
                {"kind":"recurring","rule":"FREQ=DAILY","from":"2026-11-30T08:00:00","time_zone":"UTC","best_time_until":"21:00"}
                """#)
        }
        #expect(error?.problems.map { "\($0.path): \($0.code)" } == ["best_time_until: incompatible"])
    }

    @Test func runExpiresAfterTheLastHourOfTheWindow() throws {
        let plain = Occurrence.local(try CivilTime("2026-11-30T08:00:00"), ifPast: .send)
        let best = Occurrence.local(try CivilTime("2026-11-30T08:00:00"), ifPast: .send, until: 21)
        #expect(best.last == plain.last + 12 * 3_600)
        #expect(
            best.expiry(after: 60, from: 0, quiet: nil) == plain.expiry(after: 60, from: 0, quiet: nil) + 12 * 3_600)
        #expect(best.first == plain.first && plain.bestHours == nil && best.bestHours == Array(8..<21))
    }

    /// Hours of the day in the zone, by place.
    private func hours(_ zone: String, plannedAt: String, ifPast: LocalTimePolicy = .skip) throws -> [String] {
        let occurrence = Occurrence.local(try CivilTime("2026-11-30T08:00:00"), ifPast: ifPast, until: 12)
        let rules = TimingRules(occurrence, quiet: nil, plannedAt: try #require(RFC3339(plannedAt)).seconds)
        let table = PlanTimings(rules, zones: [zone], defaultZone: "UTC")
        let clock = try #require(ZoneClock(named: zone))
        return try (0..<table.placeCount).map { place in
            let timing = table.timings[Int(table.indexes[table.placeCount + place])]
            let local = try #require(CivilTime(seconds: clock.local(timing.dueAt)))
            return "\(timing.isSent ? "" : "no ")\(local.date.day) \(local.hour)"
        }
    }

    @Test func eachHourOfTheWindowHasItsTiming() throws {
        #expect(try hours("Asia/Tokyo", plannedAt: "2026-11-29T00:00:00Z") == ["30 8", "30 9", "30 10", "30 11"])
    }

    @Test func hourThatIsPastIsReplacedByTheNextOfTheWindow() throws {
        #expect(try hours("UTC", plannedAt: "2026-11-30T09:30:00Z") == ["30 10", "30 10", "30 10", "30 11"])
        #expect(try hours("UTC", plannedAt: "2026-11-30T12:00:00Z") == ["no 30 8", "no 30 9", "no 30 10", "no 30 11"])
        #expect(
            try hours("UTC", plannedAt: "2026-11-30T12:00:00Z", ifPast: .nextDay) == ["1 8", "1 9", "1 10", "1 11"])
    }
}
