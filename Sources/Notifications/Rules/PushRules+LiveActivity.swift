import JSON

extension PushRules {
    /// The keys of Live Activities: all that are needed in their pushes, none in others.
    func liveActivityProblems(_ aps: APS) -> [Problem] {
        let activity = aps.liveActivity
        guard pushType == .liveactivity else {
            return activity.keys.map {
                .warning(
                    $0.path, "no-effect",
                    "has no effect in a \(pushType.rawValue) push: it is for Live Activities")
            }
        }
        return missingKeys(aps) + misplacedKeys(activity) + start(aps) + times(activity) + keysOfOthers(aps)
    }

    private func missingKeys(_ aps: APS) -> [Problem] {
        let required: [APS.Key] =
            switch aps.liveActivity.event {
            case .start: [.timestamp, .attributesType, .attributes, .contentState, .alert]
            case .update: [.timestamp, .contentState]
            case .end: [.timestamp]
            case nil: [.timestamp, .event]
            }
        let present = aps.keys
        return required.filter { !present.contains($0) }.map { key in
            let reason =
                switch key {
                case .timestamp: "is required in a Live Activity: the phone shows the content with the latest"
                case .event: "is required in a Live Activity: start, update or end"
                default: "is required to \(aps.liveActivity.event?.rawValue ?? "") a Live Activity"
                }
            return .error(key.path, "missing", reason)
        }
    }

    /// Keys of another event than this one.
    private func misplacedKeys(_ activity: LiveActivity) -> [Problem] {
        guard let event = activity.event else { return [] }
        let owners: [APS.Key: LiveActivity.Event] = [
            .attributesType: .start, .attributes: .start, .inputPushToken: .start, .inputPushChannel: .start,
            .dismissalDate: .end,
        ]
        return activity.keys.compactMap { key in
            guard let owner = owners[key], owner != event else { return nil }
            return .warning(
                key.path, "no-effect", "has no effect with \(event.rawValue): it goes with \(owner.rawValue) only")
        }
    }

    private func start(_ aps: APS) -> [Problem] {
        let activity = aps.liveActivity
        guard activity.event == .start else { return [] }
        var problems: [Problem] = []
        if destination == .channel {
            problems.append(
                .error(
                    APS.Key.event.path, "broadcast-start",
                    "must be update or end in a push to a channel: only a push to a device starts an activity"))
        }
        if let type = activity.attributesType, type.isEmpty || type.contains(where: \.isWhitespace) {
            problems.append(
                .error(
                    APS.Key.attributesType.path, "bad-type-name",
                    "must be the exact name of the app's type, like DeliveryAttributes"))
        }
        if activity.inputPushToken == true, activity.inputPushChannel != nil {
            problems.append(
                .error(
                    APS.Key.inputPushChannel.path, "two-inputs",
                    "must not stand beside input-push-token: an activity has updates of its own or a channel's"))
        }
        if aps.alert != nil, !aps.alertHasWords {
            problems.append(
                .warning(
                    APS.Key.alert.path, "nothing-to-show", "has neither a title nor a body, and the start is shown"))
        }
        return problems
    }

    private func times(_ activity: LiveActivity) -> [Problem] {
        var problems: [Problem] = []
        let times: [(APS.Key, Double?)] = [
            (.timestamp, activity.timestamp?.double), (.staleDate, activity.staleDate?.double),
        ]
        for case (let key, let time?) in times where time < LiveActivity.swiftEpoch {
            problems.append(
                .warning(
                    key.path, "looks-like-2001",
                    "is before 2001: Swift's Date counts from there, Apple's keys count the seconds since 1970"))
        }
        guard let sent = activity.timestamp?.double else { return problems }
        if let stale = activity.staleDate?.double, stale <= sent {
            problems.append(
                .warning(
                    APS.Key.staleDate.path, "stale-at-once", "is not after timestamp: the content is stale at once"))
        }
        if let dismissal = activity.dismissalDate?.double, dismissal > sent + LiveActivity.longestDismissal {
            problems.append(
                .warning(
                    APS.Key.dismissalDate.path, "dismissal-too-late",
                    "is more than four hours after timestamp: the phone removes an ended activity by then"))
        }
        return problems
    }

    /// Keys that Apple documents for other pushes.
    private func keysOfOthers(_ aps: APS) -> [Problem] {
        let shared: [APS.Key] = [.alert, .relevanceScore, .contentChanged, .urlArgs]
        let own = aps.liveActivity.keys
        return aps.keys.filter { !shared.contains($0) && !own.contains($0) }.map { key in
            key == .sound
                ? .warning(
                    key.path, "misplaced-key", "has no effect beside alert in a Live Activity; it belongs inside alert")
                : .note(key.path, "not-of-live-activities", "is not a key that Apple names for Live Activities")
        }
    }
}

extension LiveActivity {
    /// 2001-01-01 in seconds since 1970, from where Swift's `Date` counts.
    fileprivate static let swiftEpoch = 978_307_200.0
    /// Seconds that an ended activity stays on the lock screen, at most.
    fileprivate static let longestDismissal = 4.0 * 3600
}
