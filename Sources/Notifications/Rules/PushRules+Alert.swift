import JSON

extension PushRules {
    /// Problems of the alert's form, which is different in Live Activities, and of keys that require its text.
    func alertProblems(_ aps: APS) -> [Problem] {
        let ofForm: [Problem] =
            switch aps.alert {
            case .dictionary(let alert) where pushType == .liveactivity: keysOfOtherTypes(alert)
            case .text where pushType == .liveactivity:
                [
                    .error(
                        APS.Key.alert.path, "wrong-type", "must be an object with title and body in a Live Activity")
                ]
            case .dictionary(let alert): keysOfLiveActivities(alert) + argumentsWithoutKey(alert)
            case .text, nil: []
            }
        return ofForm + mutableWithoutText(aps)
    }

    private func keysOfLiveActivities(_ alert: Alert) -> [Problem] {
        var problems: [Problem] = []
        let texts: [(Alert.Key, Alert.Text?, Alert.Key)] = [
            (.title, alert.title, .titleLocKey), (.body, alert.body, .locKey),
        ]
        for case (let key, .localized, let localizationKey) in texts {
            problems.append(
                .error(
                    key.path, "wrong-type",
                    "must be text: only Live Activities allow an object here. Use \(localizationKey.rawValue) "
                        + "for a key of the app's strings"))
        }
        if alert.sound != nil {
            problems.append(
                .warning(
                    Alert.Key.sound.path, "misplaced-key",
                    "has no effect inside alert, except in Live Activities; move it to aps"))
        }
        return problems
    }

    private func keysOfOtherTypes(_ alert: Alert) -> [Problem] {
        let own: [Alert.Key] = [.title, .body, .sound]
        let stray = alert.keys.filter { !own.contains($0) }.map {
            Problem.warning(
                $0.path, "no-effect",
                "has no effect in a Live Activity, whose alert has only title, body and sound; "
                    + "title and body may be objects with loc-key and loc-args")
        }
        let texts: [(Alert.Key, Alert.Text?)] = [(.title, alert.title), (.body, alert.body)]
        return stray
            + texts.compactMap { key, text in
                guard case .localized(let localization) = text, localization.locKey == nil else { return nil }
                return .error(
                    ProblemPath.member(Alert.Key.locKey.rawValue, of: key.path), "missing",
                    "is required: the key of the text in the app's strings")
            }
    }

    private func argumentsWithoutKey(_ alert: Alert) -> [Problem] {
        let pairs: [(Alert.Key, [String]?, Alert.Key, String?)] = [
            (.titleLocArgs, alert.titleLocArgs, .titleLocKey, alert.titleLocKey),
            (.subtitleLocArgs, alert.subtitleLocArgs, .subtitleLocKey, alert.subtitleLocKey),
            (.locArgs, alert.locArgs, .locKey, alert.locKey),
        ]
        return pairs.filter { $0.1 != nil && $0.3 == nil }.map { argumentsKey, _, key, _ in
            .warning(
                argumentsKey.path, "arguments-without-key",
                "has no effect without \(key.rawValue), whose text contains the placeholders")
        }
    }

    private func mutableWithoutText(_ aps: APS) -> [Problem] {
        guard pushType != .liveactivity, aps.mutableContent == true, !aps.alertHasText else { return [] }
        return [
            .warning(
                APS.Key.mutableContent.path, "mutable-without-text",
                "has no effect without a title, subtitle or body: the device does not run the app's extension")
        ]
    }
}

extension APS {
    /// Whether the alert has a title, subtitle or body to read, its own or the app's.
    var alertHasText: Bool {
        switch alert {
        case nil: false
        case .text(let text): !text.isEmpty
        case .dictionary(let alert):
            alert.title?.isEmpty == false || alert.body?.isEmpty == false
                || [alert.subtitle, alert.titleLocKey, alert.subtitleLocKey, alert.locKey]
                    .contains { $0?.isEmpty == false }
        }
    }
}
