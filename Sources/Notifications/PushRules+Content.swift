extension PushRules {
    /// What stands inside `aps` against the push type.
    func contentProblems(_ aps: APS) -> [Problem] {
        let byType: [Problem] =
            switch pushType {
            case .alert: nothingToShow(aps)
            case .background: shownInBackground(aps)
            case .location, .voip, .complication, .fileprovider, .mdm, .liveactivity, .pushtotalk, .widgets,
                .controls:
                []
            }
        return byType + relevance(aps) + mutableWithoutWords(aps) + argumentsWithoutKey(aps)
    }

    private func nothingToShow(_ aps: APS) -> [Problem] {
        guard !aps.alertHasWords, aps.badge == nil, aps.sound == nil else { return [] }
        return [
            .warning(
                "aps", "nothing-to-show",
                "has no alert with words, no badge and no sound: the phone shows nothing. "
                    + "If it shall only wake the app, make it a background push")
        ]
    }

    private func shownInBackground(_ aps: APS) -> [Problem] {
        var problems: [Problem] = []
        if aps.contentAvailable != true {
            problems.append(
                Problem(
                    path: "aps.content-available", code: "background-content-available",
                    message: "must be 1 in a background push"))
        }
        let shown: [(APS.Key, Bool)] = [
            (.alert, aps.alert != nil), (.badge, aps.badge != nil), (.sound, aps.sound != nil),
        ]
        for (key, isPresent) in shown where isPresent {
            problems.append(
                Problem(
                    path: "aps.\(key.rawValue)", code: "background-shows",
                    message: "must not be in a background push, which shows nothing; make it an alert push"))
        }
        return problems
    }

    private func relevance(_ aps: APS) -> [Problem] {
        guard pushType != .liveactivity, let score = aps.relevanceScore, !score.isWithinUnit else { return [] }
        return [
            Problem(
                path: "aps.relevance-score", code: "out-of-range", message: "must be from 0 to 1, not \(score.text)")
        ]
    }

    private func mutableWithoutWords(_ aps: APS) -> [Problem] {
        guard aps.mutableContent == true, !aps.alertHasWords else { return [] }
        return [
            .warning(
                "aps.mutable-content", "mutable-without-words",
                "has no effect without a title, subtitle or body: the phone does not run the app's extension")
        ]
    }

    private func argumentsWithoutKey(_ aps: APS) -> [Problem] {
        guard case .dictionary(let alert) = aps.alert else { return [] }
        let pairs: [(Alert.Key, [String]?, Alert.Key, String?)] = [
            (.titleLocArgs, alert.titleLocArgs, .titleLocKey, alert.titleLocKey),
            (.subtitleLocArgs, alert.subtitleLocArgs, .subtitleLocKey, alert.subtitleLocKey),
            (.locArgs, alert.locArgs, .locKey, alert.locKey),
        ]
        return pairs.filter { $0.1 != nil && $0.3 == nil }.map { argumentsKey, _, key, _ in
            .warning(
                "aps.alert.\(argumentsKey.rawValue)", "arguments-without-key",
                "has no effect without \(key.rawValue), the text they go into")
        }
    }
}

extension APS {
    /// Whether the alert has a title, subtitle or body to read, its own or the app's.
    fileprivate var alertHasWords: Bool {
        switch alert {
        case nil: false
        case .text(let text): !text.isEmpty
        case .dictionary(let alert):
            [alert.title, alert.subtitle, alert.body, alert.titleLocKey, alert.subtitleLocKey, alert.locKey]
                .contains { $0?.isEmpty == false }
        }
    }
}
