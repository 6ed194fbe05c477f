import JSON

extension PushRules {
    /// Problems of the content of `aps` with the push type.
    func contentProblems(_ aps: APS) -> [Problem] {
        typeProblems(aps) + liveActivityProblems(aps) + alertProblems(aps) + soundProblems(aps) + relevance(aps)
            + urgency(aps)
    }

    private func typeProblems(_ aps: APS) -> [Problem] {
        switch pushType {
        case .alert: nothingToShow(aps) + strayContentChanged(aps)
        case .background: shownInBackground(aps) + strayContentChanged(aps)
        case .widgets, .controls: shownByWidget(aps)
        case .liveactivity: strayContentChanged(aps)
        case .location, .voip, .complication, .fileprovider, .mdm, .pushtotalk:
            notShown(aps) + strayContentChanged(aps)
        }
    }

    private func nothingToShow(_ aps: APS) -> [Problem] {
        guard !aps.alertHasText, aps.badge == nil, aps.sound == nil else { return [] }
        let remedy: Message =
            aps.contentAvailable == true
            ? "With content-available only, send it as a background push, or it may not be delivered"
            : "To only wake the app, send a background push"
        return [
            .warning(
                "aps", "nothing-to-show",
                "has no alert text, no badge and no sound: the device shows nothing. \(remedy)")
        ]
    }

    private func shownInBackground(_ aps: APS) -> [Problem] {
        var problems: [Problem] = []
        if aps.contentAvailable != true {
            problems.append(
                .error(
                    APS.Key.contentAvailable.path, "background-content-available", "must be 1 in a background push"))
        }
        return problems
            + aps.shownKeys.map {
                .error(
                    $0.path, "background-shows",
                    "is not allowed in a background push, which shows nothing; send an alert push")
            }
    }

    private func shownByWidget(_ aps: APS) -> [Problem] {
        var problems: [Problem] = []
        if aps.contentChanged != true {
            problems.append(
                .error(
                    APS.Key.contentChanged.path, aps.contentChanged == nil ? "missing" : "unknown-value",
                    "must be true in a \(pushType.rawValue) push, or nothing is reloaded"))
        }
        return problems
            + aps.shownKeys.map {
                .error(
                    $0.path, "widget-shows-nothing",
                    "is not allowed in a \(pushType.rawValue) push, which shows nothing; send an alert push")
            }
    }

    private func notShown(_ aps: APS) -> [Problem] {
        aps.shownKeys.map {
            .warning(
                $0.path, "no-effect",
                "has no effect in a \(pushType.rawValue) push: the device passes it to the app and shows nothing")
        }
    }

    private func strayContentChanged(_ aps: APS) -> [Problem] {
        guard aps.contentChanged != nil else { return [] }
        return [
            .warning(
                APS.Key.contentChanged.path, "no-effect",
                "has no effect in a \(pushType.rawValue) push: it is for widgets and controls")
        ]
    }

    private func relevance(_ aps: APS) -> [Problem] {
        guard let score = aps.relevanceScore else { return [] }
        let path = APS.Key.relevanceScore.path
        let text = JSON.number(score).summary
        if pushType == .liveactivity {
            return score.double == nil ? [.error(path, "out-of-range", "must fit a double, not \(text)")] : []
        }
        return score.isWithinUnit ? [] : [.error(path, "out-of-range", "must be from 0 to 1, not \(text)")]
    }

    private func urgency(_ aps: APS) -> [Problem] {
        guard pushType == .alert, let priority, priority != .immediate, let level = aps.interruptionLevel,
            level == .timeSensitive || level == .critical
        else { return [] }
        return [
            .warning(
                "apns-priority", "urgent-but-deferred",
                "is \(priority.rawValue), with which delivery may be delayed, but the interruption level is "
                    + "\(level.rawValue); set it to 10")
        ]
    }
}

extension APS {
    /// The present keys whose effect a person sees or hears.
    fileprivate var shownKeys: [Key] {
        keys.filter { $0 == .alert || $0 == .badge || $0 == .sound }
    }
}
