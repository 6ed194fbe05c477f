import JSON

extension PushRules {
    /// Problems of the keys of Live Activities: required ones in their pushes, and any in other pushes.
    func liveActivityProblems(_ aps: APS) -> [Problem] {
        let activity = aps.liveActivity
        guard pushType == .liveactivity else {
            return activity.keys.map {
                .warning(
                    $0.path, "no-effect",
                    "has no effect in a \(pushType.rawValue) push: it is for Live Activities")
            }
        }
        return missingKeys(aps) + misplacedKeys(activity) + start(aps) + times(activity) + keysOfOtherTypes(aps)
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
            let reason: Message =
                switch key {
                case .timestamp: "is required in a Live Activity: the device shows the content with the latest one"
                case .event: "is required in a Live Activity: use start, update or end"
                default: "is required to \(aps.liveActivity.event?.rawValue ?? "") a Live Activity"
                }
            return .error(key.path, "missing", reason)
        }
    }

    /// Keys of other events.
    private func misplacedKeys(_ activity: LiveActivity) -> [Problem] {
        guard let event = activity.event else { return [] }
        let owners: [APS.Key: LiveActivity.Event] = [
            .attributesType: .start, .attributes: .start, .inputPushToken: .start, .inputPushChannel: .start,
            .dismissalDate: .end,
        ]
        return activity.keys.compactMap { key in
            guard let owner = owners[key], owner != event else { return nil }
            return .warning(
                key.path, "no-effect", "has no effect with \(event.rawValue): it is for \(owner.rawValue) only")
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
                    APS.Key.inputPushChannel.path, "conflicting-inputs",
                    "can't be combined with input-push-token: an activity gets updates by its token or by a channel"))
        }
        if aps.alert != nil, !aps.alertHasText {
            problems.append(
                .warning(
                    APS.Key.alert.path, "nothing-to-show", "has neither a title nor a body, but the start is shown"))
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
                    key.path, "epoch-2001-suspected",
                    "is before 2001: use seconds since 1970; Swift's Date counts from 2001"))
        }
        guard let sent = activity.timestamp?.double else { return problems }
        if let stale = activity.staleDate?.double, stale <= sent {
            problems.append(
                .warning(
                    APS.Key.staleDate.path, "already-stale", "is not after timestamp: the content is already stale"))
        }
        if let dismissal = activity.dismissalDate?.double, dismissal > sent + LiveActivity.longestDismissal {
            problems.append(
                .warning(
                    APS.Key.dismissalDate.path, "dismissal-too-late",
                    "is more than four hours after timestamp: the device removes an ended activity before that"))
        }
        return problems
    }

    /// Keys that Apple documents for other pushes.
    private func keysOfOtherTypes(_ aps: APS) -> [Problem] {
        let shared: [APS.Key] = [.alert, .relevanceScore, .contentChanged, .urlArgs]
        let own = aps.liveActivity.keys
        return aps.keys.filter { !shared.contains($0) && !own.contains($0) }.map { key in
            key == .sound
                ? .warning(
                    key.path, "misplaced-key", "has no effect beside alert in a Live Activity; move it into alert")
                : .note(key.path, "not-for-live-activities", "is not documented by Apple for Live Activities")
        }
    }
}

extension LiveActivity {
    /// 2001-01-01, the reference date of Swift's `Date`, in seconds since 1970.
    fileprivate static let swiftEpoch = 978_307_200.0
    /// The longest time that an ended activity stays on the lock screen, in seconds.
    fileprivate static let longestDismissal = 4.0 * 3600
}
