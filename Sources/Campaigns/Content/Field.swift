/// What a template may ask of a recipient.
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
    /// Not a column: the locale's first part, `zh` of `zh-Hant-HK`. No compiled content asks for it, but for the locale.
    case language

    /// Whether `<` and `>` compare it part by part, so that 9.3 stands before 17.0.
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

    /// What a single name means: the device's field of that name, else an attribute. Nil for `attributes`, which is
    /// nothing by itself.
    init?(name: String) {
        guard name != Field.attributes else { return nil }
        self = DeviceField(rawValue: name).map(Field.device) ?? .attribute([name])
    }
}
