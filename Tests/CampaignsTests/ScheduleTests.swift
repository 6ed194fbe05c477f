import Foundation
import JSON
import Notifications
import Testing

@testable import Campaigns

@Suite struct ScheduleTests {
    private func schedule(_ text: String) throws -> Schedule {
        try Schedule(json: try JSON(parsing: Array(text.utf8)))
    }

    private func problems(_ text: String) throws -> [String] {
        do {
            _ = try schedule(text)
            return []
        } catch let error as Problems {
            return error.problems.map { "\($0.path) \($0.message)" }
        }
    }

    @Test(arguments: [
        #"{"kind":"at","at":"2026-11-30T18:00:00.000Z"}"#,
        #"{"kind":"local","at":"2026-11-30T18:00:00","if_past":"skip"}"#,
        #"{"kind":"recurring","rule":"FREQ=WEEKLY;BYDAY=MO,TH","from":"2026-11-30T09:00:00","time_zone":"Europe/Berlin"}"#,
        #"{"kind":"recurring","rule":"FREQ=DAILY;COUNT=3","from":"2026-11-30T09:00:30","time_zone":"recipient","if_past":"send"}"#,
        #"{"kind":"triggered"}"#,
    ])
    func schedulesAreWrittenAsRead(_ text: String) throws {
        let schedule = try schedule(text)
        #expect(String(decoding: schedule.json.encoded(), as: UTF8.self) == text)
    }

    @Test func missingPolicyIsNextDay() throws {
        #expect(
            try schedule(#"{"kind":"local","at":"2026-11-30T18:00:00.000","if_past":null}"#)
                == .local(try CivilTime("2026-11-30T18:00:00"), ifPast: .nextDay))
        #expect(try schedule(#"{"kind":"at","at":"2026-11-30T19:00:00.5+01:00"}"#) == .at(1_796_061_600))
    }

