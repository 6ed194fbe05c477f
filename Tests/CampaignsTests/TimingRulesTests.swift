import Foundation
import Notifications
import TestSupport
import Testing

@testable import Campaigns

@Suite struct TimingRulesTests {
    private let quiet = QuietHours(from: 22 * 60, to: 8 * 60, policy: .hold)

    private func moment(_ text: String) throws -> Int { try #require(RFC3339(text)).seconds }

    private func local(_ time: String, _ ifPast: LocalTimePolicy) throws -> Occurrence {
        .local(try CivilTime(time), ifPast: ifPast)
    }

    /// As in "send 2026-11-30T18:00:00Z before 2026-11-30T22:00:00Z".
    private func summary(_ rules: TimingRules, _ zone: String) throws -> String {
        let timing = try #require(rules.timing(in: zone))
        let verdict =
            switch timing.verdict {
            case .send: "send"
            case .held(let reason): "held \(reason.rawValue)"
            case .suppressed(let reason): "suppressed \(reason.rawValue)"
            }
        let text =
            "\(verdict) \(RFC3339.text(timing.dueAt))"
            + (timing.notAfter.map { " before \(RFC3339.text($0))" } ?? "")
        return text.replacing(".000Z", with: "Z")
    }

    @Test(arguments: [
        (LocalTimePolicy.nextDay, "Asia/Tokyo", "send 2026-11-30T09:00:00Z before 2026-11-30T10:00:00Z"),
        (.nextDay, "Pacific/Kiritimati", "held next_day 2026-12-01T04:00:00Z before 2026-12-01T05:00:00Z"),
        (.skip, "Asia/Tokyo", "send 2026-11-30T09:00:00Z before 2026-11-30T10:00:00Z"),
        (.skip, "Pacific/Kiritimati", "suppressed local_time_past 2026-11-30T04:00:00Z"),
        (.send, "Asia/Tokyo", "send 2026-11-30T09:00:00Z"),
        (.send, "Pacific/Kiritimati", "send 2026-11-30T06:00:00Z"),
        // Exactly now is not past.
        (.skip, "Asia/Dhaka", "send 2026-11-30T12:00:00Z before 2026-11-30T13:00:00Z"),
        (.skip, "Etc/GMT-12", "send 2026-11-30T06:00:00Z before 2026-11-30T07:00:00Z"),
    ])
    func aLocalTimeThatIsPastFollowsItsPolicy(_ ifPast: LocalTimePolicy, _ zone: String, _ wanted: String) throws {
        let rules = TimingRules(
            try local("2026-11-30T18:00:00", ifPast), quiet: nil, plannedAt: try moment("2026-11-30T06:00:00Z"))
        #expect(try summary(rules, zone) == wanted)
    }

    @Test func theNextDayIsTheNextThatIsNotPast() throws {
        let rules = TimingRules(
            try local("2026-11-30T18:00:00", .nextDay), quiet: nil, plannedAt: try moment("2026-12-04T17:30:00Z"))
        #expect(try summary(rules, "Europe/Berlin") == "held next_day 2026-12-05T17:00:00Z before 2026-12-05T18:00:00Z")
        #expect(try summary(rules, "Europe/London") == "held next_day 2026-12-04T18:00:00Z before 2026-12-04T19:00:00Z")
    }

    @Test(arguments: [
        (
            "2026-11-30T18:00:00Z", QuietHours.Policy.hold, "UTC",
            "send 2026-11-30T18:00:00Z before 2026-11-30T22:00:00Z"
        ),
        (
            "2026-11-30T18:00:00Z", .hold, "Asia/Tokyo",
            "held quiet_hours 2026-11-30T23:00:00Z before 2026-12-01T13:00:00Z"
        ),
        ("2026-11-30T18:00:00Z", .skip, "Asia/Tokyo", "suppressed quiet_hours 2026-11-30T18:00:00Z"),
        ("2026-11-30T18:00:00Z", .skip, "UTC", "send 2026-11-30T18:00:00Z before 2026-11-30T22:00:00Z"),
        ("2026-11-30T18:00:00Z", .send, "Asia/Tokyo", "send 2026-11-30T18:00:00Z"),
        // The night is an hour shorter.
        (
            "2026-03-28T23:00:00Z", .hold, "Europe/Berlin",
            "held quiet_hours 2026-03-29T06:00:00Z before 2026-03-29T20:00:00Z"
        ),
    ])
    func quietHoursHoldOrSkip(_ due: String, _ policy: QuietHours.Policy, _ zone: String, _ wanted: String) throws {
        let quiet = QuietHours(from: 22 * 60, to: 8 * 60, policy: policy)
        let rules = TimingRules(.at(try moment(due)), quiet: quiet, plannedAt: 0)
        #expect(try summary(rules, zone) == wanted)
    }

    @Test func overdueRecipientsAreDueWhenPlanned() throws {
        let rules = TimingRules(
            .at(try moment("2026-11-30T18:00:00Z")), quiet: quiet, plannedAt: try moment("2026-11-30T22:30:00Z"))
        #expect(try summary(rules, "UTC") == "held quiet_hours 2026-12-01T08:00:00Z before 2026-12-01T22:00:00Z")
        #expect(try summary(rules, "America/New_York") == "send 2026-11-30T22:30:00Z before 2026-12-01T03:00:00Z")
    }

    @Test func theLocalTimeComesFirstAndThenTheQuietHours() throws {
        let late = try local("2026-11-30T23:00:00", .nextDay)
        let before = TimingRules(late, quiet: quiet, plannedAt: try moment("2026-11-30T12:00:00Z"))
        #expect(try summary(before, "UTC") == "held quiet_hours 2026-12-01T08:00:00Z before 2026-12-01T22:00:00Z")
        #expect(
            try summary(before, "Pacific/Kiritimati")
                == "held quiet_hours 2026-12-01T18:00:00Z before 2026-12-02T08:00:00Z")
        let skipping = TimingRules(
            try local("2026-11-30T21:30:00", .skip), quiet: quiet, plannedAt: try moment("2026-11-30T12:00:00Z"))
        #expect(try summary(skipping, "UTC") == "send 2026-11-30T21:30:00Z before 2026-11-30T22:00:00Z")
        #expect(try summary(skipping, "Pacific/Kiritimati") == "suppressed local_time_past 2026-11-30T07:30:00Z")
    }

