/// Finds mistakes in a body that Apple accepts and the device ignores or handles differently.
struct PayloadCheck {
    private(set) var flags: PushWarnings = []
    /// Set for the push of a Live Activity.
    private(set) var activity: ActivityPush?

    let scan: PayloadScan
    let type: PushType

    /// Returns nil if the body is not a single JSON dictionary.
    init?(_ bytes: UnsafeRawBufferPointer, type: PushType) {
        guard let scan = PayloadScan(bytes) else { return nil }
        self.scan = scan
        self.type = type
        if scan.hasRepeatedKey { raise(.repeatedKey) }
        checkTop()
        checkAps()
        check(.alert, PayloadKey.alert)
        check(.sound, PayloadKey.sound)
        check(.title, PayloadKey.text)
        check(.body, PayloadKey.text)
        checkType()
        checkCombinations()
        activity = ActivityPush(scan, type)
    }

    mutating func raise(_ flag: PushWarnings, if condition: Bool = true) {
        if condition { flags.insert(flag) }
    }

    private var hasAps: Bool { scan[.top, "aps"]?.kind == .dictionary }

    private mutating func checkTop() {
        if let aps = scan[.top, "aps"] { raise(.wrongValueType, if: aps.kind != .dictionary) }
        // Common names that many apps use for their own data.
        let common: [StaticString] = type == .liveactivity ? [] : ["event", "timestamp", "attributes"]
        for member in scan.members where member.level == .top {
            guard PayloadKey.aps.contains(where: { scan.isText(member.key, $0.name) }) else { continue }
            raise(.appleKeyOutsideAps, if: !common.contains { scan.isText(member.key, $0) })
        }
    }

    private mutating func checkAps() {
        check(.aps, PayloadKey.aps)
        if type != .liveactivity, let score = scan.number(.aps, "relevance-score") {
            raise(.outOfRange, if: !(0...1).contains(score))
        }
        if let badge = scan.number(.aps, "badge") { raise(.outOfRange, if: badge != badge.rounded()) }
        let levels: [StaticString] = ["passive", "active", "time-sensitive", "critical"]
        if scan[.aps, "interruption-level"]?.kind == .string {
            raise(.unknownInterruptionLevel, if: scan.indexOfValue(.aps, "interruption-level", among: levels) == nil)
        }
    }

    /// Checks every member of a dictionary against Apple's table for it.
    private mutating func check(_ level: PayloadScan.Level, _ keys: [PayloadKey]) {
        for member in scan.members where member.level == level {
            guard let key = keys.first(where: { scan.isText(member.key, $0.name) }) else {
                raise(.unknownKey)
                continue
            }
            switch key.owner {
            case .anyPush: break
            case .liveActivity: raise(.unexpectedLiveActivityKey, if: type != .liveactivity)
            case .widget: raise(.unexpectedContentChanged, if: type != .widgets && type != .controls)
            }
            guard key.kinds.contains(member.kind) else {
                let isStringBadge = level == .aps && member.kind == .string && scan.isText(member.key, "badge")
                raise(isStringBadge ? .stringBadge : .wrongValueType)
                continue
            }
            guard let range = key.range, let number = scan.number(level, key.name) else { continue }
            raise(.outOfRange, if: !range.contains(number))
        }
    }

    private mutating func checkType() {
        let shown: [StaticString] = ["alert", "badge", "sound"]
        let isShown = shown.contains { scan[.aps, $0] != nil }
        switch type {
        case .alert, .background, .liveactivity, .widgets, .controls:
            guard hasAps else { return raise(.missingAps) }
        case .location, .voip, .complication, .fileprovider, .mdm, .pushtotalk: break
        }
        switch type {
        case .alert:
            raise(.emptyAlert, if: !hasText && scan[.aps, "badge"] == nil && scan[.aps, "sound"] == nil)
        case .background:
            raise(.backgroundWithAlert, if: isShown)
            raise(.backgroundWithoutContentAvailable, if: scan.number(.aps, "content-available") != 1)
        case .widgets, .controls:
            raise(.notShown, if: isShown)
            raise(.widgetWithoutContentChanged, if: !scan.isTrue(.aps, "content-changed"))
        case .liveactivity: checkActivity()
        case .mdm:
            raise(.notShown, if: isShown)
            raise(.missingRequiredKey, if: scan[.top, "mdm"]?.kind != .string)
        case .fileprovider:
            raise(.notShown, if: isShown)
            raise(.missingRequiredKey, if: scan[.top, "container-identifier"]?.kind != .string)
        case .location, .voip, .complication, .pushtotalk: raise(.notShown, if: isShown)
        }
    }

    private mutating func checkCombinations() {
        if scan[.aps, "sound"]?.kind == .dictionary {
            raise(.incompleteSound, if: scan[.sound, "name"] == nil)
            raise(.incompleteSound, if: scan[.sound, "volume"] != nil && scan.number(.sound, "critical") != 1)
        }
        guard type != .liveactivity else { return }
        raise(.mutableWithoutText, if: scan.number(.aps, "mutable-content") == 1 && !hasText)
        let texts: [StaticString] = ["title", "body"]
        raise(.wrongAlertFormat, if: texts.contains { scan[.alert, $0]?.kind == .dictionary })
        let pairs: [(StaticString, StaticString)] = [
            ("title-loc-args", "title-loc-key"), ("subtitle-loc-args", "subtitle-loc-key"), ("loc-args", "loc-key"),
        ]
        raise(.argumentsWithoutKey, if: pairs.contains { scan[.alert, $0.0] != nil && scan[.alert, $0.1] == nil })
    }

    /// Whether the alert has text, given literally or by a key of the app's localized strings.
    var hasText: Bool {
        let keys: [StaticString] = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
        return scan.hasText(.aps, "alert") || keys.contains { scan.hasText(.alert, $0) }
            || scan.hasText(.title, "loc-key") || scan.hasText(.body, "loc-key")
    }
}
