import Foundation
import JSON
import Notifications
import TestSupport
import Testing

@testable import Campaigns

@Suite struct RecurrenceRuleTests {
    private func days(_ rule: String, _ start: String, _ count: Int = 12) throws -> [String] {
        let start = try CivilTime(start)
        return try RecurrenceRule(rule).days(from: start.date).prefix(count).map { CivilDay(number: $0).text }
    }

    private func problems(_ rule: String) -> [String] {
        do throws(Problems) {
            _ = try RecurrenceRule(rule)
            return []
        } catch {
            return error.problems.map(\.message.description)
        }
    }

    /// The examples of RFC 5545 §3.8.5.3 for these frequencies; as there, the first ones. All start at 09:00 in New
    /// York.
    @Test(arguments: [
        (
            "FREQ=DAILY;COUNT=10", "1997-09-02",
            "1997-09-02 1997-09-03 1997-09-04 1997-09-05 1997-09-06 1997-09-07 1997-09-08 1997-09-09 1997-09-10 "
                + "1997-09-11"
        ),
        ("FREQ=DAILY;INTERVAL=2", "1997-09-02", "1997-09-02 1997-09-04 1997-09-06 1997-09-08"),
        (
            "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02",
            "1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12"
        ),
        (
            "FREQ=WEEKLY;COUNT=10", "1997-09-02",
            "1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-10-07 1997-10-14 1997-10-21 1997-10-28 "
                + "1997-11-04"
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;WKST=SU", "1997-09-02",
            "1997-09-02 1997-09-16 1997-09-30 1997-10-14 1997-10-28 1997-11-11 1997-11-25 1997-12-09"
        ),
        (
            "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "1997-09-02",
            "1997-09-02 1997-09-04 1997-09-09 1997-09-11 1997-09-16 1997-09-18 1997-09-23 1997-09-25 1997-09-30 "
                + "1997-10-02"
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224;WKST=SU;BYDAY=MO,WE,FR", "1997-09-01",
            "1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19 1997-09-29 1997-10-01 1997-10-03 "
                + "1997-10-13 1997-10-15 1997-10-17"
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997-09-02",
            "1997-09-02 1997-09-04 1997-09-16 1997-09-18 1997-09-30 1997-10-02 1997-10-14 1997-10-16"
        ),
        (
            "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "1997-09-05",
            "1997-09-05 1997-10-03 1997-11-07 1997-12-05 1998-01-02 1998-02-06 1998-03-06 1998-04-03 1998-05-01 "
                + "1998-06-05"
        ),
        (
            "FREQ=MONTHLY;UNTIL=19971224;BYDAY=1FR", "1997-09-05", "1997-09-05 1997-10-03 1997-11-07 1997-12-05"
        ),
        (
            "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "1997-09-07",
            "1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25 1998-03-01 1998-03-29 1998-05-03 "
                + "1998-05-31"
        ),
        (
            "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997-09-22",
            "1997-09-22 1997-10-20 1997-11-17 1997-12-22 1998-01-19 1998-02-16"
        ),
        (
            "FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28",
            "1997-09-28 1997-10-29 1997-11-28 1997-12-29 1998-01-29 1998-02-26"
        ),
        (
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "1997-09-02",
            "1997-09-02 1997-09-15 1997-10-02 1997-10-15 1997-11-02 1997-11-15 1997-12-02 1997-12-15 1998-01-02 "
                + "1998-01-15"
        ),
        (
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "1997-09-30",
            "1997-09-30 1997-10-01 1997-10-31 1997-11-01 1997-11-30 1997-12-01 1997-12-31 1998-01-01 1998-01-31 "
                + "1998-02-01"
        ),
        (
            "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "1997-09-10",
            "1997-09-10 1997-09-11 1997-09-12 1997-09-13 1997-09-14 1997-09-15 1999-03-10 1999-03-11 1999-03-12 "
                + "1999-03-13"
        ),
        (
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "1997-09-02",
            "1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-11-04 1997-11-11 1997-11-18 1997-11-25 "
                + "1998-01-06"
        ),
        (
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1997-09-02",
            "1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13"
        ),
        (
            "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "1997-09-13",
            "1997-09-13 1997-10-11 1997-11-08 1997-12-13 1998-01-10 1998-02-07 1998-03-07"
        ),
        (
            "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01-15",
            "2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30"
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05",
            "1997-08-05 1997-08-10 1997-08-19 1997-08-24"
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05",
            "1997-08-05 1997-08-17 1997-08-19 1997-08-31"
        ),
    ])
    func examplesOfTheRFC(_ rule: String, _ start: String, _ wanted: String) throws {
        let wanted = wanted.split(separator: " ").map(String.init)
        #expect(try days(rule, "\(start)T09:00:00", wanted.count) == wanted)
        if rule.contains("COUNT") {
            #expect(try days(rule, "\(start)T09:00:00", wanted.count + 1).count == wanted.count)
        }
    }

