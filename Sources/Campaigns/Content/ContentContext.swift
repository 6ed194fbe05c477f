public import JSON
public import Notifications

/// What a content is checked, compiled and previewed against: the app's settings, and what is known of its devices.
public struct ContentContext: Sendable {
    static let standardLocale = "en"
    static let standardTimeZone = "UTC"

    /// The app's custom key for the message id.
    public var messageIDKey: String
    /// For devices that have told no locale or time zone, and for the language of the payload for everybody.
    public var defaultLocale: String
    public var defaultTimeZone: String
    public var attachmentKeys: AttachmentKeys
    /// What was found of the content's media.
    public var media: MediaFinding?
    /// Identifiers of the categories that the app has; nil not to look.
    public var categories: Set<String>?
    /// The longest value that any device has, per column and per attribute; for one inside another it is enough to have
    /// the outer one. A text of as many nines will do, which pass for a number too. Empty when nothing is known.
    public var longestValues: [Field: JSON]

    public init(
        messageIDKey: String = "i", defaultLocale: String = "en", defaultTimeZone: String = "UTC",
        attachmentKeys: AttachmentKeys = .standard, media: MediaFinding? = nil, categories: Set<String>? = nil,
        longestValues: [Field: JSON] = [:]
    ) {
        self.messageIDKey = messageIDKey
        self.defaultLocale = defaultLocale
        self.defaultTimeZone = defaultTimeZone
        self.attachmentKeys = attachmentKeys
        self.media = media
        self.categories = categories
        self.longestValues = longestValues
    }

    /// The payload with the attachment's keys, and with what lets the app's extension fetch it.
    func withMedia(_ payload: JSON) -> JSON {
        guard case .found(let url, let type) = media, case .object(var members) = payload else { return payload }
        let isMutable = JSON.Member("mutable-content", 1)
        if let place = members.firstIndex(where: { $0.key == "aps" }) {
            guard case .object(let aps) = members[place].value else { return payload }
            members[place].value = .object(aps.filter { $0.key != isMutable.key } + [isMutable])
        } else {
            members.append(JSON.Member("aps", .object([isMutable])))
        }
        members.removeAll { attachmentKeys.all.contains($0.key) }
        members.append(JSON.Member(attachmentKeys.url, .string(url)))
        if let key = attachmentKeys.type, let type { members.append(JSON.Member(key, .string(type))) }
        return .object(members)
    }

    /// Nil when no device has it. What stands inside an attribute is no longer than that.
    func longestValue(of field: Field) -> JSON? {
        if let value = longestValues[field] { return value }
        guard case .attribute(let path) = field, path.count > 1, let whole = longestValues[.attribute([path[0]])] else {
            return nil
        }
        if let value = path.dropFirst().reduce(whole, { value, name in value?[name] }) { return value }
        return .string(String(repeating: "9", count: whole.encoded().count))
    }

    /// Whether some device has the attribute, or the one that it stands in.
    func knows(_ field: Field) -> Bool {
        guard case .attribute(let path) = field, let first = path.first else { return true }
        return longestValues[field] != nil || longestValues[.attribute([first])] != nil
    }
}
