/// A setting for the presentation of notifications: the members of UNNotificationSettings that are
/// UNNotificationSetting. The raw value is the API's and the database's.
public enum NotificationSetting: String, CaseIterable, Hashable, Sendable {
    case alert, badge, sound
    case lockScreen = "lock_screen"
    case notificationCenter = "notification_center"
    case carPlay = "car_play"
    case criticalAlert = "critical_alert"
    case announcement
    case timeSensitive = "time_sensitive"
    case scheduledDelivery = "scheduled_delivery"
    case directMessages = "direct_messages"

    /// UNNotificationSetting's cases.
    public enum Value: String, CaseIterable, Hashable, Sendable {
        case enabled, disabled
        case notSupported = "not_supported"
    }
}
