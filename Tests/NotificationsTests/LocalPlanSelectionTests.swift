import Foundation
import JSON
import Notifications
import Testing

@Suite struct LocalPlansTests {
    private let start = Date(timeIntervalSince1970: 1_780_000_000)  // 2026-05-28 20:26:40 UTC
    private let utc = TimeZone(identifier: "UTC")!

    private func notification(_ identifier: String, _ trigger: LocalTrigger) -> LocalNotification {
        LocalNotification(
            identifier: identifier, trigger: trigger,
            content: Localized(LocalNotificationContent(aps: APS(alert: .text("a")))))
    }

    private func intervals(_ plan: String, _ seconds: [Double]) -> LocalPlan {
        LocalPlan(
            identifier: plan,
            notifications: seconds.map { notification("\(Int($0))", .interval(seconds: $0, repeats: false)) })
    }

    private func region(_ identifier: String) -> LocalTrigger {
        .region(LocalTrigger.Region(identifier: identifier, latitude: 0, longitude: 0, radius: 100), repeats: false)
    }

    private func names(_ plans: LocalPlanSelection) -> [String] {
        plans.selected.map { "\($0.plan.identifier)/\($0.notification.identifier)" }
    }

    @Test func soonestOfAllPlansComeFirst() {
        let plans = [intervals("a", [50, 10]), intervals("b", [20, 40, 10])]

        let soonest = LocalPlanSelection.soonest(3, of: plans, at: start, in: utc)

        #expect(names(soonest) == ["a/10", "b/10", "b/20"])
        #expect(soonest.omittedCount == 2)
        #expect(soonest.selected[2].moment == .at(start + 20))
    }

    @Test func neverMoreThanSixtyFour() {
        let plans = (0..<3).map { plan in intervals("p\(plan)", (1...40).map { Double($0 * 3 + plan) }) }

        let soonest = LocalPlanSelection.soonest(1_000, of: plans, at: start, in: utc)

        #expect(soonest.selected.count == 64)
        #expect(soonest.omittedCount == 56)
        #expect(soonest.selected.map(\.notification.identifier) == (3..<67).map { "\($0)" })
        #expect(LocalPlanSelection.soonest(-1, of: plans, at: start, in: utc).omittedCount == 120)
    }

    private func first(of json: JSON) -> JSON? {
        if case .array(let elements)? = json["notifications"] { elements.first } else { nil }
    }

