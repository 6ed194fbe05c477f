import JSON
import Notifications
import Testing

@Suite struct PushRulesTests {
    private func found(_ rules: PushRules, _ payload: Payload) -> [String] {
        rules.problems(in: payload).map { "\($0.severity) \($0.path) \($0.code)" }
    }

    private let hello = APS(alert: .text("hello"))
    private let silent = APS(contentAvailable: true)

    /// A payload that has `size` bytes with the message id under `i`, in two-byte characters where possible.
    private func payload(of size: Int, _ rules: PushRules) -> Payload {
        let missing = size - rules.size(of: Payload(aps: APS(alert: .text(""))))
        let body = String(repeating: "é", count: missing / 2) + String(repeating: "a", count: missing % 2)
        return Payload(aps: APS(alert: .text(body)))
    }

    @Test(arguments: PushType.allCases)
    func sizeIsBoundedInBytes(_ pushType: PushType) {
        let limit = pushType == .voip ? 5120 : 4096
        let rules = PushRules(pushType: pushType)
        let isTooLarge = "error  payload-too-large"

        // The alert is a problem of its own in most types.
        #expect(!found(rules, payload(of: limit, rules)).contains(isTooLarge))
        #expect(found(rules, payload(of: limit + 1, rules)).contains(isTooLarge))
    }

    @Test func messageIDCountsTowardTheSize() {
        let payload = Payload(aps: hello)

        #expect(PushRules(messageIDKey: nil).size(of: payload) == payload.encoded().count)
        #expect(PushRules().size(of: payload) == payload.encoded().count + #","i":"""#.utf8.count + 36)
        #expect(PushRules().size(of: Payload()) == #"{"i":""}"#.utf8.count + 36)
    }

    @Test func sizeProblemStatesSizeAndLimit() {
        let rules = PushRules()

        let message = rules.problems(in: payload(of: 4097, rules)).first?.message

        #expect(message?.description.contains("4097") == true)
        #expect(message?.description.contains("4096") == true)
    }

