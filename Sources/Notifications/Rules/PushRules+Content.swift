import JSON

extension PushRules {
    /// What stands inside `aps` against the push type.
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
            shownToNobody(aps) + strayContentChanged(aps)
        }
    }

    private func nothingToShow(_ aps: APS) -> [Problem] {
        guard !aps.alertHasWords, aps.badge == nil, aps.sound == nil else { return [] }
        let wakes = aps.contentAvailable == true
        return [
            .warning(
                "aps", "nothing-to-show",
                "has no alert with words, no badge and no sound: the phone shows nothing. "
                    + (wakes
                        ? "With content-available alone it must be a background push, or it may not be delivered"
                        : "If it shall only wake the app, make it a background push"))
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
                    "must not be in a background push, which shows nothing; make it an alert push")
            }
    }

    private func shownByWidget(_ aps: APS) -> [Problem] {
        var problems: [Problem] = []
        if aps.contentChanged != true {
            problems.append(
                .error(
                    APS.Key.contentChanged.path, aps.contentChanged == nil ? "missing" : "unknown-value",
                    "must be true in a \(pushType.rawValue) push, or nothing is loaded anew"))
        }
        return problems
            + aps.shownKeys.map {
                .error(
                    $0.path, "shows-nothing",
                    "must not be in a \(pushType.rawValue) push, which shows nothing; make it an alert push")
            }
    }

    private func shownToNobody(_ aps: APS) -> [Problem] {
        aps.shownKeys.map {
            .warning(
                $0.path, "no-effect",
                "has no effect in a \(pushType.rawValue) push: the phone hands it to the app and shows nothing")
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
        let words = JSON.number(score).summary
        if pushType == .liveactivity {
            return score.double == nil ? [.error(path, "out-of-range", "must fit a double, not \(words)")] : []
        }
        return score.isWithinUnit ? [] : [.error(path, "out-of-range", "must be from 0 to 1, not \(words)")]
    }

    private func urgency(_ aps: APS) -> [Problem] {
        guard pushType == .alert, let priority, priority != .immediate, let level = aps.interruptionLevel,
            level == .timeSensitive || level == .critical
        else { return [] }
        return [
            .warning(
                "apns-priority", "urgent-but-deferred",
                "is \(priority.rawValue), with which the phone may wait, but the interruption level is "
                    + "\(level.rawValue); make it 10")
        ]
    }
}

extension APS {
    /// What a person would see or hear, of what is there.
    fileprivate var shownKeys: [Key] {
        keys.filter { $0 == .alert || $0 == .badge || $0 == .sound }
    }
}
