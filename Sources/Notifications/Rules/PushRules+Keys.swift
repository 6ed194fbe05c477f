import JSON

extension PushRules {
    /// The most unknown keys of one object that are reported; real payloads have far fewer.
    private static let mostUnknownKeys = 100

    /// Findings about single keys: legacy, unknown and empty ones, and those that require an entitlement.
    func keyProblems(_ aps: APS) -> [Problem] {
        entitlements(aps) + emptyTexts(aps) + legacyKeys(aps) + unknownKeys(aps)
    }

    private func entitlements(_ aps: APS) -> [Problem] {
        var problems: [Problem] = []
        if let level = aps.interruptionLevel, level == .timeSensitive || level == .critical {
            problems.append(
                .note(
                    APS.Key.interruptionLevel.path, "needs-entitlement",
                    "is \(level.rawValue), which requires an entitlement of the app; without it the level is active"))
        }
        if case .critical(let sound) = aps.sound, sound.critical == true {
            problems.append(
                .note(
                    Sound.CriticalSound.Key.critical.path, "needs-entitlement",
                    "is 1, which requires Apple's critical alerts entitlement; "
                        + "without it the sound is a normal one"))
        }
        return problems
    }

    private func emptyTexts(_ aps: APS) -> [Problem] {
        let texts: [(APS.Key, String?)] = [
            (.threadID, aps.threadID), (.category, aps.category), (.targetContentID, aps.targetContentID),
            (.filterCriteria, aps.filterCriteria),
        ]
        return texts.filter { $0.1?.isEmpty == true }.map { key, _ in
            .warning(key.path, "empty", "is empty; omit the key instead")
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
                    "is a legacy key: it is for website pushes of Safari before Web Push"))
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
        _ members: [JSON.Member], in parent: String, known: [String], elsewhere: [String] = [], _ location: Message = ""
    ) -> [Problem] {
        members.map(\.key).filter { !known.contains($0) }.prefix(Self.mostUnknownKeys).map { key in
            let path = ProblemPath.member(key, of: parent)
            if elsewhere.contains(key) {
                return .warning(path, "misplaced-key", "has no effect here; it belongs \(location)")
            }
            if let suggestion = Spelling.nearest(to: key, among: known) {
                return .warning(path, "misspelled-key", "is not one of Apple's keys; did you mean \(suggestion)?")
            }
            return .note(path, "unknown-key", "is not documented by Apple: the device ignores it")
        }
    }
}

extension Alert.Key {
    var path: String { "\(APS.Key.alert.path).\(rawValue)" }

    /// Why it is a legacy key; nil if it is not.
    fileprivate var legacy: Message? {
        switch self {
        case .action, .actionLocKey: "it names the alert's button on iOS 9 and earlier; use a category instead"
        case .summaryArg, .summaryArgCount: "iOS ignores it since version 15"
        case .title, .subtitle, .body, .launchImage, .titleLocKey, .titleLocArgs, .subtitleLocKey, .subtitleLocArgs,
            .locKey, .locArgs, .sound:
            nil
        }
    }
}
