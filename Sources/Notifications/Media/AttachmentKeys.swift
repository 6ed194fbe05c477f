public import JSON

/// The custom keys in which an app's service extension finds an attachment; they differ by app.
public struct AttachmentKeys: Sendable, Hashable {
    /// The key of the address.
    public var url: String
    /// The key of the type, `image`, `audio` or `video`; nil if the app detects the type.
    public var type: String?

    public static let standard = AttachmentKeys(url: "attachment-url", type: "attachment-type")
    /// The key of many apps that follow early examples.
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

    /// `messageIDKey` is the app's key for the message id, which is not allowed here.
    public init(json: JSON, messageIDKey: String?) throws(Problems) {
        self = try ObjectReader.document(json, named: "the attachment keys") { reader in
            reader.require(Key.url)
            let check = { (key: String) throws(InvalidValue) in try Self.check(key, messageIDKey) }
            let keys = AttachmentKeys(url: reader.value(Key.url, check) ?? "", type: reader.value(Key.type, check))
            if keys.type == keys.url {
                reader.refuse(Key.type, "duplicate-key", "must be different from \(Key.url.rawValue)")
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
        guard !key.unicodeScalars.contains(where: \.isUnsafeInNames) else {
            throw InvalidValue("bad-character", "must not contain line breaks or other control characters")
        }
        guard key != "aps" else { throw InvalidValue("custom-key-aps", "must not be aps, which is reserved for Apple") }
        guard key != messageIDKey else {
            throw InvalidValue("message-id-key-in-use", "must not be \(key), which is the key of the message id")
        }
        return key
    }

    /// The keys that `attach` writes.
    public var all: [String] {
        [url] + (type.map { [$0] } ?? [])
    }

    /// The custom members for `address`. Media that was not inspected has no kind, and the type is omitted.
    public func members(for address: MediaURL, _ kind: MediaKind?) -> [JSON.Member] {
        var members = [JSON.Member(url, .string(address.text))]
        if let type, let kind { members.append(JSON.Member(type, .string(kind.rawValue))) }
        return members
    }

    /// Returns `payload` with those members, which replace existing ones, and with `mutable-content`, without which
    /// the device does not run the extension that loads the attachment.
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
