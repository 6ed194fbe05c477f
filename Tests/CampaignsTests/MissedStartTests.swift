import Foundation
import JSON
import Notifications
import Testing

@testable import Campaigns

@Suite struct MissedStartTests {
    private let weekly =
        #"{"kind":"recurring","rule":"FREQ=WEEKLY","from":"2026-11-30T09:00:00","time_zone":"Europe/Berlin"}"#
    private let daily =
        #"{"kind":"recurring","rule":"FREQ=DAILY","from":"2026-11-30T09:00:00","time_zone":"recipient"}"#

    private func schedule(_ text: String) throws -> Schedule {
        try Schedule(json: try JSON(parsing: Array(text.utf8)))
    }

    private func moment(_ text: String) throws -> Int { try #require(RFC3339(text)).seconds }

    private func decision(
        _ policy: MissedStart.Policy, _ text: String, now: String, after handled: String = "2026-11-01T00:00:00Z",
        grace: Int = 1_800, openRun: Occurrence? = nil
    ) throws -> StartDecision {
        let schedule = try schedule(text)
        let now = try moment(now)
        let due = try #require(schedule.due(after: try moment(handled), now: now, lead: 60))
        return MissedStart(grace: grace, policy: policy)
            .decision(on: due, of: schedule, now: now, openRun: openRun, zone: "Europe/London")
    }

    @Test func severalMissedStartsAreOneOccurrence() throws {
        let schedule = try schedule(weekly)
        #expect(schedule.due(after: 0, now: try moment("2026-11-30T07:58:59Z"), lead: 60) == nil)
        let first = try #require(schedule.due(after: 0, now: try moment("2026-11-30T07:59:00Z"), lead: 60))
        #expect(first.occurrence == .at(try moment("2026-11-30T08:00:00Z")))
        #expect(first.missedBefore == 0)
        #expect(first.next == .at(try moment("2026-12-07T08:00:00Z")))
        let third = try #require(schedule.due(after: 0, now: try moment("2026-12-15T00:00:00Z"), lead: 60))
        #expect(third.occurrence == .at(try moment("2026-12-14T08:00:00Z")))
        #expect(third.missedBefore == 2)
        #expect(schedule.due(after: third.occurrence.first, now: try moment("2026-12-15T00:00:00Z"), lead: 60) == nil)
        let once = Schedule.at(1_000)
        #expect(
            once.due(after: 0, now: 5_000, lead: 0) == DueOccurrence(occurrence: .at(1_000), missedBefore: 0, next: nil)
        )
    }

    @Test func withinTheGraceItStarts() throws {
        for policy in MissedStart.Policy.allCases {
            #expect(try decision(policy, weekly, now: "2026-11-30T07:59:30Z") == .start)
            #expect(try decision(policy, weekly, now: "2026-11-30T08:30:00Z") == .start)
        }
        #expect(try decision(.send, weekly, now: "2026-12-02T08:30:01Z") == .start)
    }

    @Test func aMinuteIsInTimeEvenWithoutGrace() throws {
        #expect(try decision(.skip, weekly, now: "2026-11-30T08:01:00Z", grace: 0) == .start)
        #expect(try decision(.skip, weekly, now: "2026-11-30T08:01:01Z", grace: 0) != .start)
    }

    @Test func lateStartIsSkippedOrAskedAbout() throws {
        #expect(
            try decision(.skip, weekly, now: "2026-11-30T08:30:01Z")
                == .skip(
                    "This was due on Monday, 30 November 2026 at 09:00 (Europe/Berlin). 30 minutes later it had not "
                        + "started, and at most 30 minutes are allowed. It was skipped. The next is on Monday, "
                        + "7 December 2026 at 09:00 (Europe/Berlin)."))
        #expect(
            try decision(.ask, weekly, now: "2026-12-16T08:00:00Z", grace: 0)
                == .ask(
                    "This was due on Monday, 14 December 2026 at 09:00 (Europe/Berlin), and 2 before it were missed. "
                        + "2 days later it had not started, and no delay is allowed. Start it now, or skip it?"))
        #expect(
            try decision(.ask, #"{"kind":"at","at":"2026-11-30T18:00:00Z"}"#, now: "2026-11-30T21:00:00Z")
                == .ask(
                    "This was due on Monday, 30 November 2026 at 18:00 (Europe/London). 3 hours later it had not "
                        + "started, and at most 30 minutes are allowed. Start it now, or skip it?"))
    }

    @Test func nextStartWaitsForThePreviousRun() throws {
        let open = Occurrence.at(try moment("2026-11-23T08:00:00Z"))
        for policy in MissedStart.Policy.allCases {
            #expect(try decision(policy, weekly, now: "2026-11-30T08:10:00Z", openRun: open) == .wait)
        }
        #expect(try decision(.send, weekly, now: "2026-11-30T18:10:00Z", openRun: open) == .wait)
        #expect(
            try decision(.ask, weekly, now: "2026-11-30T18:10:00Z", openRun: open)
                == .ask(
                    "This was due on Monday, 30 November 2026 at 09:00 (Europe/Berlin). 10 hours later the run before it "
                        + "had not ended yet, and at most 30 minutes are allowed. Start it now, or skip it?"))
    }

    /// A local time takes 26 hours around the world, and a day later comes the next.
    @Test func localTimesOfEachDayOverlap() throws {
        let open = Occurrence.local(try CivilTime("2026-11-30T09:00:00"), ifPast: .skip)
        let after = "2026-11-29T19:00:00Z"
        #expect(try decision(.skip, daily, now: "2026-11-30T19:00:00Z", after: after, openRun: open) == .start)
        #expect(try decision(.skip, daily, now: "2026-11-30T21:30:00Z", after: after, openRun: open) == .start)
        #expect(try decision(.skip, daily, now: "2026-11-30T21:30:01Z", after: after, openRun: open) == .wait)
        // It is missed only when the last clock in the world has shown it.
        let never = "2026-11-01T00:00:00Z"
        let once = #"{"kind":"local","at":"2026-11-30T09:00:00"}"#
        #expect(try decision(.skip, once, now: "2026-11-30T21:30:00Z", after: never) == .start)
        #expect(
            try decision(.skip, once, now: "2026-11-30T21:30:01Z", after: never)
                == .skip(
                    "This was due on Monday, 30 November 2026 at 09:00 in each recipient's time zone. 30 minutes later it "
                        + "had not started, and at most 30 minutes are allowed. It was skipped."))
    }

    @Test func rulesAreWrittenAsRead() throws {
        func rule(_ text: String) throws -> MissedStart { try MissedStart(json: try JSON(parsing: Array(text.utf8))) }
        let text = #"{"grace_seconds":60,"policy":"skip"}"#
        #expect(String(decoding: try rule(text).json.encoded(), as: UTF8.self) == text)
        #expect(try rule("{}") == .standard)
        #expect(
            throws: Problems([
                .error("grace_seconds", "out-of-range", "must be from 0 to 604800, not 604801"),
                .error("policy", "unknown-value", "must be skip, send or ask, not the text \"no\""),
            ])
        ) { try rule(#"{"grace_seconds":604801,"policy":"no"}"#) }
    }

    @Test(arguments: [
        (0, "0 seconds"), (1, "1 second"), (60, "1 minute"), (90, "90 seconds"), (119, "119 seconds"),
        (120, "2 minutes"), (5_400, "90 minutes"), (3_600, "1 hour"), (86_400, "1 day"), (400_000, "4 days"),
    ])
    func durationTextsAreShort(_ seconds: Int, _ text: String) {
        #expect(DurationText(seconds).text == text)
    }
}
