import HTTPServer
import JSON
import Notifications

/// A column of a device file, identified by its name in the header.
enum DeviceColumn: Hashable {
    case text(String)
    /// true or false.
    case flag(String)
    /// A JSON list, or texts separated by semicolons.
    case list(String)
    /// JSON.
    case json(String)
    case attribute(String, AttributeType)
    /// An attribute of the person.
    case personAttribute(String, AttributeType)
    /// When the line was true.
    case time(String)
    /// A column of other vendors' exports, which decides something about the line.
    case rule(DeviceRule)
    /// A column that an export writes and an import ignores.
    case ignored(String)

    /// The type of an attribute's field: `attr.plan` is text, `attr.visits:number` is a number.
    enum AttributeType: String {
        case text, number, boolean, json
    }

    /// All columns except those of single attributes, in the order of an export.
    static let all: [DeviceColumn] = [
        .text("installation"), .text("kind"), .text("activity"), .text("token"), .text("environment"),
        .text("authorization_status"), .text("user_id"), .text("locale"), .text("time_zone"), .text("os_version"),
        .text("app_version"), .text("model"), .json("settings"), .list("tags"), .list("opt_outs"), .json("attributes"),
        .json("person"), .flag("is_test"), .text("nickname"), .ignored("id"), .ignored("created_at"),
        .time("updated_at"), .time("last_seen_at"),
    ]

    /// A column of files that are not exports: one time for the line.
    private static let asOf = DeviceColumn.time("as_of")

    static let timeNames: Set<String> = ["updated_at", "last_seen_at", asOf.name]

    /// Columns that only imports have. `line` and `reason` are those of a file of refused lines.
    private static let importOnly =
        [asOf] + DeviceRule.allCases.map { rule($0) } + [.ignored("line"), .ignored("reason")]

    /// The columns that an import knows, by their names without case and separators.
    private static let byName: [String: DeviceColumn] = {
        var columns: [String: DeviceColumn] = [:]
        for column in all + importOnly { columns[fold(column.name)] = column }
        for (other, name) in otherNames { columns[other] = columns[fold(name)] }
        return columns
    }()

    /// Other programs' names for these columns, without case and separators.
    private static let otherNames = [
        "devicetoken": "token", "pushtoken": "token", "apnstoken": "token", "apnsdevicetoken": "token",
        "installationid": "installation", "apnsenvironment": "environment", "apsenvironment": "environment",
        "env": "environment", "language": "locale", "iosversion": "os_version", "devicemodel": "model",
        "authorization": "authorization_status", "istestdevice": "is_test", "tag": "tags", "optedout": "opt_outs",
    ]

    /// Names that probably mean a column, for a suggestion.
    static let probableNames = [
        "externalid": "user_id", "externaluserid": "user_id", "uid": "user_id", "customerid": "user_id",
        "user": "user_id", "useridentifier": "user_id", "deviceid": "installation", "apptoken": "token",
        "registrationid": "token", "identifier": "token", "pushid": "token", "iostoken": "token",
        "pushtokenios": "token", "identity": "user_id", "devicetype": "platform", "os": "platform", "tz": "time_zone",
        "lang": "locale", "status": "authorization_status",
        "permission": "authorization_status", "version": "app_version", "device": "model", "topics": "opt_outs",
        "unsubscribedtopics": "opt_outs", "labels": "tags", "name": "nickname", "production": "environment",
        "sandbox": "environment", "optin": "subscribed", "optedin": "subscribed", "pushsubscribe": "subscribed",
        "subscription": "subscribed", "subscriptionstatus": "subscribed", "optout": "unsubscribed",
        "unsubscribe": "unsubscribed", "test": "is_test",
    ]

    static let ignoredNames = Set(
        all.compactMap { column -> String? in
            if case .ignored(let name) = column { name } else { nil }
        })

    static let attributePrefix = "attr."
    static let personPrefix = "person.attr."

    var name: String {
        switch self {
        case .text(let name), .flag(let name), .list(let name), .json(let name), .time(let name),
            .ignored(let name):
            name
        case .rule(let rule): rule.rawValue
        case .attribute(let name, _): Self.attributePrefix + name
        case .personAttribute(let name, _): Self.personPrefix + name
        }
    }

    /// The name with the type of an attribute, as a header has it.
    var header: String {
        switch self {
        case .attribute(_, let type) where type != .text, .personAttribute(_, let type) where type != .text:
            name + ":" + type.rawValue
        default: name
        }
    }

    /// Nil for an unknown name. Case and separators don't matter, except in the names of attributes.
    init?(_ name: String) {
        if let column = Self.byName[Self.fold(name)] {
            self = column
        } else if let rest = Self.rest(of: name, after: Self.attributePrefix),
            let (attribute, type) = Self.attribute(rest)
        {
            self = .attribute(attribute, type)
        } else if let rest = Self.rest(of: name, after: Self.personPrefix), let (attribute, type) = Self.attribute(rest)
        {
            self = .personAttribute(attribute, type)
        } else {
            return nil
        }
    }

    private static let separators: Set<Character> = [" ", "-", "_", "\u{A0}"]

    static func fold(_ name: String) -> String { name.lowercased().filter { !separators.contains($0) } }

    static func rest(of name: String, after prefix: String) -> Substring? {
        name.lowercased().hasPrefix(prefix) ? name.dropFirst(prefix.count) : nil
    }

    private static func attribute(_ name: Substring) -> (String, AttributeType)? {
        guard let colon = name.lastIndex(of: ":") else { return name.isEmpty ? nil : (String(name), .text) }
        // A misspelled type must not become part of the name.
        guard let type = AttributeType(rawValue: name[name.index(after: colon)...].lowercased()) else { return nil }
        return (String(name[..<colon]), type)
    }

    /// A suggestion for an unknown name.
    static func suggestion(for name: String) -> String? {
        if let probable = probableNames[fold(name)] { return probable }
        let candidates = (all + importOnly).map(\.name) + otherNames.keys.sorted()
        let folded = fold(name)
        // Of short words, few letters are enough to make another one, unless they begin in the same way.
        let near =
            Spelling.nearest(to: name, among: candidates)
            ?? candidates.first {
                folded.count >= 3 && fold($0).hasPrefix(folded.prefix(3)) && abs(fold($0).count - folded.count) <= 1
            }
        return near.flatMap { byName[fold($0)]?.name }
    }
}
