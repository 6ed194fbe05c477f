/// A JSON value that preserves the order of members and the text of numbers.
///
/// Payloads are sent as they were received. A dictionary would shuffle their keys and a `Double` would round
/// 11153971268435968, which some apps use as an id.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Number)
    case string(String)
    case array([JSON])
    /// Members in the order of the source. A parsed object has no duplicate keys; one built in code may.
    case object([Member])

    /// A key of an object and its value.
    public struct Member: Sendable, Equatable {
        public var key: String
        public var value: JSON

        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// The value of `key`, the first one if there are several; nil if it is absent or this is not an object.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// Whether both values are equal, ignoring the order of members. `==` compares the order too.
    public func isEquivalent(to other: JSON) -> Bool {
        switch (self, other) {
        case (.array(let mine), .array(let theirs)):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.isEquivalent(to: $1) }
        case (.object(let mine), .object(let theirs)):
            mine.count == theirs.count
                && mine.allSatisfy { member in other[member.key].map(member.value.isEquivalent(to:)) ?? false }
        default:
            self == other
        }
    }
}

extension [JSON.Member] {
    /// Appends a member, or nothing if the value is nil.
    public mutating func append(_ key: some MemberName, _ value: JSON?) {
        guard let value else { return }
        append(JSON.Member(key.memberName, value))
    }
}
