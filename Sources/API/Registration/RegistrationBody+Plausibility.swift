import Campaigns
import JSON
import Notifications
import Postgres
import Store

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

    /// Stores the canonical name: phones and browsers still send Asia/Calcutta.
    mutating func timeZone(_ given: PatchValue<String>) -> PatchValue<String> {
        guard case .value(let text) = given else { return given }
        if let name = ZoneName.canonical(text) { return .value(name) }
        warn(
            "time_zone", "unknown-time-zone",
            "is not a known time zone, like Europe/Berlin; the stored one stays, and without one the app's default "
                + "applies")
        return .absent
    }

    /// Removes a name in front of the number ("iOS 18.2", "Version 18.2 (Build 22C152)"): audiences compare numbers.
    mutating func osVersion(_ given: PatchValue<String>) -> PatchValue<String> {
        version(given, "os_version") { text in
            String(text.unicodeScalars.prefix { $0 == "." || "0"..."9" ~= $0 })
        }
    }

    /// The same; text behind the number stays ("release-4.3-beta"), because builds differ by it.
    mutating func appVersion(_ given: PatchValue<String>) -> PatchValue<String> {
        version(given, "app_version") { $0 }
    }

    /// `shortened` is what is stored of a version that had a name in front of it.
    private mutating func version(
        _ given: PatchValue<String>, _ path: String, _ shortened: (String) -> String
    ) -> PatchValue<String> {
        guard case .value(let spelled) = given else { return given }
        let plain = VersionSpelling.plain(spelled)
        guard !VersionSpelling.isNumbered(plain) else { return .value(plain) }
        let text = VersionSpelling.canonical(plain)
        guard VersionSpelling.isNumbered(text) else {
            warn(path, "unusual-version", "is not a version like 18.2, so audiences can't compare it")
            return .value(plain)
        }
        let version = shortened(text)
        warn(path, "unusual-version", "must be only the number; it is stored as \(version)")
        return .value(version)
    }

    /// An empty text says nothing.
    mutating func fact(_ given: PatchValue<String>, _ path: String) -> PatchValue<String> {
        guard given.value?.isEmpty == true else { return given }
        warn(path, "empty", "must not be empty; null clears it")
        return .absent
    }

    private mutating func warn(_ path: String, _ code: String, _ message: Message) {
        warnings.append(Problem(path: path, code: code, message: message, severity: .warning))
    }
}

extension ByteReader {
    /// Reads when a line of a file was true; null: it does not say.
    mutating func lineTime(_ path: String) throws(Malformed) -> Instant? {
        let start = position
        let text: String
        switch peek() {
        case UInt8(ascii: "\""): text = FileText.trim(try storableString().text)
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            _ = try number()
            text = String(decoding: self.text(from: start), as: UTF8.self)
        case UInt8(ascii: "n"):
            try word("null")
            return nil
        default:
            try wrongType(path, "a time like 2026-11-21T10:00:00Z")
            return nil
        }
        if text.isEmpty || FileText.isNoValue(text) { return nil }
        if let time = FileTime.instant(text) { return time }
        refuse(
            path, "invalid-time",
            "must be written like 2026-11-21T10:00:00Z, 2026-11-21 10:00:00 (UTC) or 2026-11-21, or be Unix time")
        return nil
    }

    /// Reads the time at which an app sent a request. One that can't be read orders nothing: phones with other
    /// calendars write such times, and must not be refused for it.
    mutating func sendingTime(_ path: String, _ warnings: inout [Problem]) throws(Malformed) -> Instant? {
        switch try eventTime() {
        case .receipt: return nil
        case .device(let time): return Instant(microseconds: time.microseconds)
        case .unreadable:
            warnings.append(
                Problem(
                    path: path, code: "invalid-time",
                    message: "must be written like 2026-11-21T10:00:00.000Z; without it, the request counts when it is "
                        + "received", severity: .warning))
            return nil
        }
    }
}
