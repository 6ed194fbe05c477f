import Foundation
import JSON
import Notifications
import TestSupport
import Testing

@testable import Campaigns

@Suite struct QuietHoursTests {
    private func quiet(_ text: String) throws -> QuietHours {
        try QuietHours(json: try JSON(parsing: Array(text.utf8)))
    }

    private func problems(_ text: String) throws -> [String] {
        do {
            _ = try quiet(text)
            return []
        } catch let error as Problems {
            return error.problems.map { "\($0.path) \($0.message)" }
        }
    }

    @Test func quietHoursAreWrittenAsRead() throws {
        let text = #"{"from":"22:00","to":"08:05","policy":"skip"}"#
        #expect(String(decoding: try quiet(text).json.encoded(), as: UTF8.self) == text)
        #expect(try quiet(#"{"from":"00:00","to":"06:00"}"#) == QuietHours(from: 0, to: 360, policy: .hold))
        #expect(try quiet(text).summary == "from 22:00 to 08:05")
    }

    @Test(arguments: [
        ("{}", ["from is required", "to is required"]),
        (
            #"{"from":"24:00","to":"8:00","policy":"wait"}"#,
            [
                "from must be a time of the day from 00:00 to 23:59, like 22:00",
                "to must be a time of the day from 00:00 to 23:59, like 22:00",
                "policy must be hold, skip or send, not the text \"wait\"",
            ]
        ),
        (
            #"{"from":"22:00","to":"22:00"}"#,
            ["to must be different from `from`; omit the quiet hours to have none"]
        ),
        (#"{"from":"22:00","to":"08:00","until":"x"}"#, ["until is not a known field"]),
        (#"{"from":22,"to":"08:00"}"#, ["from must be text, not the number 22"]),
    ])
    func invalidFieldsAreReported(_ text: String, _ wanted: [String]) throws {
        #expect(try problems(text) == wanted)
    }

    @Test func equalTimesAreRejected() {
        #expect(QuietHours(from: 5, to: 5, policy: .hold) == nil)
        #expect(QuietHours(from: -1, to: 5, policy: .hold) == nil)
        #expect(QuietHours(from: 5, to: 1_440, policy: .hold) == nil)
    }

    private func window(_ from: Int, _ to: Int, _ moment: String, _ zone: String) throws -> String {
        let quiet = try #require(QuietHours(from: from, to: to, policy: .hold))
        let clock = try #require(ZoneClock(named: zone))
        let window = quiet.window(containingOrAfter: try #require(RFC3339(moment)).seconds, on: clock)
        return "\(RFC3339.text(window.lowerBound)) \(RFC3339.text(window.upperBound))".replacing(".000Z", with: "Z")
    }

    @Test(arguments: [
        (22, 8, "2026-07-01T12:00:00Z", "UTC", "2026-07-01T22:00:00Z 2026-07-02T08:00:00Z"),
        (22, 8, "2026-07-01T22:00:00Z", "UTC", "2026-07-01T22:00:00Z 2026-07-02T08:00:00Z"),
        (22, 8, "2026-07-02T07:59:59Z", "UTC", "2026-07-01T22:00:00Z 2026-07-02T08:00:00Z"),
        (22, 8, "2026-07-02T08:00:00Z", "UTC", "2026-07-02T22:00:00Z 2026-07-03T08:00:00Z"),
        (12, 14, "2026-07-02T08:00:00Z", "UTC", "2026-07-02T12:00:00Z 2026-07-02T14:00:00Z"),
        // Nine hours in the night in which summer time begins, eleven in which it ends.
        (22, 8, "2026-03-29T00:00:00Z", "Europe/Berlin", "2026-03-28T21:00:00Z 2026-03-29T06:00:00Z"),
        (22, 8, "2026-10-24T23:00:00Z", "Europe/Berlin", "2026-10-24T20:00:00Z 2026-10-25T07:00:00Z"),
        (22, 8, "2026-03-08T05:00:00Z", "America/New_York", "2026-03-08T03:00:00Z 2026-03-08T12:00:00Z"),
        (22, 8, "2026-04-04T12:00:00Z", "Australia/Lord_Howe", "2026-04-04T11:00:00Z 2026-04-04T21:30:00Z"),
        // The clock goes from 02:00 to 03:00, and then it is not quiet any more, or not at all.
        (1, 3, "2026-03-28T23:30:00Z", "Europe/Berlin", "2026-03-29T00:00:00Z 2026-03-29T01:00:00Z"),
        (2, 3, "2026-03-28T23:30:00Z", "Europe/Berlin", "2026-03-30T00:00:00Z 2026-03-30T01:00:00Z"),
        // The hour from two to three comes twice.
        (1, 3, "2026-10-24T22:30:00Z", "Europe/Berlin", "2026-10-24T23:00:00Z 2026-10-25T02:00:00Z"),
        (0, 2, "2026-10-24T22:30:00Z", "Europe/Berlin", "2026-10-24T22:00:00Z 2026-10-25T00:00:00Z"),
        // The island had no 30th.
        (22, 8, "2011-12-30T09:00:00Z", "Pacific/Apia", "2011-12-30T08:00:00Z 2011-12-30T18:00:00Z"),
    ])
    func windowsFollowTheClockOnTheWall(_ from: Int, _ to: Int, _ moment: String, _ zone: String, _ wanted: String)
        throws
    {
        #expect(try window(from * 60, to * 60, moment, zone) == wanted)
    }

    /// Goes from minute to minute and asks Foundation what the clock shows.
    @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "America/Santiago"])
    func windowsMatchMinuteByMinuteSearch(_ name: String) throws {
        var generator = SeededGenerator(seed: 3)
        let zone = try #require(TimeZone(identifier: name))
        let clock = ZoneClock(zone)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let nights = [
            "2011-12-29", "2026-03-07", "2026-03-28", "2026-04-04", "2026-09-05", "2026-10-03", "2026-10-24",
            "2026-10-31",
        ]
        for night in nights {
            // Quiet hours can last two days where the clock skips the rest.
            let origin = try #require(RFC3339("\(night)T00:00:00Z")).seconds - 2 * 86_400
            let minutes = (0..<9_000).map { minute -> Int in
                let date = Date(timeIntervalSince1970: Double(origin + minute * 60))
                let shown = calendar.dateComponents([.hour, .minute], from: date)
                return shown.hour! * 60 + shown.minute!
            }
            for _ in 0..<12 {
                let from = Int.random(in: 0..<1_440, using: &generator)
                let isShort = Bool.random(using: &generator)
                let length = Int.random(in: 1...(isShort ? 90 : 1_439), using: &generator)
                let quiet = try #require(QuietHours(from: from, to: (from + length) % 1_440, policy: .hold))
                let isQuiet = minutes.map { ($0 - from + 1_440) % 1_440 < length }
                let place = Int.random(in: 3_000..<6_000, using: &generator)
                let begin = try #require(isQuiet[place...].firstIndex(of: true))
                let end = try #require(isQuiet[begin...].firstIndex(of: false))
                let start = isQuiet[place] ? try #require(isQuiet[..<place].lastIndex(of: false)) + 1 : begin

                let window = quiet.window(
                    containingOrAfter: origin + place * 60 + .random(in: 0..<60, using: &generator), on: clock)

                #expect(
                    window == origin + start * 60..<origin + end * 60,
                    "\(quiet.summary) in \(name) at \(RFC3339.text(origin + place * 60))")
            }
        }
    }
}
