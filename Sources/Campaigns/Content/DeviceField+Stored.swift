import JSON
import Notifications

/// The form in which devices have the values of their fields: registrations are stored in it, and texts that are
/// compared with a field are brought into it.
extension DeviceField {
    /// Nil for a text that the field of no device has.
    public func stored(_ text: String) -> String? {
        switch self {
        case .locale: LocaleTag.locale(text)?.text
        case .timeZone: ZoneName.canonical(text)
        case .language: Self.language(text)
        case .osVersion, .appVersion: VersionSpelling.canonical(text)
        case .model: text.composed
        case .userID: text
        }
    }

    /// A language without script and region: `zh-TW` is none, and `zh` would be more than was meant.
    private static func language(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }) else {
            return nil
        }
        return (try? LocaleTag(text))?.language
    }
}
