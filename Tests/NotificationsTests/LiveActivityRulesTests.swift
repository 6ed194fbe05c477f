import JSON
import Notifications
import Testing

@Suite struct LiveActivityRulesTests {
    static let sent: JSON.Number = 1_800_000_000

    private func found(_ aps: APS, _ rules: PushRules = PushRules(pushType: .liveactivity, priority: .powerAware))
        -> [String]
    {
        rules.problems(in: Payload(aps: aps)).map { "\($0.severity) \($0.path) \($0.code)" }
    }

    private let alert = APS.AlertContent.dictionary(Alert(title: "t", body: "b", sound: "default"))
    private let start = LiveActivity(
        timestamp: sent, event: .start, contentState: [.init("score", 1)], attributesType: "GameAttributes",
        attributes: [], inputPushToken: true)
    private let update = LiveActivity(timestamp: sent, event: .update, contentState: [])
    private let end = LiveActivity(timestamp: sent, event: .end, dismissalDate: sent)

    @Test func completePushesHaveNoProblems() {
        #expect(found(APS(alert: alert, relevanceScore: 75, liveActivity: start)) == [])
        #expect(found(APS(liveActivity: update)) == [])
        #expect(found(APS(alert: alert, liveActivity: update)) == [])
        #expect(found(APS(liveActivity: end)) == [])
    }

