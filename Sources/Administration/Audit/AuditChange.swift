public import JSON

/// The effect of a change on a resource, as the audit log keeps it: only the members that differ, and no secrets.
public struct AuditChange: Hashable, Sendable {
    /// Bytes of one side; of a longer one, only its length is kept.
    static let maximumSize = 32 * 1024

    public let before: String?
    public let after: String?

    /// Nil for a side that doesn't exist: before a creation, and after a deletion.
    public init(before: JSON?, after: JSON?) {
        guard case .object(let old) = before, case .object(let new) = after else {
            self.before = before.map(Self.text)
            self.after = after.map(Self.text)
            return
        }
        func differing(_ members: [JSON.Member], from others: [JSON.Member]) -> JSON {
            .object(members.filter { member in others.first { $0.key == member.key }?.value != member.value })
        }
        self.before = Self.text(differing(old, from: new))
        self.after = Self.text(differing(new, from: old))
    }

    private static func text(_ json: JSON) -> String {
        let bytes = redacted(json).encoded()
        guard bytes.count <= maximumSize else { return #"{"omitted_bytes":\#(bytes.count)}"# }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value without what opens something: keys, passwords, tokens, one-time addresses, and the installations that
    /// are the devices' only secret.
    static func redacted(_ json: JSON) -> JSON {
        switch json {
        case .object(let members):
            .object(
                members.map { member in
                    isSecret(member)
                        ? JSON.Member(member.key, "hidden") : JSON.Member(member.key, redacted(member.value))
                })
        case .array(let elements): .array(elements.map(redacted))
        case .string(let text) where text.hasPrefix("bfs_") || text.hasPrefix("bfp_"):
            // The prefix by which a key is known has eight characters.
            text.utf8.count > 8 ? "hidden" : json
        case .null, .bool, .number, .string: json
        }
    }

    private static let secrets = ["password", "token", "secret", "p8", "link", "installation", "signature"]

    private static func isSecret(_ member: JSON.Member) -> Bool {
        guard member.value != .null else { return false }
        if case .bool = member.value { return false }
        return secrets.contains { member.key.contains($0) }
    }
}
