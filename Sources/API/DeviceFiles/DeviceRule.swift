import JSON
import Notifications

/// A column of a file that decides something about its line. Exports of other vendors have such columns instead of
/// Belfry's members.
enum DeviceRule: String, CaseIterable, Sendable {
    /// Devices of other platforms are left out: android, web.
    case platform
    /// OneSignal's number for the platform: 0 is iOS (documentation.onesignal.com/reference/csv-export).
    case oneSignalDeviceType = "onesignal_device_type"
    /// Whether the person wants pushes; if not, it is an opt-out from all campaigns. That is consent, and not permission:
    /// iOS says `authorized` at the first start of the app, whatever the person told the vendor.
    case subscribed
    case unsubscribed
    /// OneSignal's number for the subscription.
    case oneSignalNotificationTypes = "onesignal_notification_types"
    /// OneSignal's flag for a device that gets nothing, for whatever reason.
    case oneSignalInvalidIdentifier = "onesignal_invalid_identifier"
    /// Seconds east of Greenwich, used as the time zone if the line has no other.
    case utcOffset = "utc_offset"

    enum Effect: Equatable {
        case none
        /// The line is about a device of another platform.
        case leftOut
        case subscribed
        /// The person does not want pushes.
        case optedOut
        /// iOS may not show them.
        case denied
        /// Denied or opted out.
        case unreachable
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
        case .subscribed: return FileSpelling.subscription(field).map { $0 ? .subscribed : .optedOut }
        case .unsubscribed: return FileSpelling.flag(field).map { $0 ? .optedOut : .subscribed }
        case .oneSignalNotificationTypes: return Self.wholeNumber(text).map(Self.oneSignalSubscription)
        case .oneSignalInvalidIdentifier: return FileSpelling.flag(field).map { $0 ? .unreachable : Effect.none }
        case .utcOffset: return Self.zone(text).map { .timeZone($0) } ?? .unknownTimeZone
        }
    }

    /// 0: iOS has not given the permission. From -3 to -29 are technical faults and unanswered questions for it. The others
    /// are the word of the person or of the vendor's customer: -2 in the app, -30 and less by API.
    private static func oneSignalSubscription(_ types: Int) -> Effect {
        switch types {
        case 1...: .subscribed
        case 0, -29 ... -3: .denied
        default: .optedOut
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
        let message: Message =
            switch self {
            case .platform, .oneSignalDeviceType: "must be a platform, like ios or android"
            case .subscribed, .unsubscribed, .oneSignalInvalidIdentifier: "must be true or false"
            case .oneSignalNotificationTypes: "must be a whole number, like 1"
            case .utcOffset: Self.unknownOffset
            }
        return Problem(path: rawValue, code: "wrong-type", message: message)
    }

    private static let unknownOffset: Message =
        "is not the offset of a known time zone in seconds, like 3600 or 19800; the line is stored without a time zone"

    static let unknownTimeZone = Problem(
        path: utcOffset.rawValue, code: "unknown-time-zone", message: unknownOffset, severity: .warning)
}
