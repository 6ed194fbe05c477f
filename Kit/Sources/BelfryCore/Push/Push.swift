import Foundation

/// A decoded push. Make one at once in the callback, and pass it on instead of `userInfo`, which is not `Sendable`.
public struct Push: Sendable, Equatable {
    /// The file that a service extension downloads. The sender may be wrong about the type.
    public struct Attachment: Sendable, Equatable {
        /// An address with http or https.
        public let url: URL
        /// A MIME type, or a word like `image`; nil if the push names none.
        public let type: String?

        package init(url: URL, type: String?) {
            self.url = url
            self.type = type
        }
    }

    /// The id that acknowledgements name; nil if the push is not Belfry's.
    public let messageID: String?
    /// Nil if there is none, or if its address is not http or https.
    public let attachment: Attachment?
    /// Every member beside `aps` except the message id, unknown ones included.
    public let custom: [String: JSONValue]
    /// Every member of `aps`, so that one which Apple adds later can be read.
    public let aps: [String: JSONValue]

    /// Reads any dictionary. A member of the wrong type counts as absent; nothing in a payload can crash the app.
    public init(userInfo: [AnyHashable: Any], keys: PayloadKeys = PayloadKeys()) {
        var members = JSONValue(any: userInfo).object ?? [:]
        aps = members.removeValue(forKey: "aps")?.object ?? [:]
        messageID = members.removeValue(forKey: keys.messageID).flatMap(Self.messageID)
        custom = members
        attachment = Self.attachment(members, keys)
    }

    /// The text; nil for a silent push.
    public var alert: Alert? { aps["alert"].flatMap(Alert.init) }
    /// Nil leaves the icon's badge as it is, and 0 clears it.
    public var badge: Int? { aps["badge"]?.integer.flatMap { $0 >= 0 ? $0 : nil } }
    /// The category's identifier. iOS shows no buttons if the app has not registered it.
    public var category: String? { aps["category"]?.string }
    /// The thread by which iOS groups notifications.
    public var threadID: String? { aps["thread-id"]?.string }
    /// True if the push wakes the app. iOS delays and drops such pushes as it likes.
    public var isContentAvailable: Bool { aps["content-available"]?.integer == 1 }

    /// Longer ids are not Belfry's, and would fill the queue.
    private static let maximumMessageIDLength = 200

    private static func messageID(_ value: JSONValue) -> String? {
        switch value {
        case .string(let id) where (1...maximumMessageIDLength).contains(id.utf8.count): id
        case .integer(let id): String(id)
        default: nil
        }
    }

    private static func attachment(_ members: [String: JSONValue], _ keys: PayloadKeys) -> Attachment? {
        for key in keys.attachmentURLs {
            guard let text = members[key]?.string, let url = URL(string: text),
                let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host != nil
            else { continue }
            return Attachment(url: url, type: members[keys.attachmentType]?.string)
        }
        return nil
    }
}
