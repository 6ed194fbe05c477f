/// A value of a recipient that a template can use.
public enum Field: Hashable, Sendable {
    case device(DeviceField)
    /// A path into the device's attributes: `["first_name"]`, `["address", "city"]`. Never empty.
    case attribute([String])

    /// Names in an attribute's path at most.
    public static let maximumDepth = 8
}

/// A column of the device; the raw value is its name in templates.
public enum DeviceField: String, CaseIterable, Hashable, Sendable {
    case userID = "user_id"
    case locale
    case timeZone = "time_zone"
    case osVersion = "os_version"
    case appVersion = "app_version"
    case model
    /// Not a column: the locale's first part, `zh` of `zh-Hant-HK`. Compiled content selects the locale instead.
    case language

    /// Whether `<` and `>` compare it part by part, so that 9.3 is less than 17.0.
    var isVersion: Bool { self == .osVersion || self == .appVersion }
}

extension Field: CustomStringConvertible {
    /// The word before the names of attributes, needed where a device's field has the same name.
    static let attributes = "attributes"

    /// As a template writes it: `locale`, `first_name`, `attributes.locale`, `attributes["first name"]`.
    public var description: String {
        switch self {
        case .device(let field): return field.rawValue
        case .attribute(let path):
            let first = path.first ?? ""
            let isPlain = LiquidLexer.isWord(first) && Field(name: first) == .attribute([first])
            let start = isPlain ? "" : Field.attributes
            return path.reduce(into: start) { text, name in
                if LiquidLexer.isWord(name) {
                    text += text.isEmpty ? name : "." + name
                } else {
                    text += "[\"\(name)\"]"
                }
            }
        }
    }

    /// The device's field with the name, or else the attribute. Nil for `attributes`, which is not a value by itself.
    init?(name: String) {
        guard name != Field.attributes else { return nil }
        self = DeviceField(rawValue: name).map(Field.device) ?? .attribute([name])
    }
}
