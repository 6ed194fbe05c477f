import JSON

extension LocalNotificationContent {
    /// The names of UNMutableNotificationContent's properties.
    private enum AppKey: String, MemberName {
        case title
        case subtitle
        case body
        case localizationKey = "localization_key"
        case arguments
        case badge
        case sound
        case categoryIdentifier = "category_identifier"
        case threadIdentifier = "thread_identifier"
        case targetContentIdentifier = "target_content_identifier"
        case interruptionLevel = "interruption_level"
        case interruptionLevelName = "interruption_level_name"
        case relevanceScore = "relevance_score"
        case filterCriteria = "filter_criteria"
        case launchImageName = "launch_image_name"
        case userInfo = "user_info"
        case attachmentURL = "attachment_url"
        case name
        case critical
        case volume
    }

    /// The members that an app needs to create its UNMutableNotificationContent, property by property. A text is a
    /// string, or an object with a key and arguments for `NSString.localizedUserNotificationString`.
    var appJSON: JSON {
        var members: [JSON.Member] = []
        appendAlert(to: &members)
        members.append(AppKey.badge, aps.badge.map { .number(JSON.Number($0)) })
        members.append(AppKey.sound, aps.sound.map(Self.appJSON))
        members.append(AppKey.categoryIdentifier, aps.category.map { .string($0) })
        members.append(AppKey.threadIdentifier, aps.threadID.map { .string($0) })
        members.append(AppKey.targetContentIdentifier, aps.targetContentID.map { .string($0) })
        members.append(AppKey.interruptionLevel, aps.interruptionLevel.map { .number(JSON.Number($0.systemValue)) })
        members.append(AppKey.interruptionLevelName, aps.interruptionLevel.map { .string($0.systemName) })
        members.append(AppKey.relevanceScore, aps.relevanceScore.map { .number($0) })
        members.append(AppKey.filterCriteria, aps.filterCriteria.map { .string($0) })
        members.append(AppKey.userInfo, .object(userInfo))
        members.append(AppKey.attachmentURL, attachmentURL.map { .string($0.text) })
        return .object(members)
    }

    private func appendAlert(to members: inout [JSON.Member]) {
        switch aps.alert {
        case nil: break
        case .text(let text): members.append(AppKey.body, .string(text))
        case .dictionary(let alert):
            let alert = alert.json
            members.append(AppKey.title, Self.text(alert, .title, .titleLocKey, .titleLocArgs))
            members.append(AppKey.subtitle, Self.text(alert, .subtitle, .subtitleLocKey, .subtitleLocArgs))
            members.append(AppKey.body, Self.text(alert, .body, .locKey, .locArgs))
            members.append(AppKey.launchImageName, alert[Alert.Key.launchImage.rawValue])
        }
    }

    /// The localisation key takes precedence, as in a push.
    private static func text(_ alert: JSON, _ text: Alert.Key, _ key: Alert.Key, _ arguments: Alert.Key) -> JSON? {
        guard let key = alert[key.rawValue] else { return alert[text.rawValue] }
        var members: [JSON.Member] = []
        members.append(AppKey.localizationKey, key)
        members.append(AppKey.arguments, alert[arguments.rawValue] ?? [])
        return .object(members)
    }

    private static func appJSON(_ sound: Sound) -> JSON {
        var members: [JSON.Member] = []
        switch sound {
        case .named(let name):
            members.append(AppKey.name, .string(name))
            members.append(AppKey.critical, false)
        case .critical(let critical):
            members.append(AppKey.name, .string(critical.name ?? Sound.defaultName))
            members.append(AppKey.critical, .bool(critical.critical ?? false))
            members.append(AppKey.volume, critical.volume.map { .number($0) })
        }
        return .object(members)
    }
}

extension APS.InterruptionLevel {
    /// UNNotificationInterruptionLevel.
    fileprivate var systemValue: Int {
        switch self {
        case .passive: 0
        case .active: 1
        case .timeSensitive: 2
        case .critical: 3
        }
    }

    /// As Swift spells the case.
    fileprivate var systemName: String {
        "\(self)"
    }
}