    @Test func untilIsTheLastMoment() throws {
        let clock = try #require(ZoneClock(named: "America/New_York"))
        let start = try CivilTime("1997-09-02T09:00:00")
        func moments(_ until: String) throws -> [String] {
            try RecurrenceRule("FREQ=DAILY;UNTIL=\(until)").occurrences(after: 0, from: start, on: clock)
                .map(RFC3339.text)
        }
        #expect(try moments("19971224T000000Z").count == 113)
        #expect(try moments("19970903T130000Z") == ["1997-09-02T13:00:00.000Z", "1997-09-03T13:00:00.000Z"])
        #expect(try moments("19970903T125959Z") == ["1997-09-02T13:00:00.000Z"])
        #expect(try moments("19970903") == ["1997-09-02T13:00:00.000Z", "1997-09-03T13:00:00.000Z"])
        let january = try RecurrenceRule("FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1")
        #expect(
            january.occurrences(after: 0, from: try CivilTime("1998-01-01T09:00:00"), on: clock).map { $0 }.count == 93)
    }

    @Test(arguments: [
        "FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "FREQ=MONTHLY;COUNT=5;BYDAY=1MO,-1FR",
        "FREQ=MONTHLY;UNTIL=20270131;BYMONTH=1,7;BYMONTHDAY=1,31,-31,-1;WKST=SU",
        "FREQ=DAILY;UNTIL=20270131T140000Z",
    ])
    func rulesAreWrittenAsRead(_ text: String) throws {
        #expect(try RecurrenceRule(text).text == text)
    }

    @Test func rulesAreReadInAnyOrderAndCase() throws {
        let text = "wkst=mo;byday=th,MO,mo;interval=1;freq=weekly"
        #expect(try RecurrenceRule(text).text == "FREQ=WEEKLY;BYDAY=MO,TH")
        #expect(
            try RecurrenceRule("FREQ=MONTHLY;BYDAY=+1MO;BYMONTHDAY=+02").text == "FREQ=MONTHLY;BYMONTHDAY=2;BYDAY=1MO")
    }

    @Test(arguments: [
        ("", ["must consist of parts", "must contain FREQ="]),
        ("FREQ=YEARLY", ["FREQ=YEARLY is not supported; use FREQ=MONTHLY with BYMONTH"]),
        ("FREQ=HOURLY", ["FREQ must be DAILY, WEEKLY or MONTHLY, not \"HOURLY\""]),
        ("RRULE:FREQ=DAILY", ["must contain only the rule, like FREQ=DAILY, without RRULE:", "must contain FREQ="]),
        ("FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO", ["BYSETPOS is not supported"]),
        ("FREQ=DAILY;BYHOUR=9;BYWEEKNO=3", ["BYHOUR is not supported", "BYWEEKNO is not supported"]),
        ("FREQ=DAILY;INTERVALL=2", ["contains the unknown part \"INTERVALL\"; did you mean INTERVAL?"]),
        ("FREQ=DAILY;INTERVAL=0", ["INTERVAL must be from 1 to 999, not \"0\""]),
        ("FREQ=DAILY;INTERVAL=1000", ["INTERVAL must be from 1 to 999, not \"1000\""]),
        ("FREQ=DAILY;INTERVAL=99999999999999999999", ["INTERVAL must be from 1 to 999"]),
        ("FREQ=DAILY;COUNT=0", ["COUNT must be from 1 to 9999"]),
        ("FREQ=DAILY;COUNT=2;UNTIL=20270131", ["COUNT can't be combined with UNTIL"]),
        ("FREQ=DAILY;COUNT=2;COUNT=3", ["COUNT must appear only once"]),
        ("FREQ=DAILY;UNTIL=20270132", ["UNTIL must be a day like"]),
        ("FREQ=DAILY;UNTIL=20270131T140000", ["UNTIL must be a day like"]),
        ("FREQ=DAILY;UNTIL=20270131T140000+", ["UNTIL must be a day like"]),
        ("FREQ=WEEKLY;BYDAY=1MO", ["BYDAY must contain plain weekdays like MO with FREQ=WEEKLY"]),
        ("FREQ=DAILY;BYDAY=-1MO", ["BYDAY must contain plain weekdays like MO with FREQ=DAILY"]),
        ("FREQ=MONTHLY;BYDAY=6MO", ["BYDAY must contain weekdays like MO"]),
        ("FREQ=MONTHLY;BYDAY=XX,0MO,M", ["not \"XX\"", "not \"0MO\"", "not \"M\""]),
        ("FREQ=WEEKLY;BYMONTHDAY=1", ["BYMONTHDAY can't be combined with FREQ=WEEKLY"]),
        ("FREQ=MONTHLY;BYMONTHDAY=0,32", ["not \"0\"", "not \"32\""]),
        ("FREQ=MONTHLY;BYMONTH=13", ["BYMONTH must be from 1 to 12"]),
        ("FREQ=WEEKLY;WKST=XX", ["WKST must be a weekday"]),
        ("FREQ=MONTHLY;BYMONTHDAY=30;BYMONTH=2", ["never occurs"]),
        ("FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6,9,11", ["never occurs"]),
        ("FREQ=MONTHLY;BYMONTHDAY=-30;BYMONTH=2", ["never occurs"]),
        ("FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=5MO", ["never occurs"]),
        ("FREQ=DAILY;BYMONTHDAY=30;BYMONTH=2", ["never occurs"]),
    ])
    func invalidPartsAreRejectedByName(_ rule: String, _ wanted: [String]) {
        let found = problems(rule)
        #expect(found.count == wanted.count, "\(found)")
        for (found, wanted) in zip(found, wanted) { #expect(found.contains(wanted)) }
    }

    @Test func longTextIsRefused() {
        #expect(problems("FREQ=DAILY;BYMONTHDAY=" + String(repeating: "1,", count: 10_000)).count == 1)
    }

    @Test func endedRulesHaveNoNext() throws {
        let clock = ZoneClock(fixed: 0)
        let start = try CivilTime("2026-11-30T09:00:00")
        let third = try #require(RFC3339("2026-12-02T09:00:00.000Z")).seconds
        let rule = try RecurrenceRule("FREQ=DAILY;COUNT=3")
        #expect(rule.next(after: third - 1, from: start, on: clock) == third)
        #expect(rule.next(after: third, from: start, on: clock) == nil)
        #expect(try RecurrenceRule("FREQ=DAILY").next(after: .max / 2, from: start, on: clock) == nil)
        #expect(try RecurrenceRule("FREQ=DAILY").next(after: .min, from: start, on: clock) == start.seconds)
    }

    /// The search for what never comes goes through all days there are.
    @Test func searchesAreShort() throws {
        let start = try CivilTime("1970-01-01T09:00:00")
        let rules = [
            "FREQ=DAILY;INTERVAL=7;BYDAY=MO", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3", "FREQ=WEEKLY;COUNT=9999",
            "FREQ=DAILY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=29",
        ]
        let clock = ContinuousClock()
        for rule in try rules.map({ try RecurrenceRule($0) }) {
            let time = clock.measure { _ = rule.next(after: 7_000_000_000, from: start, on: ZoneClock(fixed: 0)) }
            #expect(time < .seconds(30), "\(rule.text)")
        }
    }

    /// Tells by Foundation's calendar, day by day, what comes.
    private func slowDays(_ rule: RecurrenceRule, _ start: Date, days: Int) -> [String] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.firstWeekday = rule.weekStart.rawValue
        let first = calendar.dateComponents([.year, .month, .day, .weekday], from: start)
        func week(_ date: Date) -> Date { calendar.dateInterval(of: .weekOfYear, for: date)!.start }
        func month(_ date: Date) -> Date { calendar.dateInterval(of: .month, for: date)!.start }
        var found: [String] = []
        for number in 0..<days {
            let date = calendar.date(byAdding: .day, value: number, to: start)!
            let shown = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let length = calendar.range(of: .day, in: .month, for: date)!.count
            let distance =
                switch rule.frequency {
                case .daily: number
                case .weekly: Int((week(date).timeIntervalSince(week(start)) / 604_800).rounded())
                case .monthly: calendar.dateComponents([.month], from: month(start), to: month(date)).month!
                }
            guard distance % rule.interval == 0 else { continue }
            guard rule.months.isEmpty || rule.months.contains(shown.month!) else { continue }
            var monthDays = rule.monthDays
            var weekdays = rule.weekdays
            if monthDays.isEmpty, weekdays.isEmpty {
                if rule.frequency == .monthly { monthDays = [first.day!] }
                if rule.frequency == .weekly { weekdays = [.init(Weekday(rawValue: first.weekday!)!)] }
            }
            let fromEnd = shown.day! - length - 1
            guard monthDays.isEmpty || monthDays.contains(shown.day!) || monthDays.contains(fromEnd) else { continue }
            // The others of its weekday in its month, by looking.
            let peers = (1...length).filter { ($0 - shown.day!) % 7 == 0 }
            let place = peers.firstIndex(of: shown.day!)!
            let isWanted = weekdays.contains {
                $0.weekday.rawValue == shown.weekday!
                    && ($0.ordinal == nil || $0.ordinal == place + 1 || $0.ordinal == place - peers.count)
            }
            guard weekdays.isEmpty || isWanted else { continue }
            if case .count(let count) = rule.end, found.count == count { break }
            let text = CivilTime(seconds: Int(date.timeIntervalSince1970))!.date.text
            if case .day(let last) = rule.end, text > last.text { break }
            found.append(text)
        }
        return found
    }

    @Test(arguments: 0..<6)
    func randomRulesMatchDayByDayExpansion(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        func picks(_ range: ClosedRange<Int>, _ chance: Int, _ most: Int) -> [Int] {
            guard Int.random(in: 0..<chance, using: &generator) == 0 else { return [] }
            return Array(
                Set(
                    (0..<Int.random(in: 1...most, using: &generator)).map { _ in .random(in: range, using: &generator) }
                ))
        }
        let years = 5 * 366
        for _ in 0..<12 {
            var rule = RecurrenceRule(RecurrenceRule.Frequency.allCases.randomElement(using: &generator)!)
            rule.interval = .random(in: 1...(Bool.random(using: &generator) ? 3 : 40), using: &generator)
            rule.months = picks(1...12, 3, 5)
            if rule.frequency != .weekly { rule.monthDays = picks(1...31, 3, 5) + picks(-31 ... -1, 4, 3) }
            rule.weekdays = picks(1...7, 2, 3).map { weekday in
                let ordinal = rule.frequency == .monthly ? picks(1...5, 2, 1).first : nil
                return .init(
                    Weekday(rawValue: weekday)!, ordinal: Bool.random(using: &generator) ? ordinal : ordinal.map { -$0 }
                )
            }
            rule.weekStart = Weekday.allCases.randomElement(using: &generator)!
            let day = CivilDay(number: .random(in: 20_000...23_000, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: rule.end = .count(.random(in: 1...30, using: &generator))
            case 1: rule.end = .day(CivilDay(number: day.number + .random(in: 0...1_000, using: &generator)))
            default: break
            }
            let wanted = slowDays(rule, Date(timeIntervalSince1970: Double(day.number) * 86_400), days: years)

            let found = rule.days(from: day).prefix { $0 < day.number + years }.map { CivilDay(number: $0).text }

            #expect(found == wanted, "\(rule.text) from \(day.text)")
            let later = day.number + .random(in: 0...years, using: &generator)
            let first = rule.days(from: day, notBefore: later).first { _ in true }.map { CivilDay(number: $0).text }
            if let next = wanted.first(where: { $0 >= CivilDay(number: later).text }) { #expect(first == next) }
            if rule.canOccur {
                let again = try RecurrenceRule(rule.text)
                #expect(Array(again.days(from: day).prefix(5)) == Array(rule.days(from: day).prefix(5)), "\(rule.text)")
            } else {
                #expect(throws: Problems.self) { try RecurrenceRule(rule.text) }
            }
        }
    }
}
