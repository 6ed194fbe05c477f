import Foundation
import JSON
import Notifications
import Testing

@Suite struct LocalPlanTests {
    private func problems(_ json: JSON) -> [String] {
        do throws(Problems) {
            _ = try LocalPlan(identifier: "welcome", json: json)
            return []
        } catch {
            return error.problems.map { "\($0.path) \($0.code)" }
        }
    }

    /// Problems of a plan with one notification, by their paths in it.
    private func problems(trigger: String, content: String = #"{"aps":{"alert":"a"}}"#) throws -> [String] {
        let text =
            #"{"notifications":[{"identifier":"n","trigger":\#(trigger),"content":\#(content)}]}"#
        return problems(try JSON(parsing: text)).map { String($0.dropFirst("notifications[0].".count)) }
    }

    static let triggers: [LocalTrigger] = [
        .interval(seconds: 0.5, repeats: false), .interval(seconds: 60, repeats: true),
        .calendar(
            CalendarComponents(
                year: 2026, month: 12, day: 24, weekday: 5, weekdayOrdinal: 4, hour: 18, minute: 30, second: 15),
            timeZone: "Europe/Berlin", repeats: false),
        .calendar(CalendarComponents(hour: 0), timeZone: nil, repeats: true),
        .region(
            LocalTrigger.Region(
                identifier: "shop", latitude: -33.5, longitude: 151.25, radius: 100, onEntry: false, onExit: true),
            repeats: true),
        .appUpdate(seconds: 0), .appUpdate(seconds: 259_200),
    ]

    static let contents: [LocalNotificationContent] = [
        LocalNotificationContent(aps: APS(alert: .text("body"), badge: 0)),
        LocalNotificationContent(
            aps: APS(
                alert: .dictionary(
                    Alert(
                        title: "t", body: "overridden", launchImage: "Launch", subtitleLocKey: "SUB", locKey: "KEY",
                        locArgs: ["1", "%@"])),
                badge: 3, sound: .critical(Sound.CriticalSound(name: "bell.caf", critical: true, volume: 0.5)),
                threadID: "thread", category: "category1", targetContentID: "window",
                interruptionLevel: .timeSensitive, relevanceScore: 0.25, filterCriteria: "filter"),
            userInfo: [.init("link", "app://x"), .init("deep", ["a": [1, .null]])],
            attachmentURL: (try? MediaURL("https://example.com/a.png"))!),
        LocalNotificationContent(aps: APS(alert: .dictionary(Alert(titleLocKey: "T")), sound: .named("default"))),
    ]

    private var plan: LocalPlan {
        LocalPlan(
            identifier: "welcome",
            notifications: Self.triggers.enumerated().map { index, trigger in
                LocalNotification(
                    identifier: "n\(index)", trigger: trigger, content: Localized(Self.contents[index % 3]))
            })
    }

    @Test func everyFieldRoundTrips() throws {
        let json = try JSON(parsing: plan.json.encoded())

        #expect(try LocalPlan(identifier: "welcome", json: json) == plan)
    }

    private func content(_ text: String) -> LocalNotificationContent {
        LocalNotificationContent(aps: APS(alert: .text(text)))
    }

    @Test(arguments: [
        ("zh-Hant-HK", "繁體"), ("zh-Hant", "繁體"), ("zh-Hans-CN", "中文"), ("de_AT", "Hallo"), ("fr", "Hello"),
    ])
    func appGetsTheVariantOfItsLanguage(locale: String, expected: String) throws {
        let notification = LocalNotification(
            identifier: "n", trigger: .appUpdate(seconds: 0),
            content: Localized(
                content("Hello"),
                [
                    try LocaleTag("zh-Hant"): content("繁體"), try LocaleTag("zh"): content("中文"),
                    try LocaleTag("de"): content("Hallo"),
                ]))
        let stored = LocalPlan(identifier: "welcome", notifications: [notification]).json.encoded()
        let plan = try LocalPlan(identifier: "welcome", json: JSON(parsing: stored))

        let soonest = LocalPlanSelection.soonest(of: [plan], at: Date(), in: .gmt)
        let received = try AppNotification.plan(soonest.appJSON(for: try LocaleTag(locale)))

        #expect(plan.notifications == [notification])
        #expect(received.notifications.first?.content.body == .text(expected))
    }

