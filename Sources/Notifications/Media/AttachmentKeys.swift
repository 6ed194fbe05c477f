public import JSON

/// The custom keys under which an app's service extension looks for an attachment: each app has its own.
public struct AttachmentKeys: Sendable, Hashable {
    /// Leads to the address.
    public var url: String
    /// Leads to `image`, `audio` or `video`; nil where the app finds out what is there.
    public var type: String?

    public static let standard = AttachmentKeys(url: "attachment-url", type: "attachment-type")
    /// As many apps made after early examples have it.
    public static let imageOnly = AttachmentKeys(url: "attachment-image")

    /// In bytes, of one key.
    public static let maximumSize = 32

    private enum Key: String, MemberName {
        case url
        case type
    }

    public init(url: String, type: String? = nil) {
        self.url = url
        self.type = type
    }

    /// `messageIDKey` is the app's, and taken.
    public init(json: JSON, messageIDKey: String?) throws(Problems) {
        self = try ObjectReader.document(json, named: "the keys of attachments") { reader in
            reader.require(Key.url)
            let check = { (key: String) throws(InvalidValue) in try Self.check(key, messageIDKey) }
            let keys = AttachmentKeys(url: reader.value(Key.url, check) ?? "", type: reader.value(Key.type, check))
            if keys.type == keys.url {
                reader.refuse(Key.type, "key-twice", "must not be the same key as that of the address")
            }
            return keys
        }
    }

    public var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.url, .string(url))
        members.append(Key.type, type.map { .string($0) })
        return .object(members)
    }

    private static func check(_ key: String, _ messageIDKey: String?) throws(InvalidValue) -> String {
        guard !key.isEmpty else { throw InvalidValue("empty", "must not be empty") }
        guard key.utf8.count <= maximumSize else {
            throw InvalidValue("too-long", "must be at most \(maximumSize) bytes, not \(key.utf8.count)")
        }
        guard !key.unicodeScalars.contains(where: \.isControl) else {
            throw InvalidValue("bad-character", "must not hold line breaks or other control characters")
        }
        guard key != "aps" else { throw InvalidValue("custom-key-aps", "must not be aps, which is Apple's") }
        guard key != messageIDKey else {
            throw InvalidValue("message-id-key-taken", "must not be \(key): the message id goes under it")
        }
        return key
    }

    /// The keys that `attach` writes.
    public var all: [String] {
        [url] + (type.map { [$0] } ?? [])
    }

    /// The custom members that lead to `address`. What was not looked at has no kind, and gets no type.
    public func members(for address: MediaURL, _ kind: MediaKind?) -> [JSON.Member] {
        var members = [JSON.Member(url, .string(address.text))]
        if let type, let kind { members.append(JSON.Member(type, .string(kind.rawValue))) }
        return members
    }

    /// `payload` with those members, in place of what stood under their keys, and with `mutable-content`, without which
    /// the phone does not run the extension that loads the attachment.
    public func attach(_ address: MediaURL, _ kind: MediaKind?, to payload: Payload) -> Payload {
        var payload = payload
        payload.custom.removeAll { all.contains($0.key) }
        payload.custom += members(for: address, kind)
        var aps = payload.aps ?? APS()
        aps.mutableContent = true
        payload.aps = aps
        return payload
    }
}
