import Foundation

public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined, denied, authorized, provisional, ephemeral
}

public enum UNNotificationSetting: Int, Sendable {
    case notSupported, disabled, enabled
}

public enum UNAlertStyle: Int, Sendable {
    case none, banner, alert
}

public enum UNShowPreviewsSetting: Int, Sendable {
    case always, whenAuthenticated, never
}

/// Apple's has no public initializer, and its properties are read-only.
open class UNNotificationSettings: NSObject {
    public let authorizationStatus: UNAuthorizationStatus
    public let soundSetting: UNNotificationSetting
    public let badgeSetting: UNNotificationSetting
    public let alertSetting: UNNotificationSetting
    public let notificationCenterSetting: UNNotificationSetting
    public let lockScreenSetting: UNNotificationSetting
    public let carPlaySetting: UNNotificationSetting
    public let criticalAlertSetting: UNNotificationSetting
    public let announcementSetting: UNNotificationSetting
    public let timeSensitiveSetting: UNNotificationSetting
    public let scheduledDeliverySetting: UNNotificationSetting
    public let alertStyle: UNAlertStyle
    public let showPreviewsSetting: UNShowPreviewsSetting
    public let providesAppNotificationSettings: Bool

    /// Stub only: everything has the same setting.
    public init(
        stub authorizationStatus: UNAuthorizationStatus, everything setting: UNNotificationSetting = .enabled,
        alertStyle: UNAlertStyle = .banner, showPreviews: UNShowPreviewsSetting = .always
    ) {
        self.authorizationStatus = authorizationStatus
        soundSetting = setting
        badgeSetting = setting
        alertSetting = setting
        notificationCenterSetting = setting
        lockScreenSetting = setting
        carPlaySetting = setting
        criticalAlertSetting = setting
        announcementSetting = setting
        timeSensitiveSetting = setting
        scheduledDeliverySetting = setting
        self.alertStyle = alertStyle
        showPreviewsSetting = showPreviews
        providesAppNotificationSettings = false
    }
}