    @Test(arguments: [
        ("[]", [" the schedule must be an object, not a list"]),
        ("{}", ["kind is required"]),
        (#"{"kind":"later","x":1}"#, ["kind must be at, local, recurring or triggered, not the text \"later\""]),
        (#"{"kind":"at"}"#, ["at is required"]),
        (
            #"{"kind":"at","at":"2026-11-30T18:00:00"}"#,
            [
                "at must have a time zone: write 2026-11-30T18:00:00Z for UTC, or 2026-11-30T18:00:00+01:00 "
                    + "for one hour ahead of UTC"
            ]
        ),
        (
            #"{"kind":"at","at":"tomorrow"}"#,
            ["at must be a time with its zone, like 2026-11-30T18:00:00Z or 2026-11-30T19:00:00+01:00"]
        ),
        (#"{"kind":"at","at":1796061600}"#, ["at must be text, not the number 1796061600"]),
        (
            #"{"kind":"at","at":"2026-11-30T18:00:00.000Z","if_past":"skip"}"#,
            ["if_past is not a known field"]
        ),
        (
            #"{"kind":"local","at":"2026-11-30T18:00:00.000Z","if_past":"never","more":1}"#,
            [
                "at must be a local time like 2026-11-30T18:00:00, without a zone, Z or offset at its end",
                "if_past must be skip, send or next_day, not the text \"never\"",
                "more is not a known field",
            ]
        ),
        (#"{"kind":"local","at":"2026-02-29T18:00:00"}"#, ["at must be a local time like 2026-11-30T18:00:00"]),
        (#"{"kind":"recurring"}"#, ["rule is required", "from is required", "time_zone is required"]),
        (
            #"{"kind":"recurring","rule":"FREQ=DAILY;BYSETPOS=1;INTERVAL=0","from":"x","time_zone":"Europe/Berlim"}"#,
            [
                "rule BYSETPOS is not supported; the rule sets the days, the start the time of day",
                "rule INTERVAL must be from 1 to 999, not \"0\"", "from must be a local time like 2026-11-30T18:00:00",
                "time_zone must be a time zone like Europe/Berlin, or recipient for each recipient's own, not the text "
                    + "\"Europe/Berlim\"",
            ]
        ),
        (
            #"{"kind":"recurring","rule":"FREQ=DAILY","from":"2026-11-30T09:00:00","time_zone":"UTC","if_past":"skip"}"#,
            [#"if_past is allowed only with "time_zone":"recipient""#]
        ),
        (
            #"{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20261129","from":"2026-11-30T09:00:00","time_zone":"UTC"}"#,
            ["rule never occurs: the rule has no day from 2026-11-30 until its end"]
        ),
        (
            #"{"kind":"recurring","rule":"FREQ=MONTHLY;INTERVAL=12;BYMONTH=3","from":"2026-11-30T09:00:00","time_zone":"UTC"}"#,
            ["rule never occurs: the rule has no day from 2026-11-30 until its end"]
        ),
        (
            #"{"kind":"recurring","rule":"FREQ=DAILY;UNTIL=20270131T000000Z","from":"2026-11-30T09:00:00","time_zone":"recipient"}"#,
            ["rule must have UNTIL as a day, like UNTIL=20270131, if the time zone is the recipient's"]
        ),
        (
            #"{"kind":"recurring","rule":"FREQ=DAILY","from":"2201-11-30T09:00:00","time_zone":"UTC"}"#,
            ["from must not be after the year 2200"]
        ),
    ])
    func allProblemsAreReportedTogether(_ text: String, _ wanted: [String]) throws {
        #expect(try problems(text) == wanted)
    }

    @Test func occurrencesFollowEachOther() throws {
        let one = try schedule(#"{"kind":"at","at":"2026-11-30T18:00:00.000Z"}"#)
        #expect(one.next(5, after: 0) == [.at(1_796_061_600)])
        #expect(one.next(after: 1_796_061_600) == nil)
        #expect(Schedule.triggered.next(after: 0) == nil)
        let weekly = try schedule(
            #"{"kind":"recurring","rule":"FREQ=WEEKLY;BYDAY=MO,TH","from":"2026-11-30T09:00:00","time_zone":"Europe/Berlin"}"#
        )
        #expect(
            weekly.next(3, after: 1_796_061_600).map(\.first).map(RFC3339.text) == [
                "2026-12-03T08:00:00.000Z", "2026-12-07T08:00:00.000Z", "2026-12-10T08:00:00.000Z",
            ])
    }

    @Test func localTimesBeginInKiritimatiAndEndOnBakerIsland() throws {
        let daily = try schedule(
            #"{"kind":"recurring","rule":"FREQ=DAILY","from":"2026-11-30T09:00:00","time_zone":"recipient","if_past":"send"}"#
        )
        let first = try #require(daily.next(after: 0))
        #expect(first == .local(try CivilTime("2026-11-30T09:00:00"), ifPast: .send))
        #expect(RFC3339.text(first.first) == "2026-11-29T19:00:00.000Z")
        #expect(RFC3339.text(first.last) == "2026-11-30T21:00:00.000Z")
        #expect(RFC3339.text(first.planningStart(lead: 600)) == "2026-11-29T18:50:00.000Z")
        #expect(daily.next(after: first.first) == .local(try CivilTime("2026-12-01T09:00:00"), ifPast: .send))
    }

    @Test(arguments: [
        (#"{"kind":"at","at":"2026-11-30T18:00:00.000Z"}"#, "on Monday, 30 November 2026 at 19:00 (Europe/Berlin)"),
        (
            #"{"kind":"local","at":"2026-11-30T18:00:00","if_past":"skip"}"#,
            "on Monday, 30 November 2026 at 18:00 in each recipient's time zone; where that time has passed, recipients are skipped"
        ),
        (#"{"kind":"triggered"}"#, "each time the API is called"),
    ])
    func schedulesHaveSummaries(_ text: String, _ words: String) throws {
        #expect(try schedule(text).summary(zone: "Europe/Berlin") == words)
    }

    @Test(arguments: [
        ("FREQ=WEEKLY;BYDAY=TH,MO;UNTIL=20270131", "every Monday and Thursday at 09:00, UTC, until 2027-01-31"),
        ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks on Monday at 09:00, UTC"),
        ("FREQ=DAILY;COUNT=3", "every day at 09:00, UTC, 3 times"),
        ("FREQ=DAILY;COUNT=1;INTERVAL=3", "every 3 days at 09:00, UTC, once"),
        ("FREQ=DAILY;BYDAY=MO,FR;BYMONTH=12", "every day that is a Monday or a Friday in December at 09:00, UTC"),
        ("FREQ=MONTHLY;BYMONTH=1,7", "every month on the 30th in January and July at 09:00, UTC"),
        (
            "FREQ=MONTHLY;BYMONTHDAY=1,22,-1,-2",
            "every month on the 1st, the 22nd, the 2nd last day and the last day at 09:00, UTC"
        ),
        (
            "FREQ=MONTHLY;BYDAY=-1FR,1MO,3TU",
            "every month on the 1st Monday, the 3rd Tuesday and the last Friday at 09:00, UTC"
        ),
        ("FREQ=MONTHLY;BYDAY=FR", "every month on each Friday at 09:00, UTC"),
        ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "every month on the 13th if it is a Friday at 09:00, UTC"),
        ("FREQ=DAILY;UNTIL=20270131T140000Z", "every day at 09:00, UTC, until 2027-01-31 at 14:00 UTC"),
    ])
    func rulesHaveSummaries(_ rule: String, _ words: String) throws {
        let recurrence = Recurrence(
            rule: try RecurrenceRule(rule), start: try CivilTime("2026-11-30T09:00:00"), clock: .zone("UTC"))
        #expect(Schedule.recurring(recurrence).summary(zone: "Europe/Berlin") == words)
    }
}
