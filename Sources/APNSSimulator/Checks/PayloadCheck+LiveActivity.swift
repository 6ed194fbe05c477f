extension PayloadCheck {
    /// Seconds that an ended activity stays on the lock screen, at most.
    private static let longestDismissal = 4.0 * 3_600

    /// Apple answers 200 to all of these, and the phone does nothing or not what was meant.
    mutating func checkActivity() {
        checkActivityAlert()
        let timestamp = scan.number(.aps, "timestamp")
        raise(.liveActivityWithoutTimestamp, if: timestamp == nil)
        guard let event = ActivityPush.Event(scan) else { return raise(.liveActivityWithoutEvent) }

        let ofStart: [StaticString] = ["attributes-type", "attributes", "input-push-token", "input-push-channel"]
        switch event {
        case .start:
            let required: [StaticString] = ["alert", "attributes-type", "attributes", "content-state"]
            raise(.incompleteStart, if: required.contains { scan[.aps, $0] == nil } || !hasWords)
            raise(.twoInputs, if: scan.number(.aps, "input-push-token") == 1 && scan[.aps, "input-push-channel"] != nil)
        case .update: raise(.updateWithoutState, if: scan[.aps, "content-state"] == nil)
        case .end: break
        }
        raise(.keyOfOtherEvent, if: event != .start && ofStart.contains { scan[.aps, $0] != nil })
        raise(.keyOfOtherEvent, if: event != .end && scan[.aps, "dismissal-date"] != nil)

        guard let timestamp else { return }
        if let stale = scan.number(.aps, "stale-date") { raise(.staleAtOnce, if: stale <= timestamp) }
        if let dismissal = scan.number(.aps, "dismissal-date") {
            raise(.dismissedLate, if: dismissal > timestamp + Self.longestDismissal)
        }
    }

    /// Title and body, each a text or a key of the app's strings, and the sound with them.
    private mutating func checkActivityAlert() {
        raise(.wrongAlertForm, if: scan[.aps, "alert"]?.kind == .string || scan[.aps, "sound"] != nil)
        let own: [StaticString] = ["title", "body", "sound"]
        for member in scan.members where member.level == .alert {
            raise(.wrongAlertForm, if: !own.contains { scan.isText(member.key, $0) })
        }
        for level in [PayloadScan.Level.title, .body] where scan.members.contains(where: { $0.level == level }) {
            raise(.argumentsWithoutKey, if: scan[level, "loc-key"] == nil)
        }
    }
}

/// What a push says about its Live Activity.
struct ActivityPush: Equatable {
    enum Event: Int, CaseIterable { case start, update, end }

    let event: Event
    /// Seconds since 1970.
    let timestamp: Double?
}

extension ActivityPush {
    /// Nil when it is none that the phone would understand.
    init?(_ scan: PayloadScan, _ type: PushType) {
        guard type == .liveactivity, let event = Event(scan) else { return nil }
        self.event = event
        timestamp = scan.number(.aps, "timestamp")
    }
}

extension ActivityPush.Event {
    init?(_ scan: PayloadScan) {
        guard let index = scan.word(.aps, "event", among: ["start", "update", "end"]) else { return nil }
        self.init(rawValue: index)
    }
}
