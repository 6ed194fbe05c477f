import Foundation
import Notifications
import TestSupport
import Testing

@testable import Campaigns

/// The nights in which clocks are moved.
@Suite struct RecurrenceClockTests {
    private func occurrences(_ start: String, _ zone: String, _ rule: String = "FREQ=DAILY;COUNT=3") throws -> [String]
    {
        let clock = try #require(ZoneClock(named: zone))
        return try RecurrenceRule(rule).occurrences(after: 0, from: try CivilTime(start), on: clock).map(RFC3339.text)
    }

    @Test(arguments: [
        // 02:00 is 03:00.
        (
            "Europe/Berlin", "2026-03-28T02:30:00",
            ["2026-03-28T01:30:00.000Z", "2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"]
        ),
        // 03:00 is 02:00 again.
        (
            "Europe/Berlin", "2026-10-24T02:30:00",
            ["2026-10-24T00:30:00.000Z", "2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]
        ),
        (
            "America/New_York", "2026-03-07T02:30:00",
            ["2026-03-07T07:30:00.000Z", "2026-03-08T07:30:00.000Z", "2026-03-09T06:30:00.000Z"]
        ),
        (
            "America/New_York", "2026-10-31T01:30:00",
            ["2026-10-31T05:30:00.000Z", "2026-11-01T05:30:00.000Z", "2026-11-02T06:30:00.000Z"]
        ),
        // By half an hour.
        (
            "Australia/Lord_Howe", "2026-10-03T02:15:00",
            ["2026-10-02T15:45:00.000Z", "2026-10-03T15:45:00.000Z", "2026-10-04T15:15:00.000Z"]
        ),
        (
            "Australia/Lord_Howe", "2026-04-04T01:45:00",
            ["2026-04-03T14:45:00.000Z", "2026-04-04T14:45:00.000Z", "2026-04-05T15:15:00.000Z"]
        ),
        // The 30th was left out: it is taken for the 31st, and counted.
        ("Pacific/Apia", "2011-12-29T09:00:00", ["2011-12-29T19:00:00.000Z", "2011-12-30T19:00:00.000Z"]),
    ])
    func daylightSavingIsTakenAsTheRFCSays(_ zone: String, _ start: String, _ wanted: [String]) throws {
        #expect(try occurrences(start, zone) == wanted)
    }

    /// The RFC's own example: 09:00 stays 09:00.
    @Test func theWallClockCounts() throws {
        let found = try occurrences("1997-09-02T09:00:00", "America/New_York", "FREQ=DAILY;UNTIL=19971224T000000Z")
        #expect(found.filter { $0.hasSuffix("T13:00:00.000Z") }.count == 54)
        #expect(found.filter { $0.hasSuffix("T14:00:00.000Z") }.count == 59)
    }

    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu"])
    func nextIsTheFirstAfterTheMoment(_ name: String) throws {
        var generator = SeededGenerator(seed: 9)
        let clock = try #require(ZoneClock(named: name))
        let start = try CivilTime("2011-01-03T02:15:00")
        for text in [
            "FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,SU", "FREQ=MONTHLY;BYMONTHDAY=-1,30", "FREQ=DAILY;COUNT=600",
        ] {
            let rule = try RecurrenceRule(text)
            let all = Array(rule.occurrences(after: .min, from: start, on: clock).prefix(900))
            #expect(all == Array(Set(all)).sorted())
            for _ in 0..<100 {
                let moment = Int.random(in: all[0] - 100_000...all[all.count - 1] - 1, using: &generator)
                #expect(rule.next(after: moment, from: start, on: clock) == all.first { $0 > moment })
            }
            for moment in all.prefix(400).dropLast() {
                #expect(rule.next(after: moment, from: start, on: clock).map { $0 > moment } == true)
            }
        }
    }
}
