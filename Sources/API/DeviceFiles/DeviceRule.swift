import JSON
import Notifications

/// A column of a file that decides something about its line. Exports of other vendors have such columns instead of
/// Belfry's members.
enum DeviceRule: String, CaseIterable, Sendable {
    /// Devices of other platforms are left out: android, web.
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
        /// The line is about a device of another platform.
        case leftOut
        case denied
        case timeZone(String)
        /// Places with this offset change their clocks, or there are none.
        case unknownTimeZone
        /// The platform is APNs' development environment.
        case development
    }

    /// OneSignal's numbers of other platforms, up to Safari and SMS.
    private static let otherOneSignalTypes = 1...17

    /// Nil if the field can't be understood.
    func effect(of field: ArraySlice<UInt8>) -> Effect? {
        let text = String(decoding: FileText.trim(field), as: UTF8.self)
        guard !text.isEmpty else { return Effect.none }
        switch self {
        case .platform: return FilePlatform.effect(of: text)
        case .oneSignalDeviceType:
            guard let number = Self.wholeNumber(text) else { return FilePlatform.effect(of: text) }
            return number == 0 ? Effect.none : Self.otherOneSignalTypes.contains(number) ? .leftOut : nil
        case .subscribed: return FileSpelling.subscription(field).map { $0 ? Effect.none : .denied }
        case .unsubscribed: return FileSpelling.flag(field).map { $0 ? .denied : Effect.none }
        case .oneSignalNotificationTypes: return Self.wholeNumber(text).map { $0 > 0 ? Effect.none : .denied }
        case .utcOffset: return Self.zone(text).map { .timeZone($0) } ?? .unknownTimeZone
        }
    }

    /// A whole number by its value: pandas writes 1.0.
    private static func wholeNumber(_ text: String) -> Int? {
        if let number = Int(text) { return number }
        guard text.utf8.allSatisfy({ "0123456789.-+eE".utf8.contains($0) }) else { return nil }
        return Double(text).flatMap { Int(exactly: $0) }
    }

    /// A zone by its offset: in seconds, or like +05:30.
    private static func zone(_ text: String) -> String? {
        guard let seconds = wholeNumber(text) else {
            return ZoneName.canonical(text) ?? ZoneName.canonical("UTC" + text)
        }
        guard seconds % 60 == 0, abs(seconds) <= 24 * 3_600 else { return nil }
        let minutes = abs(seconds) / 60
        let rest = minutes % 60 < 10 ? "0\(minutes % 60)" : "\(minutes % 60)"
        return ZoneName.canonical("UTC\(seconds < 0 ? "-" : "+")\(minutes / 60):\(rest)")
    }

    var problem: Problem {
        let message =
            switch self {
            case .platform, .oneSignalDeviceType: "must be a platform, like ios or android"
            case .subscribed, .unsubscribed: "must be true or false"
            case .oneSignalNotificationTypes: "must be a whole number, like 1"
            case .utcOffset: Self.unknownOffset
            }
        return Problem(path: rawValue, code: "wrong-type", message: message)
    }

    private static let unknownOffset =
        "is not the offset of a known time zone in seconds, like 3600 or 19800; the line is stored without a time zone"

    static let unknownTimeZone = Problem(
        path: utcOffset.rawValue, code: "unknown-time-zone", message: unknownOffset, severity: .warning)
}
