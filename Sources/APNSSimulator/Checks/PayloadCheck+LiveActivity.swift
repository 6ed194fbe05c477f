extension PayloadCheck {
    /// The longest time, in seconds, that an ended activity stays on the lock screen.
    private static let longestDismissal = 4.0 * 3_600

    /// Finds mistakes that Apple answers with 200, although the device then does nothing or something else.
    mutating func checkActivity() {
        checkActivityAlert()
        let timestamp = scan.number(.aps, "timestamp")
        raise(.liveActivityWithoutTimestamp, if: timestamp == nil)
        guard let event = ActivityPush.Event(scan) else { return raise(.liveActivityWithoutEvent) }

        let ofStart: [StaticString] = ["attributes-type", "attributes", "input-push-token", "input-push-channel"]
        switch event {
        case .start:
            let required: [StaticString] = ["alert", "attributes-type", "attributes", "content-state"]
            raise(.incompleteStart, if: required.contains { scan[.aps, $0] == nil } || !hasText)
            raise(
                .conflictingInputs,
                if: scan.number(.aps, "input-push-token") == 1 && scan[.aps, "input-push-channel"] != nil)
        case .update: raise(.updateWithoutState, if: scan[.aps, "content-state"] == nil)
        case .end: break
        }
        raise(.keyNotAllowedForEvent, if: event != .start && ofStart.contains { scan[.aps, $0] != nil })
        raise(.keyNotAllowedForEvent, if: event != .end && scan[.aps, "dismissal-date"] != nil)

        guard let timestamp else { return }
        if let stale = scan.number(.aps, "stale-date") { raise(.alreadyStale, if: stale <= timestamp) }
        if let dismissal = scan.number(.aps, "dismissal-date") {
            raise(.dismissalTooLate, if: dismissal > timestamp + Self.longestDismissal)
        }
    }

    /// Checks the alert: a title and a body, each a text or a key of the app's localized strings, and a sound.
    private mutating func checkActivityAlert() {
        raise(.wrongAlertFormat, if: scan[.aps, "alert"]?.kind == .string || scan[.aps, "sound"] != nil)
        let own: [StaticString] = ["title", "body", "sound"]
        for member in scan.members where member.level == .alert {
            raise(.wrongAlertFormat, if: !own.contains { scan.isText(member.key, $0) })
        }
        for level in [PayloadScan.Level.title, .body] where scan.members.contains(where: { $0.level == level }) {
            raise(.argumentsWithoutKey, if: scan[level, "loc-key"] == nil)
        }
    }
}

/// The Live Activity event of a push.
struct ActivityPush: Equatable {
    enum Event: Int, CaseIterable { case start, update, end }

    let event: Event
    /// Seconds since 1970.
    let timestamp: Double?
}

extension ActivityPush {
    /// Returns nil if the device would not understand the push as one of a Live Activity.
    init?(_ scan: PayloadScan, _ type: PushType) {
        guard type == .liveactivity, let event = Event(scan) else { return nil }
        self.event = event
        timestamp = scan.number(.aps, "timestamp")
    }
}

extension ActivityPush.Event {
    init?(_ scan: PayloadScan) {
        guard let index = scan.indexOfValue(.aps, "event", among: ["start", "update", "end"]) else { return nil }
        self.init(rawValue: index)
    }
}