    @Test func eachEventHasItsKeys() {
        func missing(_ keys: String...) -> [String] { keys.map { "error aps.\($0) missing" } }

        #expect(found(APS()) == missing("timestamp", "event"))
        #expect(
            found(APS(liveActivity: LiveActivity(event: .start)))
                == missing("timestamp", "attributes-type", "attributes", "content-state", "alert"))
        #expect(found(APS(liveActivity: LiveActivity(event: .update))) == missing("timestamp", "content-state"))
        #expect(found(APS(liveActivity: LiveActivity(event: .end))) == missing("timestamp"))
    }

    @Test func keysOfAnotherEventHaveNoEffect() {
        var late = start
        late.event = .update
        late.dismissalDate = Self.sent
        var early = start
        early.dismissalDate = Self.sent

        #expect(
            found(APS(liveActivity: late)) == [
                "warning aps.attributes-type no-effect", "warning aps.attributes no-effect",
                "warning aps.dismissal-date no-effect", "warning aps.input-push-token no-effect",
            ])
        #expect(found(APS(alert: alert, liveActivity: early)) == ["warning aps.dismissal-date no-effect"])
    }

    @Test func alertHasItsOwnForm() {
        let localized = Alert(
            title: .localized(.init(locKey: "k", locArgs: ["a"])), body: .localized(.init(locArgs: ["b"])))
        let usual = Alert(title: "t", subtitle: "s", launchImage: "l", titleLocKey: "k", titleLocArgs: [])

        #expect(found(APS(alert: .text("a"), liveActivity: update)) == ["error aps.alert wrong-type"])
        #expect(
            found(APS(alert: .dictionary(localized), liveActivity: start)) == ["error aps.alert.body.loc-key missing"])
        #expect(
            found(APS(alert: .dictionary(usual), liveActivity: start))
                == ["subtitle", "launch-image", "title-loc-key", "title-loc-args"].map {
                    "warning aps.alert.\($0) no-effect"
                })
        #expect(
            found(APS(alert: alert, sound: .named("default"), liveActivity: start))
                == ["warning aps.sound misplaced-key"])
    }

    @Test func startIsShown() {
        let silent = APS.AlertContent.dictionary(Alert(title: "", body: .localized(.init(locKey: "")), sound: "a.caf"))

        #expect(found(APS(alert: silent, liveActivity: start)) == ["warning aps.alert nothing-to-show"])
    }

    @Test(arguments: ["", "Game Attributes", "Game\n"])
    func attributesTypeIsAName(_ name: String) {
        var named = start
        named.attributesType = name

        #expect(found(APS(alert: alert, liveActivity: named)) == ["error aps.attributes-type bad-type-name"])
    }

    @Test func updatesComeByTokenOrByChannel() {
        var both = start
        both.inputPushChannel = "Zm9v"
        var channel = both
        channel.inputPushToken = nil

        #expect(found(APS(alert: alert, liveActivity: both)) == ["error aps.input-push-channel conflicting-inputs"])
        #expect(found(APS(alert: alert, liveActivity: channel)) == [])
    }

    @Test func timesFitTogether() {
        var stale = update
        stale.staleDate = Self.sent
        var late = end
        late.dismissalDate = 1_800_014_401
        var inTime = end
        inTime.dismissalDate = 1_800_014_400
        var atOnce = end
        atOnce.dismissalDate = 0
        let swift = LiveActivity(timestamp: 821_692_800, event: .update, contentState: [], staleDate: 821_692_801)

        #expect(found(APS(liveActivity: stale)) == ["warning aps.stale-date already-stale"])
        #expect(found(APS(liveActivity: late)) == ["warning aps.dismissal-date dismissal-too-late"])
        #expect(found(APS(liveActivity: inTime)) == [])
        #expect(found(APS(liveActivity: atOnce)) == [])
        #expect(
            found(APS(liveActivity: swift))
                == ["warning aps.timestamp epoch-2001-suspected", "warning aps.stale-date epoch-2001-suspected"])
    }

    @Test func priorityTenCountsTowardTheBudget() {
        let note = "note apns-priority counts-toward-budget"

        for priority in [nil, Priority.immediate] {
            #expect(found(APS(liveActivity: update), PushRules(pushType: .liveactivity, priority: priority)) == [note])
        }
        #expect(
            found(APS(liveActivity: update), PushRules(pushType: .liveactivity, priority: .powerFirst))
                == ["warning apns-priority undocumented-priority"])
    }

    @Test func keysOfOtherPushesAreNoted() {
        let aps = APS(
            badge: 1, threadID: "t", category: "c", contentAvailable: true, mutableContent: true,
            interruptionLevel: .active, liveActivity: update)

        #expect(
            found(aps)
                == [
                    "badge", "thread-id", "category", "content-available", "mutable-content", "interruption-level",
                ].map { "note aps.\($0) not-for-live-activities" })
    }

    @Test func itsKeysHaveNoEffectInOtherPushes() {
        var aps = APS(alert: .text("a"), liveActivity: start)
        aps.liveActivity.staleDate = Self.sent
        aps.liveActivity.dismissalDate = Self.sent
        aps.liveActivity.inputPushChannel = "Zm9v"

        #expect(
            found(aps, PushRules())
                == [
                    "timestamp", "event", "content-state", "attributes-type", "attributes", "stale-date",
                    "dismissal-date", "input-push-token", "input-push-channel",
                ].map { "warning aps.\($0) no-effect" })
    }

    @Test func channelsTakeUpdatesAndEnds() {
        func rules(_ type: PushType = .liveactivity, expiration: Int? = 0) -> PushRules {
            PushRules(
                pushType: type, priority: .powerFirst, expiration: expiration, messageIDKey: nil, destination: .channel)
        }

        #expect(found(APS(liveActivity: update), rules()) == [])
        #expect(found(APS(liveActivity: end), rules()) == [])
        #expect(found(APS(alert: alert, liveActivity: start), rules()) == ["error aps.event broadcast-start"])
        #expect(found(APS(liveActivity: update), rules(expiration: nil)) == ["error apns-expiration missing"])
        #expect(found(APS(contentChanged: true), rules(.widgets)) == ["error apns-push-type not-for-channels"])
    }

    @Test func broadcastsMayBeLarger() {
        var rules = PushRules(
            pushType: .liveactivity, priority: .powerAware, expiration: 0, messageIDKey: nil, destination: .channel)
        func aps(of size: Int) -> APS {
            var aps = APS(liveActivity: update)
            let missing = size - rules.size(of: Payload(aps: aps)) - #""x":"""#.utf8.count
            aps.liveActivity.contentState = [.init("x", .string(String(repeating: "x", count: missing)))]
            return aps
        }

        #expect(rules.maximumSize == 5120)
        #expect(found(aps(of: 5120), rules) == [])
        #expect(found(aps(of: 5121), rules) == ["error  payload-too-large"])
        rules.destination = .device
        #expect(rules.maximumSize == 4096)
        #expect(found(aps(of: 4096), rules) == [])
        #expect(found(aps(of: 4097), rules) == ["error  payload-too-large"])
    }
}