    @Test func problemsInAVariantHaveItsPath() throws {
        let text = #"""
            {"notifications":[{"identifier":"n","trigger":{"type":"app_update"},"content":{"aps":{"alert":"a"}},
             "variants":{"de":{"aps":{"badge":"2"}},"DE":{"aps":{"alert":"b"}},"??":{"aps":{"alert":"c"}},"fr":1}}]}
            """#
        let found = problems(try JSON(parsing: text))

        let expected = ["de.aps.badge wrong-type", "DE duplicate-locale", "?? bad-locale", "fr wrong-type"]
        #expect(found == expected.map { "notifications[0].variants." + $0 })
    }

    @Test func appMakesTheSameRequests() throws {
        let start = Date(timeIntervalSince1970: 1_780_000_000)
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))

        let selection = LocalPlanSelection.soonest(of: [plan], at: start, in: berlin)
        let received = try AppNotification.plan(selection.appJSON(for: nil))

        #expect(received.omittedCount == 0)
        #expect(received.notifications.count == plan.notifications.count)
        for notification in plan.notifications {
            let request = try #require(
                received.notifications.first { $0.identifier == "welcome/\(notification.identifier)" })
            #expect(request.trigger.trigger == notification.trigger)
        }
        let full = try #require(received.notifications.first { $0.identifier == "welcome/n1" }).content
        #expect(full.title == .text("t"))
        #expect(full.subtitle == .localized(key: "SUB", arguments: []))
        #expect(full.body == .localized(key: "KEY", arguments: ["1", "%@"]))
        #expect(full.badge == 3)
        #expect(full.sound == AppNotification.Sound(name: "bell.caf", critical: true, volume: 0.5))
        #expect(full.categoryIdentifier == "category1")
        #expect(full.threadIdentifier == "thread")
        #expect(full.targetContentIdentifier == "window")
        #expect(full.interruptionLevel == 2)
        #expect(full.relevanceScore == 0.25)
        #expect(full.filterCriteria == "filter")
        #expect(full.launchImageName == "Launch")
        #expect(full.userInfo.isEquivalent(to: ["link": "app://x", "deep": ["a": [1, .null]]]))
        #expect(full.attachmentUrl == URL(string: "https://example.com/a.png"))
        let plain = try #require(received.notifications.first { $0.identifier == "welcome/n0" }).content
        #expect(plain.body == .text("body"))
        #expect(plain.badge == 0)
        #expect(plain.sound == nil)
    }

    @Test(arguments: [
        (#"{}"#, ["trigger.type missing"]), (#"{"type":"timer","x":1}"#, ["trigger.type unknown-value"]),
        (#"{"type":"interval"}"#, ["trigger.seconds missing"]),
        (#"{"type":"interval","seconds":0}"#, ["trigger.seconds out-of-range"]),
        (#"{"type":"interval","seconds":-1}"#, ["trigger.seconds out-of-range"]),
        (#"{"type":"interval","seconds":1e999}"#, ["trigger.seconds out-of-range"]),
        (#"{"type":"interval","seconds":315360001}"#, ["trigger.seconds out-of-range"]),
        (#"{"type":"interval","seconds":0.001}"#, []), (#"{"type":"interval","seconds":60,"repeats":true}"#, []),
        (#"{"type":"interval","seconds":59.9,"repeats":true}"#, ["trigger.seconds repeats-too-often"]),
        (#"{"type":"interval","seconds":"60"}"#, ["trigger.seconds wrong-type"]),
        (#"{"type":"interval","seconds":60,"radius":1}"#, ["trigger.radius unknown-field"]),
        (#"{"type":"calendar"}"#, ["trigger.components missing"]),
        (#"{"type":"calendar","components":{}}"#, ["trigger.components.hour missing"]),
        (
            #"{"type":"calendar","components":{"hour":24,"minute":-1,"weekday":8,"week":1}}"#,
            [
                "trigger.components.weekday out-of-range", "trigger.components.hour out-of-range",
                "trigger.components.minute out-of-range", "trigger.components.week unknown-field",
            ]
        ),
        (#"{"type":"calendar","components":{"month":2,"day":30}}"#, ["trigger.components.day impossible-date"]),
        (
            #"{"type":"calendar","components":{"year":2026,"month":2,"day":29}}"#,
            ["trigger.components.day impossible-date"]
        ),
        (#"{"type":"calendar","components":{"month":2,"day":29}}"#, []),
        (#"{"type":"calendar","components":{"weekday_ordinal":2}}"#, ["trigger.components.weekday missing"]),
        (
            #"{"type":"calendar","components":{"hour":9},"time_zone":"Mars/Base"}"#,
            ["trigger.time_zone unknown-time-zone"]
        ),
        (#"{"type":"calendar","components":{"hour":9},"time_zone":null}"#, []),
        (
            #"{"type":"region","identifier":"r","latitude":90.1,"longitude":-181,"radius":0}"#,
            [
                "trigger.latitude out-of-range", "trigger.longitude out-of-range", "trigger.radius out-of-range",
            ]
        ),
        (
            #"{"type":"region"}"#,
            [
                "trigger.identifier missing", "trigger.latitude missing", "trigger.longitude missing",
                "trigger.radius missing",
            ]
        ),
        (
            #"{"type":"region","identifier":"r","latitude":1,"longitude":1,"radius":1,"on_entry":false}"#,
            [
                "trigger.on_entry never-fires"
            ]
        ),
        (#"{"type":"app_update","seconds":-1}"#, ["trigger.seconds out-of-range"]), (#"{"type":"app_update"}"#, []),
        (#"[]"#, ["trigger wrong-type"]),
    ])
    func badTriggersAreRefused(_ trigger: String, _ expected: [String]) throws {
        #expect(try problems(trigger: trigger) == expected)
    }

    @Test func regionForLeavingOnlyIsNotForEntering() throws {
        let json = try JSON(
            parsing: #"{"notifications":[{"identifier":"n","content":{"aps":{}},"trigger":"#
                + #"{"type":"region","identifier":"r","latitude":1,"longitude":1,"radius":1,"on_exit":true}}]}"#)

        guard
            case .region(let region, false) = try LocalPlan(identifier: "p", json: json)
                .notifications[0]
                .trigger
        else { throw CancellationError() }

        #expect(!region.onEntry)
        #expect(region.onExit)
    }

    @Test(arguments: [
        (#"{}"#, ["content.aps missing"]), (#"{"aps":[]}"#, ["content.aps wrong-type"]),
        (
            #"{"aps":{"badge":"2"},"user_info":[],"attachment_url":"http://x","link":1}"#,
            [
                "content.aps.badge wrong-type", "content.user_info wrong-type", "content.attachment_url not-https",
                "content.link unknown-field",
            ]
        ),
        (
            #"{"aps":{"content-available":1,"mutable-content":1,"nonsense":1,"alert":{"titel":"x","action":"y"}}}"#,
            [
                "content.aps.content-available not-local", "content.aps.mutable-content not-local",
                "content.aps.nonsense not-local", "content.aps.alert.titel not-local",
                "content.aps.alert.action not-local",
            ]
        ),
        (#"{"aps":{"relevance-score":2}}"#, ["content.aps.relevance-score out-of-range"]),
        (#"{"aps":{},"user_info":{"aps":1}}"#, ["content.user_info.aps custom-key-aps"]),
        (#"{"aps":{},"user_info":null,"attachment_url":null}"#, []),
    ])
    func badContentIsRefused(_ content: String, _ expected: [String]) throws {
        #expect(try problems(trigger: #"{"type":"app_update"}"#, content: content) == expected)
    }

    @Test func userInfoHasALimitToTheByte() throws {
        let frame = #"{"k":""}"#.utf8.count
        for (size, expected) in [(4_096, []), (4_097, ["content.user_info too-long"])] {
            let value = String(repeating: "x", count: size - frame)
            #expect(
                try problems(trigger: #"{"type":"app_update"}"#, content: #"{"aps":{},"user_info":{"k":"\#(value)"}}"#)
                    == expected)
        }
    }

    @Test func planHoldsSixtyFour() {
        func plan(_ count: Int) -> JSON {
            let notifications = (0..<count).map { index in
                LocalNotification(
                    identifier: "\(index)", trigger: .interval(seconds: 1, repeats: false),
                    content: Localized(LocalNotificationContent(aps: APS(alert: .text("a")))))
            }
            return LocalPlan(identifier: "p", notifications: notifications).json
        }

        #expect(problems(plan(64)) == [])
        #expect(problems(plan(65)) == ["notifications too-many"])
        #expect(problems(plan(0)) == [])
    }

    @Test func planRejectsDuplicateIdentifiers() {
        let one: JSON = ["identifier": "n", "trigger": ["type": "app_update"], "content": ["aps": [:]]]

        #expect(
            problems(["notifications": [one, one], "x": 1]) == [
                "notifications[1].identifier duplicate-identifier", "x unknown-field",
            ])
        #expect(problems([:]) == ["notifications missing"])
        #expect(problems([]) == [" wrong-type"])
        #expect(problems(["notifications": [1, [:]]]).count == 4)
    }
}
