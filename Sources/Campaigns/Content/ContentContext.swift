public import JSON
public import Notifications

/// The app's settings and facts about its devices, for checking, compiling and previewing content.
public struct ContentContext: Sendable {
    static let standardLocale = "en"
    static let standardTimeZone = "UTC"

    /// The app's custom key for the message id.
    public var messageIDKey: String
    /// For devices without a locale or time zone, and for the language of the default payload.
    public var defaultLocale: String
    public var defaultTimeZone: String
    public var attachmentKeys: AttachmentKeys
    /// The result of looking up the content's media; nil if it was not looked up.
    public var media: MediaLookupResult?
    /// Identifiers of the app's categories; nil to skip the check.
    public var categories: Set<String>?
    /// The locales that devices of the app have or had; nil to skip the check of locales.
    public var locales: Set<LocaleTag>?
    /// The longest value that any device has, per column and per attribute; for one inside another it is enough to have
    /// the outer one. A text of as many nines is enough, which is also a number. Empty if nothing is known.
    public var longestValues: [Field: JSON]

    public init(
        messageIDKey: String = "i", defaultLocale: String = "en", defaultTimeZone: String = "UTC",
        attachmentKeys: AttachmentKeys = .standard, media: MediaLookupResult? = nil, categories: Set<String>? = nil,
        locales: Set<LocaleTag>? = nil, longestValues: [Field: JSON] = [:]
    ) {
        self.messageIDKey = messageIDKey
        self.defaultLocale = defaultLocale
        self.defaultTimeZone = defaultTimeZone
        self.attachmentKeys = attachmentKeys
        self.media = media
        self.categories = categories
        self.locales = locales
        self.longestValues = longestValues
    }

    /// The payload with the attachment's keys, and with what lets the app's extension fetch it.
    func withMedia(_ payload: JSON) -> JSON {
        guard case .found(let url, let type) = media, case .object(var members) = payload else { return payload }
        let isMutable = JSON.Member("mutable-content", 1)
        if let index = members.firstIndex(where: { $0.key == "aps" }) {
            guard case .object(let aps) = members[index].value else { return payload }
            members[index].value = .object(aps.filter { $0.key != isMutable.key } + [isMutable])
        } else {
            members.append(JSON.Member("aps", .object([isMutable])))
        }
        members.removeAll { attachmentKeys.all.contains($0.key) }
        members.append(JSON.Member(attachmentKeys.url, .string(url)))
        if let key = attachmentKeys.type, let type { members.append(JSON.Member(key, .string(type))) }
        return .object(members)
    }

    /// Nil if no device has it. A value inside an attribute is at most as long as the attribute.
    func longestValue(of field: Field) -> JSON? {
        if let value = longestValues[field] { return value }
        guard case .attribute(let path) = field, path.count > 1, let whole = longestValues[.attribute([path[0]])] else {
            return nil
        }
        if let value = path.dropFirst().reduce(whole, { value, name in value?[name] }) { return value }
        return .string(String(repeating: "9", count: whole.encoded().count))
    }

    /// The context where everybody has these values, an object, in place of attributes with the same names.
    public func replacingAttributes(with values: JSON?) -> ContentContext {
        guard case .object(let members)? = values else { return self }
        // Compared as bytes, as PostgreSQL does: strings of Swift are equal in any Unicode form.
        let names = Set(members.map { Array($0.key.utf8) })
        var context = self
        context.longestValues = longestValues.filter { field, _ in
            if case .attribute(let path) = field, let name = path.first {
                !names.contains(Array(name.utf8))
            } else {
                true
            }
        }
        for member in members { context.longestValues[.attribute([member.key])] = member.value }
        return context
    }

    /// Whether some device has the attribute or one that contains it.
    func knows(_ field: Field) -> Bool {
        guard case .attribute(let path) = field, let first = path.first else { return true }
        return longestValues[field] != nil || longestValues[.attribute([first])] != nil
    }
}
