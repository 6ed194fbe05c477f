import JSON

extension PushRules {
    /// Unknown keys of one object that are spoken of: no payload that fits has nearly as many.
    private static let mostUnknownKeys = 100

    /// Apple's keys for their own sake: legacy ones, unknown ones, empty ones, and those that need Apple's leave.
    func keyProblems(_ aps: APS) -> [Problem] {
        entitlements(aps) + emptyTexts(aps) + legacyKeys(aps) + unknownKeys(aps)
    }

    private func entitlements(_ aps: APS) -> [Problem] {
        var problems: [Problem] = []
        if let level = aps.interruptionLevel, level == .timeSensitive || level == .critical {
            problems.append(
                .note(
                    APS.Key.interruptionLevel.path, "needs-entitlement",
                    "is \(level.rawValue), for which the app needs an entitlement; without it the level is active"))
        }
        if case .critical(let sound) = aps.sound, sound.critical == true {
            problems.append(
                .note(
                    Sound.CriticalSound.Key.critical.path, "needs-entitlement",
                    "is 1, for which the app needs Apple's critical alerts entitlement; "
                        + "without it the sound is a usual one"))
        }
        return problems
    }

    private func emptyTexts(_ aps: APS) -> [Problem] {
        let texts: [(APS.Key, String?)] = [
            (.threadID, aps.threadID), (.category, aps.category), (.targetContentID, aps.targetContentID),
            (.filterCriteria, aps.filterCriteria),
        ]
        return texts.filter { $0.1?.isEmpty == true }.map { key, _ in
            .warning(key.path, "empty", "is empty; leave the key out instead")
        }
    }

    private func legacyKeys(_ aps: APS) -> [Problem] {
        var problems: [Problem] = []
        if case .dictionary(let alert) = aps.alert {
            problems += alert.keys.compactMap { key in
                key.legacy.map { .note(key.path, "legacy-key", "is a legacy key: \($0)") }
            }
        }
        if aps.urlArgs != nil {
            problems.append(
                .note(
                    APS.Key.urlArgs.path, "legacy-key",
                    "is a legacy key: it is for the website pushes of Safari before Web Push"))
        }
        return problems
    }

    private func unknownKeys(_ aps: APS) -> [Problem] {
        let apsKeys = APS.Key.allCases.map(\.rawValue)
        let alertKeys = Alert.Key.allCases.map(\.rawValue)
        var problems = unknown(
            aps.other, in: Payload.Key.aps.rawValue, known: apsKeys, elsewhere: alertKeys, "inside alert")
        if case .dictionary(let alert) = aps.alert {
            let path = APS.Key.alert.path
            problems += unknown(alert.other, in: path, known: alertKeys, elsewhere: apsKeys, "beside alert, in aps")
            for case (let key, .localized(let text)) in [(Alert.Key.title, alert.title), (.body, alert.body)] {
                let keys = [Alert.Key.locKey.rawValue, Alert.Key.locArgs.rawValue]
                problems += unknown(text.other, in: key.path, known: keys)
            }
        }
        if case .critical(let sound) = aps.sound {
            let keys = Sound.CriticalSound.Key.allCases.map(\.rawValue)
            problems += unknown(sound.other, in: APS.Key.sound.path, known: keys)
        }
        return problems
    }

    private func unknown(
        _ members: [JSON.Member], in parent: String, known: [String], elsewhere: [String] = [], _ place: String = ""
    ) -> [Problem] {
        members.map(\.key).filter { !known.contains($0) }.prefix(Self.mostUnknownKeys).map { key in
            let path = ProblemPath.member(key, of: parent)
            if elsewhere.contains(key) {
                return .warning(path, "misplaced-key", "has no effect here; it belongs \(place)")
            }
            if let meant = Spelling.nearest(to: key, among: known) {
                return .warning(path, "misspelt-key", "is not one of Apple's keys; did you mean \(meant)?")
            }
            return .note(path, "unknown-key", "is no key that Apple documents: the phone ignores it")
        }
    }
}

extension Alert.Key {
    var path: String { "\(APS.Key.alert.path).\(rawValue)" }

    /// Why it is a legacy key; nil if it is none.
    fileprivate var legacy: String? {
        switch self {
        case .action, .actionLocKey: "it names the alert's button on iOS 9 and earlier; use a category now"
        case .summaryArg, .summaryArgCount: "iOS ignores it since version 15"
        case .title, .subtitle, .body, .launchImage, .titleLocKey, .titleLocArgs, .subtitleLocKey, .subtitleLocArgs,
            .locKey, .locArgs, .sound:
            nil
        }
    }
}
