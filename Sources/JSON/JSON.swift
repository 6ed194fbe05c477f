/// A JSON value that keeps what it was given: the order of members and the text of numbers.
///
/// Payloads go out as they came in. A dictionary would shuffle their keys and a `Double` would round
/// 11153971268435968, which some apps use as an id.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Number)
    case string(String)
    case array([JSON])
    /// Members in the order of the source. A parsed object has no key twice; one built by hand may.
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

    /// The value under `key`, the first one should there be several; nil if absent or no object.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// Whether both are the same value when the order of members is set aside. `==` minds the order.
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
    /// Appends a member, or nothing when the value is absent.
    public mutating func append(_ key: some MemberName, _ value: JSON?) {
        guard let value else { return }
        append(JSON.Member(key.memberName, value))
    }
}
