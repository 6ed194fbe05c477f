import BelfryCore
import Foundation
@preconcurrency import UserNotifications

extension DeviceState {
    /// The state that iOS reports now.
    static func current(_ center: UNUserNotificationCenter) async -> DeviceState {
        // Settings are not Sendable everywhere, so they are read where iOS hands them out.
        var state = await withCheckedContinuation { continuation in
            center.getNotificationSettings { continuation.resume(returning: DeviceState($0)) }
        }
        state.locale = Locale.preferred
        state.timeZone = TimeZone.current.identifier
        let system = ProcessInfo.processInfo.operatingSystemVersion
        state.osVersion =
            system.patchVersion == 0
            ? "\(system.majorVersion).\(system.minorVersion)"
            : "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        state.appVersion = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
        state.model = DeviceModel.identifier
        return state
    }

    private init(_ settings: UNNotificationSettings) {
        self.init(
            environment: .current,
            authorization: Authorization(systemValue: settings.authorizationStatus.rawValue))
        self.settings = [
            "alert": settings.alertSetting, "badge": settings.badgeSetting, "sound": settings.soundSetting,
            "lock_screen": settings.lockScreenSetting, "notification_center": settings.notificationCenterSetting,
            "car_play": settings.carPlaySetting, "critical_alert": settings.criticalAlertSetting,
            "announcement": settings.announcementSetting,
        ].compactMapValues(\.name)
        if #available(iOS 15, *) {
            self.settings["time_sensitive"] = settings.timeSensitiveSetting.name
            self.settings["scheduled_delivery"] = settings.scheduledDeliverySetting.name
        }
    }
}

extension DeviceState.Environment {
    fileprivate static var current: Self {
        #if targetEnvironment(simulator)
            // Apple gives the iOS Simulator tokens of the sandbox, and no profile.
            return .development
        #else
            let profile = Bundle.main.url(forResource: "embedded", withExtension: "mobileprovision")
            return Self(provisioningProfile: profile.flatMap { try? Data(contentsOf: $0) })
        #endif
    }
}

extension UNNotificationSetting {
    /// The server's name; nil for a value that a later iOS adds.
    fileprivate var name: String? {
        switch self {
        case .notSupported: "not_supported"
        case .disabled: "disabled"
        case .enabled: "enabled"
        @unknown default: nil
        }
    }
}