    /// At 20:26 UTC on 28 May it is the 29th in Tokyo.
    @Test(arguments: [("UTC", "2026-05-28", true), ("Asia/Tokyo", "2026-05-28", false), ("UTC", "2026-05-27", false)])
    func nothingAppearsAfterItsLastDayByThePhonesClock(_ zone: String, _ day: String, _ appears: Bool) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let triggers: [LocalTrigger] = [
            .interval(seconds: 60, repeats: true), .appUpdate(seconds: 0), region("shop"),
            .calendar(CalendarComponents(second: 30), timeZone: nil, repeats: true),
        ]
        for trigger in triggers {
            var ending = notification("n", trigger)
            ending.lastDay = CivilDay(text: day)
            let plan = LocalPlan(identifier: "p", notifications: [ending])
            let soonest = LocalPlanSelection.soonest(of: [plan], at: start, in: zone)
            #expect(soonest.selected.count == (appears ? 1 : 0) && soonest.omittedCount == 0)
            #expect(plan.warnings(at: start, in: zone).contains { $0.code == "never-fires" } == !appears)
        }
        // The next morning is another day.
        var tomorrow = notification("n", .calendar(CalendarComponents(hour: 9), timeZone: nil, repeats: true))
        tomorrow.lastDay = CivilDay(text: "2026-05-28")
        let plan = LocalPlan(identifier: "p", notifications: [tomorrow])
        #expect(LocalPlanSelection.soonest(of: [plan], at: start, in: utc).selected.isEmpty)
    }

    @Test func appGetsTheVersionOfThePlanAndTheLastDay() throws {
        let json: JSON = [
            "notifications": [
                [
                    "identifier": "n", "trigger": ["type": "interval", "seconds": 60], "last_day": "2199-12-31",
                    "content": ["aps": ["alert": "a"]],
                ]
            ]
        ]
        let plan = try LocalPlan(identifier: "7", version: 3, json: json)
        #expect(first(of: plan.json)?["last_day"] == "2199-12-31")
        let app = LocalPlanSelection.soonest(of: [plan], at: start, in: utc).appJSON(for: nil)
        let notification = try #require(first(of: app))
        #expect(notification["identifier"] == "7/n" && notification["version"] == 3)
        #expect(notification["last_day"] == "2199-12-31")
        for wrong in ["2026-02-30", "tomorrow", "1999-12-31"] {
            let damaged = try JSON(
                parsing: String(decoding: json.encoded(), as: UTF8.self).replacing("2199-12-31", with: wrong))
            #expect(throws: Problems.self) { try LocalPlan(identifier: "7", json: damaged) }
        }
    }

    @Test func untimedNotificationsComeFirstAndExpiredOnesAreOmitted() {
        let past = CalendarComponents(year: 2026, month: 5, day: 1, hour: 9)
        let plan = LocalPlan(
            identifier: "p",
            notifications: [
                notification("soon", .interval(seconds: 1, repeats: false)),
                notification("past", .calendar(past, timeZone: nil, repeats: false)),
                notification("update", .appUpdate(seconds: 60)), notification("shop", region("shop")),
            ])

        let soonest = LocalPlanSelection.soonest(of: [plan], at: start, in: utc)

        #expect(names(soonest) == ["p/update", "p/shop", "p/soon"])
        #expect(soonest.omittedCount == 0)
        #expect(soonest.selected.map(\.moment) == [.anytime, .anytime, .at(start + 1)])
    }

    @Test func regionsBeyondTheLimitAreOmitted() {
        let plan = LocalPlan(
            identifier: "p",
            notifications: (1...25).map { notification("\($0)", region("r\($0)")) }
                + [notification("soon", .interval(seconds: 1, repeats: false))])

        let soonest = LocalPlanSelection.soonest(of: [plan], at: start, in: utc)

        #expect(names(soonest) == (1...20).map { "p/\($0)" } + ["p/soon"])
        #expect(soonest.omittedCount == 5)
    }

    /// 09:00 in Shanghai is 02:00 or 01:00 in London, whatever the device's time zone is.
    @Test func zonesDecideTheOrder() throws {
        let nine = CalendarComponents(hour: 9)
        let plan = LocalPlan(
            identifier: "p",
            notifications: [
                notification("here", .calendar(nine, timeZone: nil, repeats: true)),
                notification("shanghai", .calendar(nine, timeZone: "Asia/Shanghai", repeats: true)),
                notification("unknown", .calendar(nine, timeZone: "Mars/Base", repeats: true)),
            ])

        let inLondon = LocalPlanSelection.soonest(
            of: [plan], at: start, in: try #require(TimeZone(identifier: "Europe/London")))
        let inTokyo = LocalPlanSelection.soonest(
            of: [plan], at: start, in: try #require(TimeZone(identifier: "Asia/Tokyo")))

        #expect(names(inLondon) == ["p/shanghai", "p/here", "p/unknown"])
        #expect(names(inTokyo) == ["p/here", "p/unknown", "p/shanghai"])
    }

    private func warnings(_ notifications: [LocalNotification]) -> [String] {
        LocalPlan(identifier: "p", notifications: notifications).warnings(at: start, in: utc).map {
            "\($0.severity) \($0.path) \($0.code)"
        }
    }

    @Test func planWarnsOfTriggersThatNeverFire() {
        #expect(
            warnings([
                notification("a", .calendar(CalendarComponents(year: 2025), timeZone: nil, repeats: true)),
                notification("b", .calendar(CalendarComponents(hour: 9), timeZone: nil, repeats: false)),
            ]) == ["warning notifications[0].trigger never-fires"])
    }

    /// A language inherits nothing, so its readers would get no actions.
    @Test func planWarnsOfPartsThatALanguageLacks() throws {
        var bell = notification("a", .appUpdate(seconds: 0))
        bell.content.standard.aps.category = "BELL"
        bell.content.standard.userInfo = [JSON.Member("link", "bell://1")]
        bell.content.variants = [
            try LocaleTag("de"): LocalNotificationContent(aps: APS(alert: .text("b"), sound: .named("default")))
        ]
        #expect(
            warnings([bell]) == [
                "warning notifications[0].variants.de.aps.sound missing-in-default",
                "warning notifications[0].variants.de.aps.category missing-in-language",
                "warning notifications[0].variants.de.user_info missing-in-language",
            ])
    }

    @Test func planWarnsOfTooManyRegions() {
        let twenty = (1...20).map { notification("\($0)", region("r")) }

        #expect(warnings(twenty) == [])
        #expect(warnings(twenty + [notification("x", region("r"))]) == ["warning notifications too-many-regions"])
    }

    @Test func planWarnsOfContentLikeAPush() {
        var nothing = notification("a", .appUpdate(seconds: 0))
        nothing.content.standard.aps = APS(category: "c")
        var arguments = notification("b", .appUpdate(seconds: 0))
        arguments.content.standard.aps = APS(alert: .dictionary(Alert(body: "b", locArgs: ["x"])))

        #expect(
            warnings([nothing, arguments]) == [
                "warning notifications[0].content.aps nothing-to-show",
                "warning notifications[1].content.aps.alert.loc-args arguments-without-key",
            ])
    }

    @Test(arguments: [
        ("default", true), ("bell.caf", true), ("bell.AIFF", true), ("bell.aif", true), ("b.e.wav", true),
        ("bell.mp3", false), ("bell", false), ("bell.", false), ("wav", false), ("bell.m4a", false),
    ])
    func soundFilesHaveAFormat(_ name: String, _ isFine: Bool) {
        var named = notification("a", .appUpdate(seconds: 0))
        named.content.standard.aps.sound = .named(name)
        var critical = named
        critical.content.standard.aps.sound = .critical(Sound.CriticalSound(name: name, critical: true))

        #expect(
            warnings([named, critical]).filter { $0.hasSuffix("sound-format") }
                == (isFine
                    ? []
                    : [
                        "warning notifications[0].content.aps.sound sound-format",
                        "warning notifications[1].content.aps.sound.name sound-format",
                    ]))
    }

    @Test func soundWarningListsPlayableFormats() {
        var mp3 = notification("a", .appUpdate(seconds: 0))
        mp3.content.standard.aps.sound = .named("bell.mp3")

        let message = LocalPlan(identifier: "p", notifications: [mp3]).warnings(at: start, in: utc).first?.message

        #expect(message?.description.contains("Linear PCM, IMA4, µLaw or aLaw of less than 30 s") == true)
    }
}
