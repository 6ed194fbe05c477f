import JSON
import Notifications

/// A column of a file that decides something about its line. Exports of other vendors have such columns instead of
/// Belfry's members.
enum DeviceRule: String, CaseIterable, Sendable {
    /// Devices that are not Apple's are left out: ios, android, web.
    case platform
    /// OneSignal's number for the platform: 0 is iOS (documentation.onesignal.com/reference/csv-export).
    case oneSignalDeviceType = "onesignal_device_type"
    /// Whether the device may get pushes; if not, `authorization_status` is denied.
    case subscribed
    case unsubscribed
    /// OneSignal's number for the subscription: 1 and more are subscribed, 0 and less are not.
    case oneSignalNotificationTypes = "onesignal_notification_types"
    /// Seconds east of Greenwich, used as the time zone if the line has no other.
    case utcOffset = "utc_offset"

    enum Effect: Equatable {
        case none
        /// The line is about a device that is not Apple's.
        case leftOut
        case denied
        case timeZone(String)
    }

    private static let applePlatforms: Set<String> = ["ios", "iphone", "ipad", "ipados", "iospush", "apple", "apns"]

    /// Nil if the field can't be understood.
    func effect(of field: ArraySlice<UInt8>) -> Effect? {
        let text = String(decoding: field, as: UTF8.self).lowercased().filter { $0 != " " }
        guard !text.isEmpty else { return Effect.none }
        switch self {
        case .platform: return Self.applePlatforms.contains(text) ? Effect.none : .leftOut
        case .oneSignalDeviceType: return Int(text).map { $0 == 0 ? Effect.none : .leftOut }
        case .subscribed: return FileSpelling.flag(field).map { $0 ? Effect.none : .denied }
        case .unsubscribed: return FileSpelling.flag(field).map { $0 ? .denied : Effect.none }
        case .oneSignalNotificationTypes: return Int(text).map { $0 > 0 ? Effect.none : .denied }
        case .utcOffset: return Int(text).flatMap(Self.zone).map { .timeZone($0) }
        }
    }

    /// A zone with a fixed offset; nil for one that is not whole hours, or that no place has.
    private static func zone(_ seconds: Int) -> String? {
        guard seconds % 3_600 == 0 else { return nil }
        let hours = seconds / 3_600
        return hours == 0 ? ZoneName.utc : ZoneName.canonical("Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))")
    }

    var problem: Problem {
        let message =
            switch self {
            case .platform, .oneSignalDeviceType: "must be a platform, like ios"
            case .subscribed, .unsubscribed: "must be true or false"
            case .oneSignalNotificationTypes: "must be a whole number, like 1"
            case .utcOffset: "must be whole hours in seconds, like 3600; name a time zone in time_zone instead"
            }
        return Problem(path: rawValue, code: "wrong-type", message: message)
    }
}
