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
    /// The longest value that any device has, per column and per attribute (a nested one may be left out where the
    /// attribute that it stands in is given). Empty when nothing is known.
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
        if let place = members.firstIndex(where: { $0.key == "aps" }), case .object(var aps) = members[place].value {
            aps.removeAll { $0.key == "mutable-content" }
            aps.append(JSON.Member("mutable-content", 1))
            members[place].value = .object(aps)
        }
        members.removeAll { attachmentKeys.all.contains($0.key) }
        members.append(JSON.Member(attachmentKeys.url, .string(url)))
        if let key = attachmentKeys.type, let type { members.append(JSON.Member(key, .string(type))) }
        return .object(members)
    }

    /// Nil when no device has it.
    func longestValue(of field: Field) -> JSON? {
        if let value = longestValues[field] { return value }
        guard case .attribute(let path) = field, path.count > 1 else { return nil }
        return path.dropFirst().reduce(longestValues[.attribute([path[0]])]) { value, name in value?[name] }
    }

    /// Whether some device has the attribute, or the one that it stands in.
    func knows(_ field: Field) -> Bool {
        guard case .attribute(let path) = field, let first = path.first else { return true }
        return longestValues[field] != nil || longestValues[.attribute([first])] != nil
    }
}