    @Test func backgroundIsSilentAndPowerAware() {
        #expect(found(PushRules(pushType: .background), Payload(aps: silent)) == [])
        #expect(found(PushRules(pushType: .background, priority: .powerAware), Payload(aps: silent)) == [])
        for priority in [Priority.immediate, .powerFirst] {
            #expect(
                found(PushRules(pushType: .background, priority: priority), Payload(aps: silent))
                    == ["error apns-priority background-priority"])
        }
        for aps in [nil, APS(), APS(contentAvailable: false)] {
            #expect(
                found(PushRules(pushType: .background), Payload(aps: aps))
                    == ["error aps.content-available background-content-available"])
        }
        #expect(
            found(
                PushRules(pushType: .background),
                Payload(aps: APS(alert: .text(""), badge: 0, sound: .named("default"), contentAvailable: true)))
                == [
                    "error aps.alert background-shows", "error aps.badge background-shows",
                    "error aps.sound background-shows",
                ])
    }

    @Test(arguments: [
        nil, APS(), APS(alert: .text("")), APS(alert: .dictionary(Alert(title: "", launchImage: "Default"))),
        APS(contentAvailable: true),
    ])
    func alertWithNothingToShowIsAWarning(_ aps: APS?) {
        #expect(found(PushRules(), Payload(aps: aps)) == ["warning aps nothing-to-show"])
    }

    @Test(arguments: [
        APS(alert: .text("a")), APS(alert: .dictionary(Alert(title: "a"))),
        APS(alert: .dictionary(Alert(subtitle: "a"))), APS(alert: .dictionary(Alert(body: "a"))),
        APS(alert: .dictionary(Alert(titleLocKey: "a"))), APS(alert: .dictionary(Alert(subtitleLocKey: "a"))),
        APS(alert: .dictionary(Alert(locKey: "a"))), APS(badge: 0), APS(sound: .named("default")),
        APS(alert: .text("a"), contentAvailable: true, mutableContent: true),
    ])
    func alertWithSomethingToShowIsFine(_ aps: APS) {
        #expect(found(PushRules(), Payload(aps: aps)) == [])
    }

    @Test(arguments: [PushType.location, .voip, .complication, .fileprovider, .mdm, .pushtotalk])
    func pushesToTheAppNeedNoAps(_ type: PushType) {
        let payload = Payload(custom: [.init("mdm", "x"), .init("container-identifier", "y")])

        #expect(found(PushRules(pushType: type), payload).filter { $0.contains(" aps") && !$0.contains("apns-") } == [])
    }

    @Test(arguments: [PushType.location, .voip, .complication, .fileprovider, .mdm, .pushtotalk])
    func pushesToTheAppShowNothing(_ type: PushType) {
        let payload = Payload(
            aps: APS(alert: .text("a"), badge: 1, sound: .named("default")),
            custom: [.init("mdm", "x"), .init("container-identifier", "y")])

        let found = found(PushRules(pushType: type), payload)

        for key in ["alert", "badge", "sound"] { #expect(found.contains("warning aps.\(key) no-effect")) }
    }

    @Test(arguments: [PushType.voip, .pushtotalk])
    func callsAreNotForAudiences(_ type: PushType) {
        #expect(found(PushRules(pushType: type), Payload()) == ["warning apns-push-type not-for-audiences"])
    }

    @Test func mdmHasItsMagicAndNothingElse() {
        let rules = PushRules(pushType: .mdm, messageIDKey: nil)

        #expect(found(rules, Payload(custom: [.init("mdm", "magic")])) == [])
        #expect(found(rules, Payload()) == ["error mdm missing"])
        #expect(found(rules, Payload(custom: [.init("mdm", 1)])) == ["error mdm wrong-type"])
        #expect(found(rules, Payload(aps: APS(), custom: [.init("mdm", "magic")])) == ["warning aps no-effect"])
    }

    @Test func fileProviderNamesWhatHasChanged() {
        let rules = PushRules(pushType: .fileprovider)

        #expect(found(rules, Payload(custom: [.init("container-identifier", "c"), .init("domain", "d")])) == [])
        #expect(found(rules, Payload()) == ["warning container-identifier missing"])
        #expect(
            found(rules, Payload(custom: [.init("container-identifier", 1), .init("domain", [])]))
                == ["error container-identifier wrong-type", "error domain wrong-type"])
    }

    @Test(arguments: [PushType.widgets, .controls])
    func widgetsAreToldThatTheirContentChanged(_ type: PushType) {
        let rules = PushRules(pushType: type)

        #expect(found(rules, Payload(aps: APS(contentChanged: true))) == [])
        #expect(found(rules, Payload()) == ["error aps.content-changed missing"])
        #expect(found(rules, Payload(aps: APS(contentChanged: false))) == ["error aps.content-changed unknown-value"])
        #expect(
            found(rules, Payload(aps: APS(alert: .text("a"), badge: 0, contentChanged: true)))
                == ["error aps.alert widget-shows-nothing", "error aps.badge widget-shows-nothing"])
    }

    @Test(arguments: PushType.allCases.filter { $0 != .widgets && $0 != .controls })
    func contentChangedIsForWidgets(_ type: PushType) {
        #expect(
            found(PushRules(pushType: type), Payload(aps: APS(contentChanged: true)))
                .contains("warning aps.content-changed no-effect"))
    }

    @Test func prioritiesAreThoseThatApplesPagesName() {
        for (type, allowed) in [
            (PushType.alert, [Priority.immediate, .powerAware, .powerFirst]), (.background, [.powerAware]),
            (.location, [.immediate, .powerAware]), (.liveactivity, [.immediate, .powerAware]),
        ] {
            #expect(Set(type.allowedPriorities) == Set(allowed))
        }
        #expect(
            found(PushRules(pushType: .location, priority: .powerFirst), Payload())
                == ["warning apns-priority undocumented-priority"])
        for type in PushType.allCases { #expect(type.allowedPriorities.contains(type.defaultPriority)) }
    }

    @Test func urgentPushesNeedPriorityTen() {
        let payload = Payload(aps: APS(alert: .text("a"), interruptionLevel: .timeSensitive))
        let note = "note aps.interruption-level needs-entitlement"

        #expect(found(PushRules(), payload) == [note])
        #expect(found(PushRules(priority: .immediate), payload) == [note])
        #expect(
            found(PushRules(priority: .powerAware), payload) == ["warning apns-priority urgent-but-deferred", note])
    }

    @Test func criticalSoundsAreComplete() {
        func found(_ sound: Sound.CriticalSound) -> [String] {
            self.found(PushRules(), Payload(aps: APS(sound: .critical(sound))))
        }
        let note = "note aps.sound.critical needs-entitlement"

        #expect(found(.init(name: "default", critical: true, volume: 0.5)) == [note])
        #expect(found(.init(critical: true)) == ["warning aps.sound.name missing", note])
        #expect(found(.init(name: "a.caf", volume: 1)) == ["warning aps.sound.volume no-effect"])
        #expect(found(.init(name: "a.caf", critical: false, volume: 1)) == ["warning aps.sound.volume no-effect"])
    }

    @Test(arguments: [
        ("default", true), ("a.aiff", true), ("a.aif", true), ("a.wav", true), ("A.CAF", true), ("a.mp3", false),
        ("a", false), ("Default", false), ("", false),
    ])
    func soundsAreFilesThatPhonesPlay(_ name: String, _ isAccepted: Bool) {
        let sounds: [APS] = [APS(sound: .named(name)), APS(sound: .critical(.init(name: name)))]

        for aps in sounds {
            let codes = PushRules().problems(in: Payload(aps: aps)).map(\.code)
            #expect(codes == (isAccepted ? [] : ["sound-format"]))
        }
    }

    @Test func aLiveActivitysAlertIsForLiveActivities() {
        let alert = Alert(title: .localized(.init(locKey: "k")), body: .localized(.init()), sound: "default")

        #expect(
            found(PushRules(), Payload(aps: APS(alert: .dictionary(alert)))) == [
                "error aps.alert.title wrong-type", "error aps.alert.body wrong-type",
                "warning aps.alert.sound misplaced-key",
            ])
    }

    @Test func legacyKeysAreNoted() {
        let alert = Alert(body: "b", action: "a", actionLocKey: .null, summaryArg: "s", summaryArgCount: 1)

        #expect(
            found(PushRules(), Payload(aps: APS(alert: .dictionary(alert), urlArgs: ["u"]))) == [
                "note aps.alert.action legacy-key", "note aps.alert.action-loc-key legacy-key",
                "note aps.alert.summary-arg legacy-key", "note aps.alert.summary-arg-count legacy-key",
                "note aps.url-args legacy-key",
            ])
    }

    @Test func unknownKeysAreNotedAndMisspelledOnesAreWarnings() {
        let sound = Sound.CriticalSound(name: "default", other: [.init("volumes", 1), .init("x", 1)])
        let alert = Alert(body: "b", other: [.init("badge", 1), .init("sub-title", "s"), .init("x.y", 1)])
        let aps = APS(
            alert: .dictionary(alert), sound: .critical(sound),
            other: [
                .init("thread_id", "t"), .init("mutableContent", 1), .init("title", "t"), .init("content", 1),
                .init("Badge", 1),
            ])

        #expect(
            found(PushRules(), Payload(aps: aps)) == [
                "warning aps.thread_id misspelled-key", "warning aps.mutableContent misspelled-key",
                "warning aps.title misplaced-key", "note aps.content unknown-key", "warning aps.Badge misspelled-key",
                "warning aps.alert.badge misplaced-key", "warning aps.alert.sub-title misspelled-key",
                #"note aps.alert["x.y"] unknown-key"#, "warning aps.sound.volumes misspelled-key",
                "note aps.sound.x unknown-key",
            ])
    }

    @Test func emptyTextsAreWarnings() {
        let aps = APS(alert: .text("a"), threadID: "", category: "", targetContentID: "", filterCriteria: "")

        #expect(
            found(PushRules(), Payload(aps: aps))
                == ["thread-id", "category", "target-content-id", "filter-criteria"].map { "warning aps.\($0) empty" })
    }

    @Test func mutableContentNeedsText() {
        #expect(
            found(PushRules(), Payload(aps: APS(sound: .named("default"), mutableContent: true)))
                == ["warning aps.mutable-content mutable-without-text"])
        #expect(found(PushRules(), Payload(aps: APS(sound: .named("default"), mutableContent: false))) == [])
    }

    @Test func argumentsNeedTheirKey() {
        let alert = Alert(title: "t", titleLocArgs: ["a"], subtitleLocArgs: [], locKey: "k", locArgs: ["b"])

        #expect(
            found(PushRules(), Payload(aps: APS(alert: .dictionary(alert)))) == [
                "warning aps.alert.title-loc-args arguments-without-key",
                "warning aps.alert.subtitle-loc-args arguments-without-key",
            ])
    }

    @Test(arguments: [(0, true), (1, true), (1.01, false), (-0.01, false), (50, false)] as [(JSON.Number, Bool)])
    func relevanceIsFromZeroToOneExceptInLiveActivities(_ score: JSON.Number, _ isAccepted: Bool) {
        let payload = Payload(aps: APS(alert: .text("a"), relevanceScore: score))

        #expect(found(PushRules(), payload) == (isAccepted ? [] : ["error aps.relevance-score out-of-range"]))
        #expect(!found(PushRules(pushType: .liveactivity), payload).contains { $0.contains("relevance-score") })
    }

    @Test(
        arguments: [
            (nil, true), (0, true), (1, true), (99_999_999_999, true), (-1, false), (100_000_000_000, false),
        ] as [(Int?, Bool)])
    func expirationIsInSeconds(_ expiration: Int?, _ isAccepted: Bool) {
        #expect(
            found(PushRules(expiration: expiration), Payload(aps: hello))
                == (isAccepted ? [] : ["error apns-expiration out-of-range"]))
    }

    @Test func collapseIDIsCheckedWithTheRest() {
        let fits = String(repeating: "a", count: CollapseID.maximumSize)

        #expect(found(PushRules(collapseID: fits), Payload(aps: hello)) == [])
        #expect(found(PushRules(collapseID: fits + "a"), Payload(aps: hello)) == ["error apns-collapse-id too-long"])
    }

    @Test func messageIDKeyMayNotBeACustomKey() {
        let payload = Payload(aps: hello, custom: [.init("i", 1), .init("n", 2)])

        #expect(found(PushRules(), payload) == ["error i message-id-key-in-use"])
        #expect(found(PushRules(messageIDKey: "n"), payload) == ["error n message-id-key-in-use"])
        #expect(found(PushRules(messageIDKey: "m"), payload) == [])
        #expect(found(PushRules(messageIDKey: nil), payload) == [])
    }

    @Test(arguments: ["", "aps"])
    func messageIDKeyIsAKeyOfItsOwn(_ key: String) {
        #expect(found(PushRules(messageIDKey: key), Payload(aps: hello)) == ["error \(key) bad-message-id-key"])
    }

    @Test func apsMayNotBeACustomKey() {
        #expect(found(PushRules(), Payload(aps: hello, custom: [.init("aps", [:])])) == ["error aps custom-key-aps"])
    }

    @Test func applesKeysOutsideApsAreRefused() {
        let keys = ["alert", "badge", "thread-id", "content-state", "url-args"]
        let payload = Payload(aps: hello, custom: (keys + ["title"]).map { .init($0, 1) })

        #expect(found(PushRules(), payload) == keys.map { "error \($0) apple-key-outside-aps" })
    }

    @Test func ambiguousKeysAreAllowedExceptInLiveActivities() {
        let keys = ["event", "timestamp", "attributes"]
        let payload = Payload(aps: hello, custom: keys.map { .init($0, 1) })
        let inLiveActivity = found(PushRules(pushType: .liveactivity), payload)

        #expect(found(PushRules(), payload) == keys.map { "warning \($0) apple-key-outside-aps" })
        #expect(keys.allSatisfy { inLiveActivity.contains("error \($0) apple-key-outside-aps") })
    }

    @Test func apsIsWrittenInSmallLetters() {
        #expect(
            found(PushRules(), Payload(custom: [.init("APS", ["alert": "a"]), .init("app", 1)]))
                == ["warning aps nothing-to-show", "warning APS misspelled-key"])
    }

    @Test func duplicateKeysAreErrors() {
        let alert = Alert(body: "b", other: [.init("body", "c")])
        let payload = Payload(
            aps: APS(alert: .dictionary(alert), badge: 1, other: [.init("badge", 2)]),
            custom: [.init("x", 1), .init("x", 2)])

        #expect(
            found(PushRules(), payload)
                == ["error x duplicate-key", "error aps.badge duplicate-key", "error aps.alert.body duplicate-key"])
    }

    @Test func payloadBuiltInCodeHasTheSameRanges() {
        let sound = Sound.CriticalSound(name: "default", critical: true, volume: 1.5)
        let aps = APS(
            badge: -1, sound: .critical(sound), liveActivity: LiveActivity(staleDate: 2_000_000_000_000),
            other: [.init("sound", "a")])

        #expect(
            PushRules().problems(in: Payload(aps: aps)).filter { $0.severity == .error }.map(\.path)
                == ["aps.sound", "aps.badge", "aps.sound.volume", "aps.stale-date"])
    }

    @Test func unreadableValuesAreReportedWithTheErrorsOfTheRest() throws {
        let rules = PushRules(pushType: .background, priority: .immediate)
        let json = try JSON(
            parsing: #"{"aps":{"alert":{"title":1},"content-available":true,"badge":1,"x":1},"sound":1,"i":2}"#)

        #expect(
            rules.problems(in: json).map { "\($0.severity) \($0.path) \($0.code)" } == [
                "error apns-priority background-priority", "error aps.alert.title wrong-type",
                "error aps.content-available wrong-type", "error aps.badge background-shows",
                "error sound apple-key-outside-aps", "error i message-id-key-in-use",
            ])
        #expect(PushRules().problems(in: [1] as JSON).map(\.code) == ["wrong-type"])
    }

    @Test func sizeIsThatOfTheWrittenPayload() throws {
        let json: JSON = ["aps": ["alert": 1, "x": .string(String(repeating: "x", count: 4096))]]

        #expect(PushRules().problems(in: json).map(\.code) == ["wrong-type", "payload-too-large"])
    }

    @Test func writtenAndReadPayloadsHaveTheSameProblems() {
        var payloads = PayloadGenerator(seed: 1)
        for _ in 0..<100 {
            let payload = payloads.payload()
            for type in PushType.allCases {
                let rules = PushRules(pushType: type)
                #expect(rules.problems(in: payload.json) == rules.problems(in: payload))
            }
        }
    }

    @Test func allProblemsAreReportedTogether() {
        let rules = PushRules(pushType: .background, priority: .immediate, expiration: -1, collapseID: "")
        let payload = Payload(
            aps: APS(badge: -1), custom: [.init("i", .string(String(repeating: "a", count: 5000))), .init("sound", 1)])

        #expect(
            found(rules, payload) == [
                "error apns-priority background-priority", "error apns-expiration out-of-range",
                "error apns-collapse-id empty", "error aps.badge out-of-range",
                "error aps.content-available background-content-available", "error aps.badge background-shows",
                "error i message-id-key-in-use", "error sound apple-key-outside-aps", "error  payload-too-large",
            ])
    }
}
