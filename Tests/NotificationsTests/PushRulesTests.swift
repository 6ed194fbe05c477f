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
        var rules = PushRules(pushType: pushType)
        if pushType == .background { rules.pushType = .location }  // the alert would be a problem of its own

        #expect(found(rules, payload(of: limit, rules)) == [])
        #expect(found(rules, payload(of: limit + 1, rules)) == ["error  payload-too-large"])
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

        #expect(message?.contains("4097") == true)
        #expect(message?.contains("4096") == true)
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

    @Test func otherTypesNeedNoAps() {
        let types = PushType.allCases.filter { $0 != .alert && $0 != .background }

        for type in types { #expect(found(PushRules(pushType: type), Payload(custom: [.init("mdm", "x")])) == []) }
    }

    @Test func mutableContentNeedsWords() {
        #expect(
            found(PushRules(), Payload(aps: APS(sound: .named("default"), mutableContent: true)))
                == ["warning aps.mutable-content mutable-without-words"])
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
        #expect(found(PushRules(pushType: .liveactivity), payload) == [])
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

        #expect(found(PushRules(), payload) == ["error i message-id-key-taken"])
        #expect(found(PushRules(messageIDKey: "n"), payload) == ["error n message-id-key-taken"])
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

    @Test func applesKeysOutsideApsAreWarnedOf() {
        let payload = Payload(
            aps: hello, custom: [.init("alert", "a"), .init("badge", 1), .init("thread-id", "t"), .init("title", "t")])

        #expect(
            found(PushRules(), payload)
                == ["alert", "badge", "thread-id"].map { "warning \($0) apple-key-outside-aps" })
    }

    @Test func keysStandOnlyOnce() {
        let alert = Alert(body: "b", other: [.init("body", "c")])
        let payload = Payload(
            aps: APS(alert: .dictionary(alert), badge: 1, other: [.init("badge", 2)]),
            custom: [.init("x", 1), .init("x", 2)])

        #expect(
            found(PushRules(), payload)
                == ["error x key-twice", "error aps.badge key-twice", "error aps.alert.body key-twice"])
    }

    @Test func payloadBuiltByHandIsHeldToTheSameRanges() {
        let sound = Sound.CriticalSound(volume: 1.5)

        #expect(
            found(PushRules(), Payload(aps: APS(badge: -1, sound: .critical(sound))))
                == ["error aps.badge out-of-range", "error aps.sound.volume out-of-range"])
    }

    @Test func everythingComesAtOnce() {
        let rules = PushRules(pushType: .background, priority: .immediate, expiration: -1, collapseID: "")
        let payload = Payload(
            aps: APS(badge: -1), custom: [.init("i", .string(String(repeating: "a", count: 5000))), .init("sound", 1)])

        #expect(
            found(rules, payload) == [
                "error apns-priority background-priority", "error apns-expiration out-of-range",
                "error apns-collapse-id empty", "error aps.badge out-of-range",
                "error aps.content-available background-content-available", "error aps.badge background-shows",
                "error i message-id-key-taken", "warning sound apple-key-outside-aps", "error  payload-too-large",
            ])
    }
}
