public import Postgres

/// Whether the app may show notifications (UNAuthorizationStatus). The raw value is the database's.
public enum AuthorizationStatus: Int16, CaseIterable, Hashable, Sendable {
    case notDetermined = 0
    case denied = 1
    case authorized = 2
    case provisional = 3
    case ephemeral = 4

    /// What a device has that does not say.
    public static let standard = AuthorizationStatus.authorized

    public var name: String {
        switch self {
        case .notDetermined: "not_determined"
        case .denied: "denied"
        case .authorized: "authorized"
        case .provisional: "provisional"
        case .ephemeral: "ephemeral"
        }
    }

    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

extension AuthorizationStatus: PostgresEncodable, PostgresDecodable {}

/// What of a notification the phone shows: the parts of UNNotificationSettings that are UNNotificationSetting. The raw
/// value is the API's and the database's.
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
        case notSupported = "not-supported"
    }
}
