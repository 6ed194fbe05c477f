import Campaigns
import Notifications
import Store

/// The body of PUT and PATCH on a device, read member by member.
struct RegistrationBody: Equatable {
    /// Bytes of a whole body; its attributes may be 4 KiB of it.
    static let maximumSize = 16 * 1024
    /// Bytes of one text.
    static let maximumUserIDLength = 200
    static let maximumLocaleLength = 35
    static let maximumTimeZoneLength = 64
    static let maximumVersionLength = 64
    static let maximumModelLength = 100

    var changes = DeviceChanges()
    /// What was not taken as it was given: an odd locale or time zone is no reason to lose a phone.
    var warnings: [Problem] = []

    private enum Member: String, CaseIterable {
        case token, environment, authorization
        case userID = "user_id"
        case locale
        case timeZone = "time_zone"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case model, attributes
    }

    /// `isTimeZone` knows the names that the database knows.
    static func read(
        _ bytes: [UInt8], for kind: Registration.Kind, isTimeZone: (String) -> Bool
    ) throws(ByteReader.Malformed) -> (body: RegistrationBody, problems: [Problem]) {
        let read = try ByteReader.read(bytes) { reader throws(ByteReader.Malformed) in
            var body = RegistrationBody()
            try body.read(&reader, kind, isTimeZone)
            return body
        }
        return (read.value, read.problems)
    }

    private mutating func read(
        _ reader: inout ByteReader, _ kind: Registration.Kind, _ isTimeZone: (String) -> Bool
    ) throws(ByteReader.Malformed) {
        guard reader.peek() == UInt8(ascii: "{") else { return try reader.wrongType("", "an object") }
        var seen: UInt16 = 0
        try reader.members { reader, key throws(ByteReader.Malformed) in
            guard let index = Self.index(of: key) else { return try reader.unknownMember(key) }
            guard seen & 1 << index == 0 else { throw reader.repeated(key) }
            seen |= 1 << index
            try self.read(Self.members[index].member, &reader, isTimeZone)
        }
        guard kind == .register else { return }
        for required in [Member.token, .environment] {
            guard let index = Self.index(of: required.rawValue), seen & 1 << index == 0 else { continue }
            reader.refuse(required.rawValue, "missing", "is needed to register a device")
        }
    }

    /// A table in the order that phones usually write in: looking a name up compares few.
    private static let members = Member.allCases.map { (name: $0.rawValue, member: $0) }

    private static func index(of key: String) -> Int? { members.firstIndex { $0.name == key } }

    private mutating func read(
        _ member: Member, _ reader: inout ByteReader, _ isTimeZone: (String) -> Bool
    ) throws(ByteReader.Malformed) {
        let path = member.rawValue
        switch member {
        case .token:
            guard let hex = try reader.requiredText(path) else { return }
            do throws(InvalidValue) {
                changes.token = try DeviceToken(hex: hex)
            } catch {
                reader.problems.append(error.problem(at: path))
            }
        case .environment:
            guard let name = try reader.requiredText(path) else { return }
            changes.environment = PushEnvironment(name: name)
            if changes.environment == nil {
                reader.refuse(path, "unknown-environment", "must be production or development")
            }
        case .authorization:
            if reader.peek() == UInt8(ascii: "n") {
                try reader.word("null")
                changes.authorization = .standard
                return
            }
            guard let name = try reader.requiredText(path) else { return }
            changes.authorization = AuthorizationStatus(name: name)
            if changes.authorization == nil {
                let names = AuthorizationStatus.allCases.map(\.name).joined(separator: ", ")
                reader.refuse(path, "unknown-authorization", "must be one of \(names)")
            }
        case .userID: changes.userID = try reader.text(path, 1...Self.maximumUserIDLength)
        case .locale: changes.locale = locale(try reader.text(path, 0...RegistrationBody.maximumSize))
        case .timeZone:
            changes.timeZone = timeZone(try reader.text(path, 0...RegistrationBody.maximumSize), isTimeZone)
        case .osVersion: changes.osVersion = try reader.text(path, 1...Self.maximumVersionLength)
        case .appVersion: changes.appVersion = try reader.text(path, 1...Self.maximumVersionLength)
        case .model: changes.model = try reader.text(path, 1...Self.maximumModelLength)
        case .attributes: changes.attributes = try reader.attributes(path)
        }
    }

    /// Foundation writes zh_Hant_HK, the web zh-Hant-HK (BCP 47): kept is the latter.
    private mutating func locale(_ given: Given<String>) -> Given<String> {
        guard case .value(let text) = given else { return given }
        if let tag = LanguageTag.normalized(text) { return .value(tag) }
        warnings.append(
            Problem(
                path: "locale", code: "unknown-locale",
                message: "is not a locale like en or zh-Hant-HK; the app's default holds", severity: .warning))
        return .null
    }

    private mutating func timeZone(_ given: Given<String>, _ isTimeZone: (String) -> Bool) -> Given<String> {
        guard case .value(let name) = given else { return given }
        if name.utf8.count <= Self.maximumTimeZoneLength, isTimeZone(name) { return given }
        warnings.append(
            Problem(
                path: "time_zone", code: "unknown-time-zone",
                message: "is not a time zone that is known here, like Europe/Berlin; the app's default holds",
                severity: .warning))
        return .null
    }
}

/// The shape of a language tag, RFC 5646 §2.1, without the registry behind it.
enum LanguageTag {
    /// Nil for what has not the shape: subtags of letters and digits, the first of two to eight letters. Foundation's
    /// keywords ("en_US@calendar=japanese") say nothing about the language and are left out.
    static func normalized(_ text: String) -> String? {
        var tag: [UInt8] = []
        var subtag = 0
        var isFirst = true
        for byte in text.utf8 {
            if byte == UInt8(ascii: "@") { break }
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                subtag += 1
                tag.append(byte)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard !isFirst else { return nil }
                subtag += 1
                tag.append(byte)
            case UInt8(ascii: "-"), UInt8(ascii: "_"):
                guard subtag > (isFirst ? 1 : 0) else { return nil }
                isFirst = false
                subtag = 0
                tag.append(UInt8(ascii: "-"))
            default: return nil
            }
            guard subtag <= 8, tag.count <= RegistrationBody.maximumLocaleLength else { return nil }
        }
        guard subtag > (isFirst ? 1 : 0) else { return nil }
        return String(decoding: tag, as: UTF8.self)
    }
}
