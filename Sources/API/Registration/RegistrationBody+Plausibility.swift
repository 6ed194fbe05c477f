import Campaigns
import JSON
import Notifications

/// Values that are probably wrong, or are written in another way than they are stored. They never prevent a
/// registration: the app gets a warning, and the last good value stays.
extension RegistrationBody {
    /// In bytes: the size of the tokens that iOS issues; those of Live Activities are longer.
    private static let usualTokenSize = 32

    mutating func checkToken(_ token: DeviceToken) {
        guard token.bytes.count < Self.usualTokenSize else { return }
        warn(
            "token", "short-token",
            "has only \(token.bytes.count) bytes, and tokens of iOS have \(Self.usualTokenSize) or more; send all bytes "
                + "that iOS returned")
    }

    /// Stores the canonical form: Foundation writes zh_Hant_HK, which is stored as zh-Hant-HK.
    mutating func locale(_ given: PatchValue<String>) -> PatchValue<String> {
        guard case .value(let text) = given else { return given }
        if let locale = LocaleTag.locale(text) { return .value(locale.text) }
        warn(
            "locale", "unknown-locale",
            "is not a locale like en or zh-Hant-HK; the stored one stays, and without one the app's default applies")
        return .absent
    }

    mutating func timeZone(_ given: PatchValue<String>, _ isTimeZone: (String) -> Bool) -> PatchValue<String> {
        guard case .value(let name) = given else { return given }
        if name.utf8.count <= Self.maximumTimeZoneLength {
            if isTimeZone(name) { return given }
            if let zone = FixedOffsetZone.name(of: name), isTimeZone(zone) { return .value(zone) }
        }
        warn(
            "time_zone", "unknown-time-zone",
            "is not a known time zone, like Europe/Berlin; the stored one stays, and without one the app's default "
                + "applies")
        return .absent
    }

    /// Removes a name in front of the number ("iOS 18.2", "Version 18.2 (Build 22C152)"): audiences compare numbers.
    mutating func osVersion(_ given: PatchValue<String>) -> PatchValue<String> {
        guard case .value(let spelled) = given else { return given }
        let text = VersionSpelling.canonical(spelled)
        guard let first = text.unicodeScalars.first, !("0"..."9").contains(first) else { return .value(text) }
        let number = text.unicodeScalars.drop { !("0"..."9").contains($0) }.prefix { $0 == "." || "0"..."9" ~= $0 }
        guard !number.isEmpty else {
            warn("os_version", "unusual-version", "is not a version like 18.2, so audiences can't compare it")
            return given
        }
        let version = String(String.UnicodeScalarView(number))
        warn("os_version", "unusual-version", "must be only the number; it is stored as \(version)")
        return .value(version)
    }

    func appVersion(_ given: PatchValue<String>) -> PatchValue<String> {
        given.value.map { .value(VersionSpelling.canonical($0)) } ?? given
    }

    private mutating func warn(_ path: String, _ code: String, _ message: String) {
        warnings.append(Problem(path: path, code: code, message: message, severity: .warning))
    }
}

/// Zones with a fixed offset, as Foundation names them when a device has no other: "GMT+0800", "GMT+05:30", "UTC+8".
enum FixedOffsetZone {
    /// A zone that PostgreSQL and Foundation know by name. Etc/GMT-8 is eight hours east of Greenwich.
    static func name(of text: String) -> String? {
        guard let match = text.wholeMatch(of: /(?:GMT|UTC)([+-])(\d{1,2}):?(\d{2})?/), let hours = Int(match.2),
            let minutes = Int(match.3 ?? "00")
        else { return nil }
        let isEast = match.1 == "+"
        if minutes > 0 { return halfHours["\(match.1)\(hours):\(minutes)"] }
        if hours == 0 { return "Etc/GMT" }
        guard hours <= (isEast ? 14 : 12) else { return nil }
        return "Etc/GMT\(isEast ? "-" : "+")\(hours)"
    }

    /// Zones without daylight saving time.
    private static let halfHours = [
        "+3:30": "Asia/Tehran", "+4:30": "Asia/Kabul", "+5:30": "Asia/Kolkata", "+5:45": "Asia/Kathmandu",
        "+6:30": "Asia/Yangon", "+8:45": "Australia/Eucla", "+9:30": "Australia/Darwin", "-9:30": "Pacific/Marquesas",
    ]
}
