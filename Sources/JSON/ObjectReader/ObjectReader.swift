/// Reads the members of a JSON object one by one and collects all problems.
///
/// An absent member and one whose value has the wrong type both return nil; the latter adds a problem. Check
/// `isValid` or `problems` before you treat nil as "absent". Members that are not taken stay in `rest`.
public struct ObjectReader {
    private let path: String
    public let keyOrder: KeyOrder
    /// The members that were not taken yet.
    public private(set) var rest: [JSON.Member]
    public private(set) var problems: [Problem] = []
    /// Every name that was taken: candidates for the suggestion when a field is unknown.
    private var known: [String] = []

    public init(_ members: [JSON.Member], path: String = "") {
        self.path = path
        keyOrder = KeyOrder(members)
        rest = members
    }

    public var isValid: Bool { problems.isEmpty }

    // MARK: Members

    public func has(_ key: some MemberName) -> Bool {
        rest.contains { $0.key == key.memberName }
    }

    public mutating func take(_ key: some MemberName) -> JSON? {
        let name = key.memberName
        known.append(name)
        guard let index = rest.firstIndex(where: { $0.key == name }) else { return nil }
        return rest.remove(at: index).value
    }

    /// Takes a member whose value is null, which clears a field. Returns false and takes nothing for any other value.
    public mutating func takeNull(_ key: some MemberName) -> Bool {
        guard rest.contains(where: { $0.key == key.memberName && $0.value == .null }) else { return false }
        _ = take(key)
        return true
    }

    /// Drops the members whose value is null.
    public mutating func dropNulls() {
        rest.removeAll { $0.value == .null }
    }

    /// Discards the remaining members, for an object whose type is unknown.
    public mutating func skipRest() {
        rest = []
    }

    /// Adds a problem for each member that is absent.
    public mutating func require<Key: MemberName>(_ keys: Key...) {
        for key in keys where !has(key) { refuse(key, "missing", "is required") }
    }

    /// Adds a problem for each member that was not taken, with a suggestion if a known name is similar.
    public mutating func refuseRest() {
        for member in rest {
            let suggestion = Spelling.suggestion(for: member.key, among: known)
            refuse(member.key, "unknown-field", "is not a known field\(suggestion)")
        }
        rest = []
    }

    // MARK: Problems

    public mutating func refuse(_ key: some MemberName, _ code: String, _ message: Message) {
        problems.append(.error(path(of: key), code, message))
    }

    /// Adds a problem at a path relative to this object, such as `actions[1]`, built by `ProblemPath`.
    public mutating func refuse(at path: String, _ code: String, _ message: Message) {
        problems.append(.error(ProblemPath.joined(self.path, path), code, message))
    }

    public mutating func refuse(_ more: [Problem]) {
        problems += more
    }

    public mutating func wrongType(_ key: some MemberName, _ wanted: Message, _ found: JSON) {
        refuse(key, "wrong-type", "must be \(wanted), not \(found.summary)")
    }

    // MARK: Objects inside

    /// Reads the object at `key` with `read`, whose problems are added to this reader's.
    public mutating func object<Value>(
        _ key: some MemberName, _ read: (inout ObjectReader) -> Value
    ) -> Value? {
        members(key).map { object(key, $0, read) }
    }

    /// As above, for a value that was already taken.
    public mutating func object<Value>(
        _ key: some MemberName, _ members: [JSON.Member], _ read: (inout ObjectReader) -> Value
    ) -> Value {
        object(members, fullPath: path(of: key), read)
    }

    /// As above, at a path relative to this object, such as `actions[1]`, built by `ProblemPath`.
    public mutating func object<Value>(
        at path: String, _ members: [JSON.Member], _ read: (inout ObjectReader) -> Value
    ) -> Value {
        object(members, fullPath: ProblemPath.joined(self.path, path), read)
    }

    private mutating func object<Value>(
        _ members: [JSON.Member], fullPath: String, _ read: (inout ObjectReader) -> Value
    ) -> Value {
        var reader = ObjectReader(members, path: fullPath)
        let value = read(&reader)
        problems += reader.problems
        return value
    }

    private func path(of key: some MemberName) -> String {
        ProblemPath.member(key.memberName, of: path)
    }
}