    @Test func overdueBatchIsReevaluatedWithGrace() throws {
        let due = try local("2026-11-30T18:00:00", .skip)
        let rules = TimingRules(due, quiet: quiet, plannedAt: try moment("2026-11-30T12:00:00Z"))
        #expect(
            try summary(rules.reevaluated(now: try moment("2026-11-30T18:20:00Z")), "UTC")
                == "send 2026-11-30T18:20:00Z before 2026-11-30T19:00:00Z")
        #expect(
            try summary(rules.reevaluated(now: try moment("2026-11-30T19:00:00Z")), "UTC")
                == "suppressed local_time_past 2026-11-30T18:00:00Z")
        let sending = TimingRules(
            try local("2026-11-30T18:00:00", .send), quiet: quiet, plannedAt: try moment("2026-11-30T12:00:00Z"))
        #expect(
            try summary(sending.reevaluated(now: try moment("2026-11-30T22:00:00Z")), "UTC")
                == "held quiet_hours 2026-12-01T08:00:00Z before 2026-12-01T22:00:00Z")
        let nextDay = TimingRules(
            try local("2026-11-30T18:00:00", .nextDay), quiet: quiet, plannedAt: try moment("2026-11-30T12:00:00Z"))
        #expect(
            try summary(nextDay.reevaluated(now: try moment("2026-11-30T19:00:00Z")), "UTC")
                == "held next_day 2026-12-01T18:00:00Z before 2026-12-01T19:00:00Z")
    }

    /// A batch that is re-evaluated must get somewhere: its new due time is not before now and its new limit is later.
    @Test(arguments: [
        "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati",
        "Etc/GMT+12", "Asia/Kathmandu",
    ])
    func everyTimingHoldsWhatItPromises(_ name: String) throws {
        var generator = SeededGenerator(seed: 11)
        let clock = try #require(ZoneClock(named: name))
        let origin = try moment("2026-03-01T00:00:00Z")
        for _ in 0..<400 {
            let due = origin + .random(in: 0...86_400 * 60, using: &generator)
            let policy = try #require(LocalTimePolicy.allCases.randomElement(using: &generator))
            let time = try #require(CivilTime(seconds: due))
            let from = Int.random(in: 0..<1_440, using: &generator)
            let quiet = QuietHours(
                from: from, to: (from + .random(in: 1..<1_440, using: &generator)) % 1_440,
                policy: try #require(QuietHours.Policy.allCases.randomElement(using: &generator)))
            var rules = TimingRules(
                Bool.random(using: &generator) ? .at(due) : .local(time, ifPast: policy),
                quiet: Bool.random(using: &generator) ? quiet : nil,
                plannedAt: due + .random(in: -100_000...100_000, using: &generator))
            for _ in 0..<3 {
                let timing = rules.timing(on: clock)
                guard timing.isSent else { break }
                #expect(timing.dueAt >= rules.plannedAt)
                if let quiet = rules.quiet, quiet.policy != .send {
                    #expect(!quiet.isQuiet(at: timing.dueAt, on: clock))
                    let limit = try #require(timing.notAfter)
                    #expect(quiet.window(containingOrAfter: timing.dueAt, on: clock).lowerBound >= limit)
                }
                guard let limit = timing.notAfter else { break }
                #expect(limit > timing.dueAt)
                rules = rules.reevaluated(now: limit)
                #expect(rules.timing(on: clock) != timing)
            }
        }
    }

    @Test func aTableOfAllZonesIsQuick() throws {
        let zones = TimeZone.knownTimeZoneIdentifiers
        let rules = TimingRules(
            try local("2026-10-25T02:30:00", .nextDay), quiet: quiet, plannedAt: try moment("2026-10-24T22:00:00Z"))
        var table: TimingTable?

        let time = ContinuousClock().measure {
            table = TimingTable(rules, zones: zones + ["Nowhere/Here"], defaultZone: "Europe/Berlin")
        }

        #expect(time < .seconds(30))
        #expect(zones.count > 300)
        let rows = try #require(table).rows
        #expect(rows.map(\.zone) == zones + ["Nowhere/Here"])
        #expect(rows.last?.timing == rules.timing(in: "Europe/Berlin"))
        for row in rows.dropLast() { #expect(row.timing == rules.timing(in: row.zone)) }
        let due = try #require(table?.due)
        #expect(due.lowerBound == rows.map(\.timing.dueAt).min())
        #expect(due.upperBound == rows.map(\.timing.dueAt).max())
    }

    @Test func tableShowsThatAllAreSuppressed() throws {
        let rules = TimingRules(
            try local("2026-10-25T02:30:00", .skip), quiet: nil, plannedAt: try moment("2026-10-28T00:00:00Z"))
        let table = TimingTable(rules, zones: ["Asia/Tokyo", "UTC"], defaultZone: "Nowhere/Here")
        #expect(table.due == nil)
        #expect(table.standard == rules.timing(in: "UTC"))
    }
}
