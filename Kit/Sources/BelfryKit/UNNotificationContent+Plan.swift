import BelfryCore
import Foundation
@preconcurrency import UserNotifications

extension UNMutableNotificationContent {
    /// `version` is that of its plan.
    static func make(_ planned: PlannedContent, version: Int? = nil) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = planned.title?.resolved ?? ""
        content.subtitle = planned.subtitle?.resolved ?? ""
        content.body = planned.body?.resolved ?? ""
        content.badge = planned.badge.map { NSNumber(value: $0) }
        content.sound = planned.sound.map(UNNotificationSound.make)
        content.categoryIdentifier = planned.category ?? ""
        content.threadIdentifier = planned.threadID ?? ""
        content.targetContentIdentifier = planned.targetContentID
        content.launchImageName = planned.launchImage ?? ""
        if #available(iOS 15, *) {
            if let level = planned.interruptionLevel.flatMap({ UInt(exactly: $0) }) {
                content.interruptionLevel = UNNotificationInterruptionLevel(rawValue: level) ?? .active
            }
            content.relevanceScore = planned.relevanceScore ?? 0
        }
        content.userInfo = planned.userInfo.mapValues(\.foundation)
        content.userInfo[LocalNotificationID.versionKey] = version
        return content
    }
}

extension PlannedContent.Text {
    /// iOS looks up the app's own string when it shows the notification, in the language of then.
    fileprivate var resolved: String {
        switch self {
        case .literal(let text): text
        case .localized(let key, let arguments):
            #if canImport(ObjectiveC)
                NSString.localizedUserNotificationString(forKey: key, arguments: arguments)
            #else
                ([key] + arguments).joined(separator: " ")
            #endif
        }
    }
}

extension UNNotificationSound {
    fileprivate static func make(_ sound: PlannedContent.Sound) -> UNNotificationSound {
        let isDefault = sound.name == PlannedContent.Sound.defaultName
        guard sound.isCritical else {
            return isDefault ? .default : UNNotificationSound(named: UNNotificationSoundName(sound.name))
        }
        let volume = Float(sound.volume ?? 1)
        return isDefault
            ? .defaultCriticalSound(withAudioVolume: volume)
            : .criticalSoundNamed(UNNotificationSoundName(sound.name), withAudioVolume: volume)
    }
}
